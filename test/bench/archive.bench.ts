import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/host/systemPorts.ts';
import type { ArchivedResponse } from '../../src/service/archive/archive.ts';
import { mapConcurrently } from '../../src/service/archive/mapConcurrently.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import { FileArchive } from '../../src/service/archive/fileArchive.ts';
import type { Bench } from './bench.ts';
import { medianRatio, median } from './median.ts';
import type { Column, Frame } from '../../src/shared/frame.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

// Ten years of hours with 17 columns: one series in ten files, one for each year.
const rowCount = 87_600;
const hourMs = 3_600_000;
const start = Date.UTC(2015, 0, 1);
const range = { start, end: start + rowCount * hourMs };
const series = { source: 'https://api.example.test', dataset: 'hours', interval: '1h', params: {} };
const numbers = Array.from({ length: 15 }, (_, index) => `column_${index}_mw`);

function createTenYears(): ArchivedResponse {
  const columns: Column[] = [
    {
      name: 'ts',
      path: ['ts'],
      kind: 'time',
      values: Float64Array.from({ length: rowCount }, (_, row) => start + row * hourMs),
    },
    ...numbers.map((name, index): Column => ({
      name,
      path: [name],
      kind: 'number',
      values: Float64Array.from({ length: rowCount }, (_, row) => ((row * 7919 + index * 104_729) % 1_000_003) / 37),
      // Some columns have a few nulls, as in real data.
      ...(index % 5 === 0 && { gaps: Uint8Array.from({ length: rowCount }, (_, row) => (row % 97 === 0 ? 1 : 0)) }),
    })),
    { name: 'version', path: ['version'], kind: 'text', texts: { codes: new Uint32Array(rowCount), entries: ['v1'] } },
  ];
  return { frame: { rowCount, columns }, requestedAt: Date.UTC(2026, 0, 1), meta: { count: rowCount } };
}

const unsynced: StorageFs = {
  ...fsPromises,
  writeFile: async (file, data, options) => {
    await fsPromises.writeFile(file, data, { ...(options as object), flush: false });
  },
};

interface Task {
  readonly before?: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
}

/** Measures the milliseconds of each task, alternating between them so that other load affects all equally. */
async function measure<K extends string>(runs: number, tasks: Readonly<Record<K, Task>>): Promise<Record<K, number[]>> {
  const times = Object.fromEntries(Object.keys(tasks).map(name => [name, []])) as unknown as Record<K, number[]>;
  for (let run = 0; run < runs; run++)
    for (const name of Object.keys(tasks) as K[]) {
      await tasks[name].before?.();
      times[name].push(await timeAsync(tasks[name].run));
    }
  return times;
}

async function timeAsync(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await task();
  return performance.now() - startMs;
}

/** Returns tasks that write and read as many bytes in as many files without processing: the minimum cost of the format. */
function createPlainFileTasks(folder: string): Record<'write' | 'writeSynced' | 'read', Task> {
  const bytes = Buffer.alloc(1_296_000, 7);
  const files = Array.from({ length: 10 }, (_, index) => join(folder, `bare-${index}`));
  const write = (flush: boolean) => async (): Promise<unknown> => {
    await mapConcurrently(files, async file => fsPromises.writeFile(`${file}.tmp`, bytes, { flag: 'wx', flush }));
    return mapConcurrently(files, async file => fsPromises.rename(`${file}.tmp`, file));
  };
  const prepare = async (): Promise<void> => {
    for (const file of files) await fsPromises.rm(file, { force: true });
  };
  return {
    write: { before: prepare, run: write(false) },
    writeSynced: { before: prepare, run: write(true) },
    read: { run: async () => mapConcurrently(files, async file => fsPromises.readFile(file)) },
  };
}

/** Measures writing and reading ten years of hours, compared with plain files of the same size. */
export const bench: Bench = async () => {
  const folder = createTemporaryFolder();
  const deps = { folder, clock: systemClock, logger: console, maxBytes: () => 1e9 };
  const syncedArchive = new FileArchive(deps);
  const unsyncedArchive = new FileArchive({ ...deps, fs: unsynced });
  const response = createTenYears();
  const hour = { start: range.end - hourMs, end: range.end };
  const firstRead = await archiveAndRead(unsyncedArchive, response);
  const lastHour = { ...response, frame: (await unsyncedArchive.read(series, hourMs, hour)).frame };
  const write = (archive: FileArchive): Task => {
    return { before: async () => archive.clear(), run: async () => archive.merge(series, hourMs, range, response) };
  };
  const plainFiles = createPlainFileTasks(folder);
  const written = await measure(15, { ours: write(unsyncedArchive), bare: plainFiles.write });
  const writtenSynced = await measure(15, { ours: write(syncedArchive), bare: plainFiles.writeSynced });
  // These do not alternate, since the garbage of one could be collected while the other is measured.
  const { read } = await measure(41, { read: { run: async () => unsyncedArchive.read(series, hourMs, range) } });
  const { bareRead: plainRead } = await measure(41, { bareRead: plainFiles.read });
  const { oneHour } = await measure(15, {
    oneHour: { run: async () => syncedArchive.merge(series, hourMs, hour, lastHour) },
  });
  return [
    { label: '87,600 × 17 written', value: median(written.ours), unit: 'ms' },
    { label: '… plain files of the same size', value: median(written.bare), unit: 'ms' },
    { label: '… relative to plain files', value: medianRatio(written.ours, written.bare), unit: '×', atMost: 10 },
    { label: '87,600 × 17 written and synced', value: median(writtenSynced.ours), unit: 'ms' },
    { label: '… fastest run', value: Math.min(...writtenSynced.ours), unit: 'ms' },
    { label: '… plain files of the same size', value: median(writtenSynced.bare), unit: 'ms' },
    {
      label: '… relative to plain files',
      value: medianRatio(writtenSynced.ours, writtenSynced.bare),
      unit: '×',
      atMost: 5,
    },
    { label: '87,600 × 17 read', value: median(read), unit: 'ms' },
    { label: '… fastest run', value: Math.min(...read), unit: 'ms' },
    { label: '… first read in a process', value: firstRead, unit: 'ms' },
    { label: '… plain files of the same size', value: median(plainRead), unit: 'ms' },
    { label: '… relative to plain files', value: median(read) / median(plainRead), unit: '×', atMost: 14 },
    { label: 'one hour merged and synced', value: median(oneHour), unit: 'ms' },
  ];
};

/** Archives the response. Returns the milliseconds of the first read. */
async function archiveAndRead(archive: FileArchive, response: ArchivedResponse): Promise<number> {
  if (!(await archive.merge(series, hourMs, range, response))) throw new Error('The rows were not archived.');
  let read: Frame | undefined;
  const elapsedMs = await timeAsync(async () => (read = (await archive.read(series, hourMs, range)).frame));
  if (read?.rowCount !== rowCount) throw new Error(`${read?.rowCount} rows`);
  return elapsedMs;
}
