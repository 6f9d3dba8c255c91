import { createTableToWrite } from '../../src/core/export/exportTable.ts';
import {
  columnFromArray,
  dictionary,
  float64,
  tableFromColumns,
  tableToIPC,
  timestamp,
  TimeUnit,
  utf8,
  type Table,
} from '@uwdata/flechette';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generateRecords } from '../../src/core/frame/records.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import type { ExportFormat, ExportOptions } from '../../src/shared/exportOptions.ts';
import type { Column, Frame } from '../../src/shared/frame.ts';
import { duckDb } from '../unit/service/export/readers.ts';
import type { Bench, Figure } from './bench.ts';
import { medianRatio, median } from './median.ts';
import { measureLongestBlock } from './threadTime.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

// Ten years of hours with 17 columns.
const rowCount = 87_600;
const hourMs = 3_600_000;
const start = Date.UTC(2015, 0, 1);
const frame = createTenYears();
/** The bytes of 15 number columns, the time column, the text codes, and the gaps of three columns. */
const frameBytes = rowCount * (15 * 8 + 8 + 4 + 3);

function createTenYears(): Frame {
  const numbers = Array.from({ length: 15 }, (_, index): Column => {
    const name = `column_${index}_mw`;
    const values = Float64Array.from(
      { length: rowCount },
      (_, row) => ((row * 7919 + index * 104_729) % 1_000_003) / 37,
    );
    const gaps = { gaps: Uint8Array.from({ length: rowCount }, (_, row) => (row % 97 === 0 ? 1 : 0)) };
    return { name, path: [name], kind: 'number', values, ...(index % 5 === 0 && gaps) };
  });
  const instants = Float64Array.from({ length: rowCount }, (_, row) => start + row * hourMs);
  const texts = { codes: new Uint32Array(rowCount), entries: ['v1'] };
  return {
    rowCount,
    columns: [
      { name: 'ts', path: ['ts'], kind: 'time', values: instants },
      ...numbers,
      { name: 'version', path: ['version'], kind: 'text', texts },
    ],
  };
}

function createOptions(format: ExportFormat): ExportOptions {
  const zone = { timeZone: 'UTC', label: 'UTC' };
  return { format, dialect: 'standard', times: 'utc', zone, heading: 'names', provenance: 'none' };
}

async function countExportedBytes(format: ExportFormat): Promise<number> {
  let bytes = 0;
  for await (const chunk of exportChunks(createTableToWrite({ frame }), createOptions(format))) bytes += chunk.length;
  return bytes;
}

/** Measures the CPU milliseconds of each task, alternating between them so that other load affects all equally. */
async function measure<K extends string>(tasks: Readonly<Record<K, () => unknown>>): Promise<Record<K, number[]>> {
  const times = Object.fromEntries(Object.keys(tasks).map(name => [name, []])) as unknown as Record<K, number[]>;
  for (let run = 0; run < 9; run++)
    for (const name of Object.keys(tasks) as K[]) {
      const startUsage = process.cpuUsage();
      await tasks[name]();
      const { user, system } = process.cpuUsage(startUsage);
      times[name].push((user + system) / 1000);
    }
  return times;
}

/** Converts the columns to the library's input, which is part of the cost of using it. */
function createParquetColumns(): Parameters<typeof parquetWriteBuffer>[0]['columnData'] {
  return frame.columns.map(column => {
    const { name, gaps } = column;
    if (column.kind === 'number') {
      const data = gaps ? Array.from(column.values, (value, row) => (gaps[row] ? null : value)) : column.values;
      return { name, data, type: 'DOUBLE' };
    }
    if (column.kind !== 'time') return { name, data: new Array<string>(rowCount).fill('v1'), type: 'STRING' };
    return { name, data: Array.from(column.values, ms => new Date(ms)), type: 'TIMESTAMP' };
  });
}

/** Converts the columns to an Arrow table. */
function createArrowTable(): Table {
  const columns = frame.columns.map(column => {
    const { name, gaps } = column;
    if (column.kind === 'time') return [name, columnFromArray(column.values, timestamp(TimeUnit.MILLISECOND, 'UTC'))];
    if (column.kind !== 'number')
      return [name, columnFromArray(new Array<string>(rowCount).fill('v1'), dictionary(utf8()))];
    const { values } = column;
    return [
      name,
      columnFromArray(gaps ? Array.from(values, (value, row) => (gaps[row] ? null : value)) : values, float64()),
    ];
  });
  return tableFromColumns(columns as Parameters<typeof tableFromColumns>[0]);
}

