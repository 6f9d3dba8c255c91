import assert from 'node:assert/strict';
import '../../../support/fakeVscode.ts';
import { createFile, createRows, type Row, type RowRun } from '../../core/dataFile/fileOfLengths.ts';

const { createFileHeader } = await import('../../../../src/host/dataFile/fileView.ts');

/** Returns the header's texts about rows of these lengths. */
const headerTexts = (...runs: RowRun[]): string[] => headerTextsOfRows(createRows(...runs));

function headerTextsOfRows(rows: readonly Row[]): string[] {
  const { result, intervalFrom, duplicates } = createFile(rows);
  const table = { fileRowCount: rows.length, omitted: [], zone: { source: 'file' }, provenance: undefined, notes: [] };
  const loadedFile = { table, result, intervalFrom, duplicates, size: 1_000, modified: 0 };
  const zone = { timeZone: 'UTC', label: 'UTC' };
  const showing = {
    name: 'a.csv',
    isVersion: false,
    path: '/a.csv',
    zone,
    decision: { options: {}, assumesUtc: false },
    problem: undefined,
    comparison: undefined,
  };
  return createFileHeader(loadedFile as never, showing).map(({ text }) => text);
}

describe('the header of a file', () => {
  it('shows the lengths of the rows and when they change', () => {
    assert.deepEqual(headerTexts([24, 60, 1], [96, 15, 1]), [
      'a.csv',
      '1 kB',
      '30 Sep 2025 00:00 – 2 Oct 2025 00:00 UTC',
      '60 min to 1 Oct, then 15 min',
      'times with offset',
      '120 rows',
    ]);
    const third = (...runs: RowRun[]) => headerTexts(...runs)[3];
    assert.equal(
      third([96, 15, 1], [30, 60, 1], [96, 15, 1]),
      '15 min to 1 Oct 00:00, then 60 min to 2 Oct 06:00, then 15 min',
    );
    assert.equal(
      third([96, 15, 1], [48, 60, 1], [96, 15, 1], [20, 1_440, 1]),
      '15 min to 1 Oct, then 60 min to 3 Oct, then 15 min, …',
    );
    assert.equal(third([8, 180, 1], [24, 60, 1]), '3 h to 1 Oct, then 60 min');
    assert.equal(third([7, 1_440, 1], [96, 15, 1]), '1 day to 7 Oct, then 15 min');
  });

  it('shows the length that all rows have', () => {
    assert.equal(headerTexts([24, 60, 1])[3], 'hourly');
    assert.equal(headerTexts([24, 15, 1])[3], '15m');
  });

  it('counts missing rows of several lengths', () => {
    const rows = createRows([24, 60, 1], [96, 15, 1]).filter((_, row) => row !== 3 && row !== 50);
    assert.equal(headerTextsOfRows(rows).at(-1), '118 of 120 rows, 2 missing');
  });
});
