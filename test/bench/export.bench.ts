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
import { against, median } from './median.ts';
import { longestDelay } from './threadTime.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

// Ten years of hours, 17 columns.
const rowCount = 87_600;
const hourMs = 3_600_000;
const start = Date.UTC(2015, 0, 1);
const frame = tenYears();
/** 15 columns of doubles, the instants, the codes of a text, and three columns of gaps. */
const frameBytes = rowCount * (15 * 8 + 8 + 4 + 3);

function tenYears(): Frame {
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

function optionsOf(format: ExportFormat): ExportOptions {
  const zone = { timeZone: 'UTC', label: 'UTC' };
  return { format, dialect: 'standard', times: 'utc', zone, heading: 'names', provenance: 'none' };
}

async function write(format: ExportFormat): Promise<number> {
  let bytes = 0;
  for await (const chunk of exportChunks(createTableToWrite({ frame }), optionsOf(format))) bytes += chunk.length;
  return bytes;
}

/** CPU milliseconds of each work, run by turns, so that what else the computer does slows all alike. */
async function measure<K extends string>(works: Readonly<Record<K, () => unknown>>): Promise<Record<K, number[]>> {
  const times = Object.fromEntries(Object.keys(works).map(name => [name, []])) as unknown as Record<K, number[]>;
  for (let run = 0; run < 9; run++)
    for (const name of Object.keys(works) as K[]) {
      const began = process.cpuUsage();
      await works[name]();
      const { user, system } = process.cpuUsage(began);
      times[name].push((user + system) / 1000);
    }
  return times;
}

/** The columns as the library takes them: a part of using it. */
function parquetColumns(): Parameters<typeof parquetWriteBuffer>[0]['columnData'] {
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

/** The same for Arrow. */
function arrowTable(): Table {
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

/** The most memory an export had beside the frame, in bytes. */
async function peakMemory(format: ExportFormat): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  let [peak, chunks] = [0, 0];
  for await (const chunk of exportChunks(createTableToWrite({ frame }), optionsOf(format)))
    if (chunk.length > 0 && chunks++ % 16 === 0) peak = Math.max(peak, used() - before);
  return peak;
}

/**
 * Parquet files of the same table, written here and by DuckDB, which holds it in memory: CPU milliseconds of all threads, and bytes. The time
 * is not bounded: DuckDB's is machine code, and half of ours goes into Snappy, of which Node has none of its own.
 */
async function besideDuckDb(): Promise<Figure[]> {
  const ask = await duckDb();
  if (!ask) return [];
  const folder = temporaryFolder();
  const [own, theirs] = [join(folder, 'own.parquet'), join(folder, 'duckdb.parquet')];
  const writeOwn = async (): Promise<void> => {
    const file = await open(own, 'w');
    for await (const chunk of exportChunks(createTableToWrite({ frame }), optionsOf('parquet')))
      await file.write(chunk);
    await file.close();
  };
  await writeOwn();
  await ask(`CREATE TABLE held AS FROM '${own}'`);
  const times = await measure({
    own: writeOwn,
    // The same compression as in our files.
    theirs: async () => ask(`COPY held TO '${theirs}' (FORMAT parquet, COMPRESSION snappy)`),
  });
  const [ownBytes, theirBytes] = [statSync(own).size, statSync(theirs).size];
  return [
    { what: 'Parquet into a file', value: median(times.own), unit: 'ms' },
    { what: "… against DuckDB's writer", value: against(times.own, times.theirs), unit: '×' },
    { what: '… bytes', value: ownBytes, unit: 'B' },
    { what: "… bytes against DuckDB's file", value: ownBytes / theirBytes, unit: '×', atMost: 1 },
  ];
}

/** Excel's file: CPU milliseconds, and the longest that anything else here had to wait. */
async function excel(): Promise<{ readonly cpu: number; readonly stall: number }> {
  const began = process.cpuUsage();
  await write('xlsx');
  const { user, system } = process.cpuUsage(began);
  return { cpu: (user + system) / 1000, stall: await longestDelay(async () => write('xlsx')) };
}

/** Ten years of hours written in each format, beside what JSON.stringify, the libraries and DuckDB need for the same rows. */
export const bench: Bench = async () => {
  const rows = [...generateRecords(frame)];
  const times = await measure({
    stringify: () => JSON.stringify(rows),
    csv: async () => write('csv'),
    json: async () => write('json'),
    parquetAlone: () => parquetWriteBuffer({ columnData: parquetColumns() }),
    parquet: async () => write('parquet'),
    arrowAlone: () => tableToIPC(arrowTable(), { format: 'file' }),
    arrow: async () => write('arrow'),
  });
  const { cpu, stall } = await excel();
  const memory = { csv: 0, json: 0, parquet: 0, arrow: 0, xlsx: 0 };
  for (const format of Object.keys(memory) as (keyof typeof memory)[]) memory[format] = await peakMemory(format);
  return [
    { what: 'JSON.stringify of 87,600 × 17', value: median(times.stringify), unit: 'ms' },
    { what: 'CSV', value: median(times.csv), unit: 'ms' },
    { what: '… against JSON.stringify', value: against(times.csv, times.stringify), unit: '×', atMost: 1 },
    { what: 'JSON records', value: median(times.json), unit: 'ms' },
    { what: 'Parquet', value: median(times.parquet), unit: 'ms' },
    { what: '… against its library alone', value: against(times.parquet, times.parquetAlone), unit: '×', atMost: 2 },
    ...(await besideDuckDb()),
    { what: 'Arrow', value: median(times.arrow), unit: 'ms' },
    { what: '… against its library alone', value: against(times.arrow, times.arrowAlone), unit: '×', atMost: 2 },
    { what: 'Excel, by all threads', value: cpu, unit: 'ms' },
    { what: '… longest wait of the rest', value: stall, unit: 'ms', atMost: 50 },
    ...Object.entries(memory).map(([format, bytes]) => {
      return {
        what: `most memory beside the frame, ${format}`,
        value: bytes / frameBytes,
        unit: '× the frame',
        atMost: 1,
      };
    }),
  ];
};