/** Measures the peak memory of an export in bytes, in addition to the frame. */
async function peakMemory(format: ExportFormat): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const collectAndMeasure = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const initialBytes = collectAndMeasure();
  let peak = 0;
  let chunks = 0;
  for await (const chunk of exportChunks(createTableToWrite({ frame }), createOptions(format)))
    if (chunk.length > 0 && chunks++ % 16 === 0) peak = Math.max(peak, collectAndMeasure() - initialBytes);
  return peak;
}

/**
 * Compares the CPU time of all threads and the size of a Parquet file with DuckDB, which has the table in memory. The time has no
 * bound: DuckDB is native code, and half of our time goes into Snappy, which Node does not include.
 */
async function compareWithDuckDb(): Promise<Figure[]> {
  const query = await duckDb();
  if (!query) return [];
  const folder = createTemporaryFolder();
  const exportedFile = join(folder, 'own.parquet');
  const duckDbFile = join(folder, 'duckdb.parquet');
  const writeExport = async (): Promise<void> => {
    const file = await open(exportedFile, 'w');
    for await (const chunk of exportChunks(createTableToWrite({ frame }), createOptions('parquet')))
      await file.write(chunk);
    await file.close();
  };
  await writeExport();
  await query(`CREATE TABLE held AS FROM '${exportedFile}'`);
  const times = await measure({
    own: writeExport,
    // Uses the same compression as our files.
    theirs: async () => query(`COPY held TO '${duckDbFile}' (FORMAT parquet, COMPRESSION snappy)`),
  });
  const exportedBytes = statSync(exportedFile).size;
  const duckDbBytes = statSync(duckDbFile).size;
  return [
    { label: 'Parquet into a file', value: median(times.own), unit: 'ms' },
    { label: "… against DuckDB's writer", value: medianRatio(times.own, times.theirs), unit: '×' },
    { label: '… bytes', value: exportedBytes, unit: 'B' },
    { label: "… bytes against DuckDB's file", value: exportedBytes / duckDbBytes, unit: '×', atMost: 1 },
  ];
}

/** Measures the CPU milliseconds of an Excel export, and the longest block of this thread. */
async function measureExcel(): Promise<{ readonly cpuMs: number; readonly longestBlockMs: number }> {
  const startUsage = process.cpuUsage();
  await countExportedBytes('xlsx');
  const { user, system } = process.cpuUsage(startUsage);
  return {
    cpuMs: (user + system) / 1000,
    longestBlockMs: await measureLongestBlock(async () => countExportedBytes('xlsx')),
  };
}

/** Measures exporting ten years of hours in each format, compared with JSON.stringify, the libraries and DuckDB. */
export const bench: Bench = async () => {
  const rows = [...generateRecords(frame)];
  const times = await measure({
    stringify: () => JSON.stringify(rows),
    csv: async () => countExportedBytes('csv'),
    json: async () => countExportedBytes('json'),
    parquetAlone: () => parquetWriteBuffer({ columnData: createParquetColumns() }),
    parquet: async () => countExportedBytes('parquet'),
    arrowAlone: () => tableToIPC(createArrowTable(), { format: 'file' }),
    arrow: async () => countExportedBytes('arrow'),
  });
  const { cpuMs, longestBlockMs } = await measureExcel();
  const memory = { csv: 0, json: 0, parquet: 0, arrow: 0, xlsx: 0 };
  for (const format of Object.keys(memory) as (keyof typeof memory)[]) memory[format] = await peakMemory(format);
  return [
    { label: 'JSON.stringify of 87,600 × 17', value: median(times.stringify), unit: 'ms' },
    { label: 'CSV', value: median(times.csv), unit: 'ms' },
    { label: '… against JSON.stringify', value: medianRatio(times.csv, times.stringify), unit: '×', atMost: 1 },
    { label: 'JSON records', value: median(times.json), unit: 'ms' },
    { label: 'Parquet', value: median(times.parquet), unit: 'ms' },
    {
      label: '… relative to its library alone',
      value: medianRatio(times.parquet, times.parquetAlone),
      unit: '×',
      atMost: 2,
    },
    ...(await compareWithDuckDb()),
    { label: 'Arrow', value: median(times.arrow), unit: 'ms' },
    {
      label: '… relative to its library alone',
      value: medianRatio(times.arrow, times.arrowAlone),
      unit: '×',
      atMost: 2,
    },
    { label: 'Excel, CPU time of all threads', value: cpuMs, unit: 'ms' },
    { label: '… longest block of this thread', value: longestBlockMs, unit: 'ms', atMost: 50 },
    ...Object.entries(memory).map(([format, bytes]) => {
      return {
        label: `peak memory in addition to the frame, ${format}`,
        value: bytes / frameBytes,
        unit: '× the frame',
        atMost: 1,
      };
    }),
  ];
};
