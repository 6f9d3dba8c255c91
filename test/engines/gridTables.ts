import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, frameOf } from '../../src/core/decode/decode.ts';
import { createTableToWrite } from '../../src/core/export/exportTable.ts';
import { clipFrame } from '../../src/core/frame/clip.ts';
import { createRequestParameters, resolveQuery, type ServiceQuery } from '../../src/core/query/query.ts';
import type { DataFile } from '../../src/core/snippets/dataFile.ts';
import { describeExportedData } from '../../src/core/snippets/exportedData.ts';
import type { SeriesKey } from '../../src/core/query/seriesKey.ts';
import { systemClock } from '../../src/host/systemPorts.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/embedded.ts';
import { FileArchive } from '../../src/service/archive/fileArchive.ts';
import { describeArchivedData } from '../../src/service/archive/archivedData.ts';
import { exportArchive } from '../../src/service/export/exportArchive.ts';
import { writeHive } from '../../src/service/export/hiveFolder.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import type { ExportFormat, ExportOptions } from '../../src/shared/exportOptions.ts';
import type { Frame } from '../../src/shared/frame.ts';
import { serviceQuery } from '../support/serviceQuery.ts';
import { cellsOf, type Cells } from './cells.ts';

const timeZone = 'Africa/Johannesburg';
const source = 'https://api.example.test';

/** A service without limits. `now`: after its last hour, UTC milliseconds; the present if left out. */
export async function startService(now?: number): Promise<RunningSandbox> {
  return startSandbox({ now, limits: { normalized_data: null, features: null } });
}

export function queryOf(dataset: string, range: string, interval = '1h'): ServiceQuery {
  const params: Record<string, string> = dataset === 'gridStress' ? { components: 'true' } : {};
  const resolved = resolveQuery({ dataset, range, interval, params, timeZone: 'UTC' }, Date.UTC(2026, 0, 1));
  if (!resolved.ok) throw new Error(`${range}: ${resolved.problem}`);
  return serviceQuery(resolved.value);
}

/** The rows of a query as the extension shows them. */
export async function tableOf(query: ServiceQuery, service: RunningSandbox): Promise<Frame> {
  const parameters = new URLSearchParams(createRequestParameters(query));
  const headers = { 'X-API-KEY': service.createKey('engines').value };
  const response = await fetch(`${service.baseUrl}${query.dataset.path}?${parameters.toString()}`, { headers });
  const { frame } = decode([await response.json()]);
  if (!frame || frame.rowCount === 0) throw new Error(`no rows of ${query.dataset.id}`);
  return clipFrame(frame, query).frame;
}

/** Rows with all kinds of columns and what files easily lose: digits, quotes, line ends, missing values. */
export function oddTable(): Frame {
  const numbers = [0.1 + 0.2, 1e-300, 5e-324, Number.MAX_VALUE, -123456.7890123456, 1e21, 2 ** 53, -1e-7, 3];
  const texts = ['Zoë, "Cape"', "it's; so", '⚡️ ውሂብ', 'two\nlines', 'a\\b', 'NULL', '1,5', 'x y'];
  return frameOf(
    Array.from({ length: 60 }, (_, row) => ({
      ts: new Date(Date.UTC(2024, 0, 30, row)).toISOString().replace('.000', ''),
      residual_demand_mw: numbers[row % numbers.length],
      "half empty, isn't it": row % 2 === 0 ? null : row / 7,
      state: row % 5 === 0 ? null : texts[row % texts.length],
      shed: row % 3 === 0 ? null : row % 3 === 1,
      // In the second of two months only.
      late: row < 50 ? null : `from row ${row}`,
      until: row % 4 === 0 ? null : new Date(Date.UTC(2024, 1, 1, row)).toISOString().replace('.000', ''),
      units: row % 6 === 0 ? null : [{ name: 'unit', mw: row / 3 }],
    })),
  );
}

