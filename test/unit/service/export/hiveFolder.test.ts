import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { computeCoverage } from '../../../../src/core/frame/coverage.ts';
import {
  createArchiveOrigin,
  createExportProvenance,
  type Origin,
} from '../../../../src/core/export/exportProvenance.ts';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import { utc } from '../../../../src/core/time/zone.ts';
import { GridWorld } from '../gridWorld.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { Span } from '../../../../src/core/range/resolveRange.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { parquetMetadata } from 'hyparquet';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { systemClock } from '../../../../src/host/systemPorts.ts';
import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import { exportArchive } from '../../../../src/service/export/exportArchive.ts';
import { MixedServicesError, writeHive, type HiveSeries } from '../../../../src/service/export/hiveFolder.ts';
import { provenanceKey } from '../../../../src/service/export/byteChunk.ts';
import type { ExportFs } from '../../../../src/service/export/writeExport.ts';
import type { ExportProvenance } from '../../../../src/shared/exportOptions.ts';
import { has, python, runText } from '../../core/snippets/tools.ts';
import { duckDb, type RunSql } from './readers.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const clock = { sleep: () => Promise.resolve() };
const hourMs = 3_600_000;
const source = 'https://api.example.test';
const start = Date.UTC(2023, 0, 30);

/** Creates numbered hours from January to March. */
function createHours(count: number, from = start, first = 0): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, hour) => ({
    ts: new Date(from + hour * hourMs).toISOString().replace('.000', ''),
    wind_mw: first + hour / 3,
    interval: hour % 5 === 0 ? null : 'own',
  }));
}

function createSeries(records: Record<string, unknown>[], more: Partial<HiveSeries> = {}): HiveSeries {
  return { source, dataset: 'systemState', interval: '1h', params: {}, frame: recordsToFrame(records), ...more };
}

/** Reads the provenance of each file. */
function readProvenances(folder: string): ExportProvenance[] {
  const tables = listFiles(folder).filter(file => file.endsWith('.parquet'));
  return tables.map(file => {
    const { key_value_metadata: notes } = parquetMetadata(new Uint8Array(readFileSync(`${folder}/${file}`)).buffer);
    return JSON.parse(notes?.find(({ key }) => key === provenanceKey)?.value ?? '{}') as ExportProvenance;
  });
}

