import assert from 'node:assert/strict';
import { statSync, utimesSync } from 'node:fs';
import { getFilePath, listFiles, createHourlyResponse, hourMs, series, createTestArchive } from './archiveSetUp.ts';
import type { TestArchive } from './archiveSetUp.ts';

function createHours(start: number, count: number): { start: number; end: number } {
  return { start, end: start + count * hourMs };
}

describe('the size limit of the archive', () => {
  const getYearStart = (year: number): number => Date.UTC(2020 + year, 0, 1);
  let test: TestArchive;
  let maxBytes = 1e9;
  beforeEach(() => {
    maxBytes = 1e9;
    test = createTestArchive({ maxBytes: () => maxBytes });
  });

  async function mergeHours(index: number): Promise<void> {
    const requested = createHours(getYearStart(index), 1);
    assert.equal(
      await test.archive.merge(series, hourMs, requested, createHourlyResponse(requested.start, [index])),
      true,
    );
  }

  function setUsedAt(index: number, ms: number): void {
    utimesSync(getFilePath(test.folder, `202${index}.arrow`), ms / 1000, ms / 1000);
  }

  const listYears = (): string[] => listFiles(test.folder).filter(name => name.endsWith('.arrow'));

  it('sums the size of its files', async () => {
    await mergeHours(0);
    const sizes = listFiles(test.folder).map(name => statSync(getFilePath(test.folder, name)).size);
    assert.equal(
      await test.archive.size(),
      sizes.reduce((a, b) => a + b),
    );
  });

  it('removes the least recently used years to stay below the limit', async () => {
    for (const index of [0, 1, 2, 3]) await mergeHours(index);
    [300, 100, 400, 200].forEach((ms, index) => setUsedAt(index, 1e12 + ms * 1000));
    maxBytes = (await test.archive.size()) * 0.99;
    await mergeHours(4);
    assert.deepEqual(listYears(), ['2020.arrow', '2022.arrow', '2024.arrow']);
    assert.ok((await test.archive.size()) <= maxBytes);
  });

  it('counts reading as use, at most once a minute', async () => {
    for (const index of [0, 1]) {
      await mergeHours(index);
      setUsedAt(index, 1e12 + index);
    }
    const readUsedAt = (): number => statSync(getFilePath(test.folder, '2020.arrow')).mtimeMs;
    await test.archive.read(series, hourMs, createHours(getYearStart(0), 1));
    assert.ok(readUsedAt() > 1.6e12);
    setUsedAt(0, 1e12);
    await test.archive.read(series, hourMs, createHours(getYearStart(0), 1));
    assert.equal(readUsedAt(), 1e12);
    await test.openAnother().read(series, hourMs, createHours(getYearStart(0), 1));
    maxBytes = (await test.archive.size()) * 1.2;
    await mergeHours(2);
    assert.deepEqual(listYears(), ['2020.arrow', '2022.arrow']);
  });

  it('never removes the year that was just written', async () => {
    maxBytes = 10;
    await mergeHours(0);
    await mergeHours(1);
    assert.deepEqual(listYears(), ['2021.arrow']);
  });

  it('writes and removes no files with a limit of 0', async () => {
    await mergeHours(1);
    maxBytes = 0;
    assert.equal(
      await test.archive.merge(
        series,
        hourMs,
        createHours(getYearStart(0), 1),
        createHourlyResponse(getYearStart(0), [1]),
      ),
      false,
    );
    assert.deepEqual(listYears(), ['2021.arrow']);
  });

  it('counts the files of other windows eventually', async () => {
    let now = Date.now();
    const clock = { now: () => now, sleep: async () => Promise.resolve() };
    const archive = test.openAnother({ clock });
    await archive.merge(series, hourMs, createHours(getYearStart(0), 1), createHourlyResponse(getYearStart(0), [0]));
    for (const index of [1, 2, 3]) await mergeHours(index);
    maxBytes = (await test.archive.size()) * 0.6;
    now += 11 * 60_000;
    await archive.merge(series, hourMs, createHours(getYearStart(4), 1), createHourlyResponse(getYearStart(4), [4]));
    assert.ok((await test.archive.size()) <= maxBytes);
    assert.ok(listYears().includes('2024.arrow'));
    assert.ok(!listYears().includes('2020.arrow'));
  });
});