/** Data on disk as the extension wrote it, and the rows that a program must find there. */
export interface Written {
  readonly what: string;
  readonly data: DataFile;
  readonly expected: readonly Cells[];
}

/** A table as a file of each format, CSV in both dialects. */
export async function writtenFiles(frame: Frame, folder: string, what: string): Promise<Written[]> {
  const formats: readonly (readonly [ExportFormat, Partial<ExportOptions>?])[] = [
    ['csv'],
    ['csv', { dialect: 'semicolon' }],
    ['tsv'],
    ['json'],
    ['ndjson'],
    ['parquet'],
    ['arrow'],
    ['xlsx'],
  ];
  const written: Written[] = [];
  for (const [format, more = {}] of formats) {
    const zone = { timeZone, label: 'SAST (UTC+2)' };
    const options: ExportOptions = {
      format,
      dialect: 'standard',
      times: 'zone',
      zone,
      heading: 'names',
      provenance: 'none',
      ...more,
    };
    const table = createTableToWrite({ frame });
    const data = describeExportedData(table, options);
    if (!data) throw new Error(`no program reads ${format}`);
    const name = [what, format, more.dialect].filter(part => part !== undefined).join(' ');
    const path = join(folder, `${name}.${format}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of exportChunks(table, options)) chunks.push(chunk);
    await writeFile(path, Buffer.concat(chunks));
    written.push({ what: name, data: { ...data, path }, expected: cellsOf(frame) });
  }
  return written;
}

/** A table in the archive, and in the folder that the archive is exported to. */
export async function writtenFolders(
  query: ServiceQuery,
  frame: Frame,
  folder: string,
  what = `${query.dataset.id} ${query.interval}`,
): Promise<Written[]> {
  const { dataset, interval, params, stepMs = NaN, start, end } = query;
  const series: SeriesKey = { source, dataset: dataset.id, interval, params };
  const archiveFolder = join(folder, `archive ${what}`);
  const archive = archiveIn(archiveFolder);
  await archive.merge(series, stepMs, { start, end }, { frame, requestedAt: end, meta: {} });
  const archived = await describeArchivedData(archive, archiveFolder, { source, query: { ...query, timeZone } });
  const exported = join(folder, `exported ${what}`);
  const { tables } = await exportArchive({ archive, folder: exported, clock: systemClock, now: end });
  const [place] = tables;
  if (!archived || !place) throw new Error(`${dataset.id} is not in the archive`);
  const { path, timeColumn, valueColumn } = place;
  const hive = { path: join(exported, path), form: 'hive', timeColumn, valueColumn, timeZone } as const;
  const expected = cellsOf(frame);
  return [
    { what: `${what} archive`, data: archived, expected },
    { what: `${what} folder`, data: hive, expected },
  ];
}

/** A folder whose first month was exported before the service had a field. */
export async function grownFolder(folder: string): Promise<Written> {
  const [frame, february] = [oddTable(), Date.UTC(2024, 1, 1)];
  const series = { source, dataset: 'systemState', interval: '1h', params: { grown: 'true' } };
  const [before, after] = [
    { start: -Infinity, end: february },
    { start: february, end: Infinity },
  ].map(span => clipFrame(frame, span).frame);
  if (!before || !after) throw new Error('no months');
  const first = { ...before, columns: before.columns.filter(({ name }) => name !== 'late') };
  await writeHive({ folder, series: [{ ...series, frame: first }], clock: systemClock });
  const { tables } = await writeHive({ folder, series: [{ ...series, frame: after }], clock: systemClock });
  const path = join(folder, tables[0]?.path ?? '');
  const data: DataFile = { path, form: 'hive', timeColumn: 'ts', valueColumn: 'residual_demand_mw', timeZone };
  return { what: 'folder with a later column', data, expected: cellsOf(frame) };
}

export function archiveIn(folder: string): FileArchive {
  return new FileArchive({ folder, clock: systemClock, logger: console, maxBytes: () => 2e9 });
}
