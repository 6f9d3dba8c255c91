import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode, recordsToFrame } from '../../src/core/decode/decode.ts';
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
import { toServiceQuery } from '../support/serviceQuery.ts';
import { toCells, type Cells } from './cells.ts';

const timeZone = 'Africa/Johannesburg';
const source = 'https://api.example.test';

/** Starts a service without rate limits. Its data ends at `now` (UTC milliseconds), by default the present. */
export async function startService(now?: number): Promise<RunningSandbox> {
  return startSandbox({ now, limits: { normalized_data: null, features: null } });
}

export function createQuery(dataset: string, range: string, interval = '1h'): ServiceQuery {
  const params: Record<string, string> = dataset === 'gridStress' ? { components: 'true' } : {};
  const resolved = resolveQuery({ dataset, range, interval, params, timeZone: 'UTC' }, Date.UTC(2026, 0, 1));
  if (!resolved.ok) throw new Error(`${range}: ${resolved.problem}`);
  return toServiceQuery(resolved.value);
}

/** Fetches the rows of a query as the extension shows them. */
export async function fetchTable(query: ServiceQuery, service: RunningSandbox): Promise<Frame> {
  const parameters = new URLSearchParams(createRequestParameters(query));
  const headers = { 'X-API-KEY': service.createKey('engines').value };
  const response = await fetch(`${service.baseUrl}${query.dataset.path}?${parameters.toString()}`, { headers });
  const { frame } = decode([await response.json()]);
  if (!frame || frame.rowCount === 0) throw new Error(`The result of ${query.dataset.id} has no rows.`);
  return clipFrame(frame, query).frame;
}

/** Creates rows with all kinds of columns and values that files easily lose: digits, quotes, line breaks, missing values. */
export function createUnusualTable(): Frame {
  const numbers = [0.1 + 0.2, 1e-300, 5e-324, Number.MAX_VALUE, -123456.7890123456, 1e21, 2 ** 53, -1e-7, 3];
  const texts = ['Zoë, "Cape"', "it's; so", '⚡️ ውሂብ', 'two\nlines', 'a\\b', 'NULL', '1,5', 'x y'];
  return recordsToFrame(
    Array.from({ length: 60 }, (_, row) => ({
      ts: new Date(Date.UTC(2024, 0, 30, row)).toISOString().replace('.000', ''),
      residual_demand_mw: numbers[row % numbers.length],
      "half empty, isn't it": row % 2 === 0 ? null : row / 7,
      state: row % 5 === 0 ? null : texts[row % texts.length],
      shed: row % 3 === 0 ? null : row % 3 === 1,
      // This column has values in the second month only.
      late: row < 50 ? null : `from row ${row}`,
      until: row % 4 === 0 ? null : new Date(Date.UTC(2024, 1, 1, row)).toISOString().replace('.000', ''),
      units: row % 6 === 0 ? null : [{ name: 'unit', mw: row / 3 }],
    })),
  );
}

/** Data that the extension has written, and the rows that a program must read. */
export interface WrittenData {
  readonly label: string;
  readonly data: DataFile;
  readonly expected: readonly Cells[];
}

/** Writes a table as a file of each format, and CSV in both dialects. */
export async function writeFiles(frame: Frame, folder: string, label: string): Promise<WrittenData[]> {
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
  const writtenFiles: WrittenData[] = [];
  for (const [format, extraOptions = {}] of formats) {
    const zone = { timeZone, label: 'SAST (UTC+2)' };
    const options: ExportOptions = {
      format,
      dialect: 'standard',
      times: 'zone',
      zone,
      heading: 'names',
      provenance: 'none',
      ...extraOptions,
    };
    const table = createTableToWrite({ frame });
    const data = describeExportedData(table, options);
    if (!data) throw new Error(`No program reads ${format}.`);
    const name = [label, format, extraOptions.dialect].filter(part => part !== undefined).join(' ');
    const path = join(folder, `${name}.${format}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of exportChunks(table, options)) chunks.push(chunk);
    await writeFile(path, Buffer.concat(chunks));
    writtenFiles.push({ label: name, data: { ...data, path }, expected: toCells(frame) });
  }
  return writtenFiles;
}

/** Writes a table to an archive, and exports the archive to a folder. */
export async function writeFolders(
  query: ServiceQuery,
  frame: Frame,
  folder: string,
  label = `${query.dataset.id} ${query.interval}`,
): Promise<WrittenData[]> {
  const { dataset, interval, params, intervalMs = NaN, start, end } = query;
  const series: SeriesKey = { source, dataset: dataset.id, interval, params };
  const archiveFolder = join(folder, `archive ${label}`);
  const archive = openArchive(archiveFolder);
  await archive.merge(series, intervalMs, { start, end }, { frame, requestedAt: end, meta: {} });
  const archived = await describeArchivedData(archive, archiveFolder, { source, query: { ...query, timeZone } });
  const exported = join(folder, `exported ${label}`);
  const { tables } = await exportArchive({ archive, folder: exported, clock: systemClock, now: end });
  const [exportedTable] = tables;
  if (!archived || !exportedTable) throw new Error(`${dataset.id} is not in the archive.`);
  const { path, timeColumn, valueColumn } = exportedTable;
  const hive = { path: join(exported, path), form: 'hive', timeColumn, valueColumn, timeZone } as const;
  const expected = toCells(frame);
  return [
    { label: `${label} archive`, data: archived, expected },
    { label: `${label} folder`, data: hive, expected },
  ];
}

/** Creates a folder whose first month was exported before the service added a field. */
export async function writeFolderWithNewColumn(folder: string): Promise<WrittenData> {
  const frame = createUnusualTable();
  const february = Date.UTC(2024, 1, 1);
  const series = { source, dataset: 'systemState', interval: '1h', params: { grown: 'true' } };
  const januaryRows = clipFrame(frame, { start: -Infinity, end: february }).frame;
  const februaryRows = clipFrame(frame, { start: february, end: Infinity }).frame;
  const januaryWithoutColumn = { ...januaryRows, columns: januaryRows.columns.filter(({ name }) => name !== 'late') };
  await writeHive({ folder, series: [{ ...series, frame: januaryWithoutColumn }], clock: systemClock });
  const { tables } = await writeHive({ folder, series: [{ ...series, frame: februaryRows }], clock: systemClock });
  const path = join(folder, tables[0]?.path ?? '');
  const data: DataFile = { path, form: 'hive', timeColumn: 'ts', valueColumn: 'residual_demand_mw', timeZone };
  return { label: 'folder with a later column', data, expected: toCells(frame) };
}

export function openArchive(folder: string): FileArchive {
  return new FileArchive({ folder, clock: systemClock, logger: console, maxBytes: () => 2e9 });
}
