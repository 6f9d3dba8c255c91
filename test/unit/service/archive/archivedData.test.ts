import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import type { DataFile } from '../../../../src/core/snippets/dataFile.ts';
import { describeArchivedData } from '../../../../src/service/archive/archivedData.ts';
import { dayMs, createHourlyResponse, hourMs, createTestArchive, type TestArchive } from './archiveSetUp.ts';

const source = 'https://api.example.test';
const timeZone = 'UTC';
const may = Date.UTC(2023, 4, 1);

function query(range: string, interval = '1h'): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone }, may);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

describe('the archived data of a query', () => {
  let test: TestArchive;
  beforeEach(async () => {
    test = createTestArchive();
    const series = { source, dataset: 'systemState', interval: '1h', params: {} };
    await test.archive.merge(
      series,
      hourMs,
      { start: may, end: may + 3 * hourMs },
      createHourlyResponse(may, [1, null, 3]),
    );
    // This hour was requested, and the response had no row for it.
    await test.archive.merge(
      series,
      hourMs,
      { start: may + dayMs, end: may + 2 * dayMs },
      createHourlyResponse(may + dayMs, []),
    );
  });

  async function describeData(requestedQuery: ResolvedQuery): Promise<DataFile | undefined> {
    return describeArchivedData(test.openAnother(), test.folder, { source, query: requestedQuery });
  }

  it('returns the folder and the range if at least one hour is archived', async () => {
    const data = await describeData(query('2023-04-29..2023-05-01'));
    assert.deepEqual(data, {
      path: join(test.folder, readdirSync(test.folder)[0] ?? ''),
      form: 'archive',
      columns: ['ts', 'mw'],
      timeColumn: 'ts',
      valueColumn: data?.valueColumn,
      timeZone,
      requestedRange: { start: may - 2 * dayMs, end: may + dayMs, range: '2023-04-29..2023-05-01' },
    });
  });

  it('describes the days of the service as such', async () => {
    const series = { source, dataset: 'systemState', interval: '1d', params: {} };
    await test.archive.merge(series, dayMs, { start: may, end: may + dayMs }, createHourlyResponse(may, [1]));
    const data = await describeData(query('2023-05-01', '1d'));
    assert.equal(data?.isDaily, true);
  });

  it('returns undefined if no hour is archived', async () => {
    assert.equal(await describeData(query('2023-05-20')), undefined);
    assert.equal(await describeData(query('2023-05-02')), undefined);
    assert.equal(await describeData(query('2023-05-01', '1d')), undefined);
  });

  it('returns undefined for an interval of unknown length', async () => {
    assert.equal(await describeData({ ...query('2023-05-01'), intervalMs: undefined }), undefined);
  });
});
