import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTableToWrite } from '../../src/core/export/exportTable.ts';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { readFileInReader } from '../../src/service/dataFile/dataFileReader.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import type { Column } from '../../src/shared/frame.ts';
import type { Bench } from './bench.ts';

// A century of hours with 27 number columns.
const rowCount = 1_000_000;
const columnCount = 27;
/** The bytes of the number columns and the time column. */
const frameBytes = rowCount * 8 * (columnCount + 1);

/** Writes some 220 MB of Parquet that a dictionary cannot compress. */
async function writeFile(path: string): Promise<void> {
  const ts = Float64Array.from({ length: rowCount }, (_, row) => row * 3_600_000);
  const columns = Array.from({ length: columnCount }, (_, index): Column => {
    const name = `column_${index}_mw`;
    return { kind: 'number', name, path: [name], values: ts.map((_, row) => Math.sin(row * (index + 1)) * 10_000) };
  });
  const frame = { rowCount, columns: [{ kind: 'time' as const, name: 'ts', path: ['ts'], values: ts }, ...columns] };
  const zone = { timeZone: 'UTC', label: 'UTC' };
  const options = { dialect: 'standard', times: 'utc', zone, heading: 'names', provenance: 'none' } as const;
  const file = openSync(path, 'w');
  for await (const chunk of exportChunks(createTableToWrite({ frame }), { ...options, format: 'parquet' }))
    writeSync(file, chunk);
  closeSync(file);
}

/** Measures how soon the first rows of a 220 MB Parquet file arrive, and the time and memory to read it. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grid-data-files-'));
  try {
    const path = join(folder, 'century.parquet');
    await writeFile(path);
    const initialBytes = process.memoryUsage.rss();
    let peakBytes = initialBytes;
    let longestBlockMs = 0;
    let lastTick = performance.now();
    let headMs = 0;
    const ticker = setInterval(() => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      longestBlockMs = Math.max(longestBlockMs, performance.now() - lastTick);
      lastTick = performance.now();
    }, 2);
    const start = performance.now();
    const request = { name: 'century.parquet', options: {}, sidecar: undefined, location: { path } };
    await readFileInReader(new ReaderProcesses(), request, {
      signal: new AbortController().signal,
      onHead: () => (headMs = performance.now() - start),
    });
    const wholeMs = performance.now() - start;
    clearInterval(ticker);
    return [
      {
        label: `Parquet, ${Math.round(statSync(path).size / 1e6)} MB: first rows`,
        value: headMs,
        unit: 'ms',
        atMost: 2_000,
      },
      { label: 'all rows', value: wholeMs, unit: 'ms' },
      {
        label: 'memory for each byte of the columns',
        value: (peakBytes - initialBytes) / frameBytes,
        unit: 'bytes',
        atMost: 2.2,
      },
      { label: 'longest block of the host', value: longestBlockMs, unit: 'ms', atMost: 50 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