/** Lists all files except the SQL. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);
  const names = files.map(file => file.slice(folder.length + 1).replaceAll('\\', '/')).sort();
  return names.filter(name => !/^_.*\.sql$/.test(name));
}

describe('a hive-partitioned folder', () => {
  let runSql: RunSql | undefined;
  let folder: string;
  before(async () => (runSql = await duckDb()));
  beforeEach(() => (folder = join(createTemporaryFolder(), 'hive')));

  async function readRows(duck: RunSql): Promise<unknown[][]> {
    const hive = `read_parquet('${folder}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)`;
    return (
      await duck(
        `SELECT dataset, "interval", year, month, ts, wind_mw, "interval (2)" FROM ${hive} ORDER BY dataset, ts`,
      )
    ).rows;
  }

  it('writes one file per month, with the same rows for DuckDB', async function () {
    const records = createHours(24 * 35);
    const progressCounts: number[] = [];
    const onProgress = (files: number): unknown => progressCounts.push(files);
    const outcome = await writeHive({ folder, series: [createSeries(records)], clock, onProgress });
    assert.deepEqual([outcome.files, outcome.rows, progressCounts], [3, records.length, [1, 2, 3]]);
    assert.deepEqual(
      listFiles(folder).map(file => file.replace(/part-[0-9a-f]{16}/, 'part')),
      ['01', '02', '03'].map(month => `dataset=systemState/interval=1h/year=2023/month=${month}/part.parquet`),
    );
    if (!runSql) this.skip();
    assert.deepEqual(
      await readRows(runSql),
      records.map(record => {
        const ts = new Date(String(record['ts']));
        const month = String(ts.getUTCMonth() + 1).padStart(2, '0');
        return ['systemState', '1h', '2023', month, ts, record['wind_mw'], record['interval']];
      }),
    );
  });

  it('replaces rows and never duplicates them', async function () {
    await writeHive({ folder, series: [createSeries(createHours(48))], clock });
    await writeHive({ folder, series: [createSeries(createHours(48, start, 100))], clock });
    if (!runSql) this.skip();
    const rows = await readRows(runSql);
    assert.equal(rows.length, 48);
    assert.equal(rows[0]?.[5], 100);
  });

  it('merges results of one series, the later one for the same hours', async function () {
    const laterSeries = createSeries(createHours(48, start + 24 * hourMs, 100));
    await writeHive({ folder, series: [createSeries(createHours(48)), laterSeries], clock });
    if (!runSql) this.skip();
    const rows = await readRows(runSql);
    assert.deepEqual([rows.length, rows[23]?.[5], rows[24]?.[5]], [72, 23 / 3, 100]);
  });

  it('keeps series apart that differ in parameters', async () => {
    const otherSeries: Partial<HiveSeries>[] = [{}, { params: { components: 'true' } }];
    await writeHive({ folder, series: otherSeries.map(more => createSeries(createHours(2), more)), clock });
    const files = listFiles(folder);
    assert.equal(files.length, 2);
    assert.equal(files.filter(file => file.startsWith('dataset=systemState%3Fcomponents%3Dtrue/')).length, 1);
  });

  it('rejects hours of two services in one table, in one export or two, and preserves the files', async () => {
    const ours = createSeries(createHours(2));
    const theirs = createSeries(createHours(2), { source: 'sandbox synthetic' });
    await assert.rejects(writeHive({ folder, series: [ours, theirs], clock }), MixedServicesError);
    assert.deepEqual(listFiles(folder), []);
    await writeHive({ folder, series: [ours], clock });
    const oldFiles = listFiles(folder);
    await assert.rejects(
      writeHive({ folder, series: [theirs], clock }),
      (error: unknown) => error instanceof MixedServicesError && error.folder.endsWith('interval=1h'),
    );
    assert.deepEqual(listFiles(folder), oldFiles);
    await writeHive({ folder, series: [ours], clock });
    assert.deepEqual(listFiles(folder), oldFiles);
  });

  it('reports which tables are Sample Data, earlier exports included', async () => {
    const list = `${folder}/_SAMPLE DATA.txt`;
    const createSampleSeries = (dataset: string): HiveSeries => {
      const from = '2023-01-30T00:00:00Z';
      const until = '2023-01-30T02:00:00Z';
      const about = { source: 'Grid Data Inspector', connection: 'Sample Data', data: 'SAMPLE DATA (synthetic)' };
      const queryFacts = { dataset, range: 'today', start: from, end: until, interval: '1h', params: {}, zone: 'UTC' };
      const provenance = { ...about, ...queryFacts, fetchedAt: until, rows: 2 };
      const span = { start, end: start + 2 * hourMs };
      return createSeries(createHours(2), { dataset, origins: [{ provenance, span, coverage: undefined }] });
    };
    const measured = createSeries(createHours(2), { dataset: 'measured' });
    for (const exportedSeries of [
      createSampleSeries('systemState'),
      createSampleSeries('gridStress'),
      measured,
      createSampleSeries('systemState'),
    ]) {
      await writeHive({ folder, series: [exportedSeries], clock });
      // Editors and git on Windows write these line ends.
      writeFileSync(list, readFileSync(list, 'utf8').replaceAll(/\r?\n/g, '\r\n'));
    }
    await writeHive({ folder, series: [createSampleSeries('systemState')], clock });
    const about = 'interval=1h · SAMPLE DATA (synthetic) · Sample Data · 2023-01-30T00:00:00Z to 2023-01-30T02:00:00Z';
    assert.equal(readFileSync(list, 'utf8'), `dataset=systemState · ${about}\ndataset=gridStress · ${about}\n`);
  });

  it('puts rows without an instant into the null partition', async () => {
    await writeHive({ folder, series: [createSeries([{ ts: null, wind_mw: 1 }, ...createHours(1)])], clock });
    assert.ok(listFiles(folder).some(file => file.includes('year=__HIVE_DEFAULT_PARTITION__/')));
  });

  it('describes in each file its hours of the month and their queries', async () => {
    const queryFacts = {
      source: 'Grid Data Inspector',
      dataset: 'systemState',
      interval: '1h',
      params: {},
      zone: 'UTC',
    };
    const createOrigin = (range: string, span: Span, frame: Frame): Origin => {
      const from = formatInstant(span.start);
      const until = formatInstant(span.end);
      const facts = { connection: 'Grid', range, start: from, end: until, fetchedAt: until, rows: frame.rowCount };
      return {
        provenance: { ...queryFacts, ...facts },
        span,
        coverage: computeCoverage(frame, span, hourMs, { now: span.end }),
      };
    };
    // The second response has an hour that the first lacks. No response has the last hour of January.
    const one = createSeries(createHours(47));
    const other = createSeries(createHours(24, Date.UTC(2023, 0, 31, 23), 100).slice(1));
    const first = createOrigin('last 2 days', { start, end: start + 48 * hourMs }, one.frame);
    const second = createOrigin(
      '2023-01-31 23:00 on',
      { start: start + 46 * hourMs, end: start + 71 * hourMs },
      other.frame,
    );
    await writeHive({
      folder,
      clock,
      series: [
        { ...one, origins: [first] },
        { ...other, origins: [second] },
      ],
    });
    const [january, february] = readProvenances(folder);
    assert.deepEqual(
      [january?.range, january?.start, january?.end, january?.rows, january?.rowsOfResult],
      ['last 2 days; 2023-01-31 23:00 on', '2023-01-30T00:00:00Z', '2023-02-01T00:00:00Z', 47, 70],
    );
    assert.deepEqual(
      [january?.coverage?.expected, january?.coverage?.present, january?.coverage?.missingRanges],
      [48, 47, ['2023-01-31T23:00:00Z/2023-02-01T00:00:00Z']],
    );
    assert.deepEqual(
      [february?.start, february?.coverage?.expected, february?.coverage?.missing],
      ['2023-02-01T00:00:00Z', 23, 0],
    );
  });

  it('puts the days of a zone into the months of that zone, with the missing hours of each month', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    // The service has no rows for 3 May SAST.
    for (let ms = Date.UTC(2026, 4, 2, 22); ms < Date.UTC(2026, 4, 3, 22); ms += hourMs) world.holes.add(ms);
    const queryFacts = {
      dataset: 'systemState',
      range: '2026-04-29..2026-06-02',
      interval: '1d@sast',
      params: {},
      timeZone: 'UTC',
    };
    const resolved = resolveQuery(queryFacts, world.now);
    assert.ok(resolved.ok);
    const result = await world.window().run(resolved.value, world.endpoint);
    const { frame, coverage, provenance } = result;
    assert.ok(frame);
    const options = { format: 'parquet', times: 'utc', zone: utc } as const;
    const origin = { provenance: createExportProvenance(result, { frame }, options), span: provenance, coverage };
    const { interval, dataset, params } = provenance;
    await writeHive({
      folder,
      clock,
      series: [{ source, dataset, interval, params, frame, origins: [origin] }],
    });
    const below = 'dataset=systemState/interval=1d%40SAST/year=2026';
    assert.deepEqual(
      listFiles(folder).map(file => file.replace(/\/part-.*/, '')),
      ['04', '05', '06'].map(month => `${below}/month=${month}`),
    );
    const [april, may, june] = readProvenances(folder);
    assert.deepEqual([april?.rows, may?.rows, june?.rows], [2, 30, 2]);
    assert.deepEqual([may?.start, may?.end], ['2026-04-30T22:00:00Z', '2026-05-31T22:00:00Z']);
    assert.deepEqual(
      [may?.coverage?.expected, may?.coverage?.present, may?.coverage?.missingRanges],
      [31, 30, ['2026-05-02T22:00:00Z/2026-05-03T22:00:00Z']],
    );
    // This is a fact of the whole result.
    assert.equal(may?.hours, undefined);
  });

  it('leaves no files or folders when it is canceled or fails', async () => {
    const stop = new AbortController();
    const stopped = writeHive({
      folder,
      clock,
      signal: stop.signal,
      series: [createSeries(createHours(24 * 35))],
      onProgress: () => stop.abort(),
    });
    await assert.rejects(stopped, { reason: 'cancelled' });
    assert.ok(!existsSync(folder));
    let openedFiles = 0;
    const fs: ExportFs = {
      ...fsPromises,
      open: async (...args: Parameters<typeof fsPromises.open>) => {
        if (++openedFiles === 3) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        return fsPromises.open(...args);
      },
    };
    mkdirSync(folder);
    await assert.rejects(writeHive({ folder, clock, fs, series: [createSeries(createHours(24 * 35))] }), /full/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('writes a folder that pandas reads together with its SQL and sample lists, if installed', async function () {
    if (!(await has(python, '-c', 'import pandas, pyarrow'))) return this.skip();
    const span = { start, end: start + 24 * 35 * hourMs };
    const key = { source, dataset: 'systemState', interval: '1h', params: {} };
    const frame = recordsToFrame(createHours(24 * 35));
    const origins = [createArchiveOrigin(key, span, { frame, now: span.end, meta: { meta: { source: 'synthetic' } } })];
    await writeHive({ folder, series: [createSeries(createHours(24 * 35), { origins })], clock });
    assert.equal(listFiles(folder)[0], '_SAMPLE DATA.txt');
    const program = `import pandas\nprint(len(pandas.read_parquet(${JSON.stringify(folder)})))`;
    assert.deepEqual(await runText(python, 'read.py', program), { stdout: '840\n', stderr: '', code: 0 });
  });

  it('exports the archive unchanged, and reports missing hours', async function () {
    const deps = { folder: createTemporaryFolder(), clock: systemClock, logger: console, maxBytes: () => 1e9 };
    const archive = new FileArchive(deps);
    const records = createHours(24 * 35);
    const meta = { meta: { source: 'synthetic' } };
    const key = { source, dataset: 'systemState', interval: '1h', params: {} };
    const span = { start, end: start + records.length * hourMs };
    assert.ok(await archive.merge(key, hourMs, span, { frame: recordsToFrame(records), requestedAt: span.end, meta }));
    const [archivedSeries, ...otherSeries] = await archive.contents();
    assert.deepEqual([archivedSeries?.series, archivedSeries?.years.length, otherSeries], [key, 1, []]);
    assert.ok((archivedSeries?.bytes ?? 0) > 1000);
    const phases: string[] = [];
    const onProgress = (done: number, total: number): unknown => phases.push(`${done}/${total}`);
    const outcome = await exportArchive({ archive, folder, clock, now: span.end, onProgress });
    assert.deepEqual([outcome.rows, phases], [records.length, ['1/1']]);
    assert.equal(
      (await exportArchive({ archive, folder: `${folder}-none`, clock, now: 0, filter: () => false })).files,
      0,
    );
    const [january, , march] = readProvenances(folder);
    assert.deepEqual(
      [january?.service, january?.range, january?.rows, january?.coverage?.present, january?.data],
      [source, '2023-01-01T00:00:00Z/2023-02-01T00:00:00Z', 48, 48, 'SAMPLE DATA (synthetic)'],
    );
    // The table itself would not show this, and engines ignore this file name.
    assert.match(
      readFileSync(`${folder}/_SAMPLE DATA.txt`, 'utf8'),
      /^dataset=systemState · interval=1h · SAMPLE DATA \(synthetic\) · https:\/\/api\.example\.test · 2023-01-01T00:00:00Z to /,
    );
    // The first days of January were never requested, and March ends after the present.
    const { coverage: last } = march ?? {};
    assert.deepEqual([january?.coverage?.notRequested, january?.coverage?.missing], [29 * 24, 0]);
    assert.deepEqual([last?.present, last?.notPublished], [24 * 5, 24 * 26]);
    if (!runSql) this.skip();
    assert.deepEqual(
      (await readRows(runSql)).map(row => row[5]),
      records.map(record => record['wind_mw']),
    );
  });
});
