import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTableToWrite } from '../../src/core/export/exportTable.ts';
import { ReaderProcesses } from '../../src/service/reader/readerProcess.ts';
import { readFileInReader } from '../../src/service/dataFile/dataFileReader.ts';
import { exportChunks } from '../../src/service/export/exporter.ts';
import type { Column } from '../../src/shared/frame.ts';
import type { Bench } from './bench.ts';

// A century of hours, 27 columns of numbers.
const rowCount = 1_000_000;
const columnCount = 27;
/** Doubles and the instants. */
const frameBytes = rowCount * 8 * (columnCount + 1);

/** Writes some 220 MB of Parquet, which no dictionary makes shorter. */
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

/** How soon a Parquet file of 220 MB is shown, and what its reading takes. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grid-data-files-'));
  try {
    const path = join(folder, 'century.parquet');
    await writeFile(path);
    const before = process.memoryUsage.rss();
    let [most, longest, last, headMs] = [before, 0, performance.now(), 0];
    const ticks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 2);
    const start = performance.now();
    const request = { name: 'century.parquet', options: {}, sidecar: undefined, start: { path } };
    await readFileInReader(new ReaderProcesses(), request, {
      signal: new AbortController().signal,
      onHead: () => (headMs = performance.now() - start),
    });
    const wholeMs = performance.now() - start;
    clearInterval(ticks);
    return [
      {
        what: `Parquet, ${Math.round(statSync(path).size / 1e6)} MB: first rows`,
        value: headMs,
        unit: 'ms',
        atMost: 2_000,
      },
      { what: 'all rows', value: wholeMs, unit: 'ms' },
      { what: 'memory for each byte of the columns', value: (most - before) / frameBytes, unit: 'bytes', atMost: 2.2 },
      { what: 'longest block of the host', value: longest, unit: 'ms', atMost: 50 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
