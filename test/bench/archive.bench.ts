import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/host/systemPorts.ts';
import type { ArchivedResponse } from '../../src/service/archive/archive.ts';
import { mapConcurrently } from '../../src/service/archive/mapConcurrently.ts';
import type { StorageFs } from '../../src/service/files/fileSystem.ts';
import { FileArchive } from '../../src/service/archive/fileArchive.ts';
import type { Bench } from './bench.ts';
import { against, median } from './median.ts';
import type { Column, Frame } from '../../src/shared/frame.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

// Ten years of hours, 17 columns: one series of 10 year files.
const rowCount = 87_600;
const hourMs = 3_600_000;
const start = Date.UTC(2015, 0, 1);
const span = { start, end: start + rowCount * hourMs };
const series = { source: 'https://api.example.test', dataset: 'hours', interval: '1h', params: {} };
const numbers = Array.from({ length: 15 }, (_, index) => `column_${index}_mw`);

function tenYears(): ArchivedResponse {
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
      // As in the real hours: a few columns have a null here and there.
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

interface Work {
  readonly before?: () => Promise<unknown>;
  readonly run: () => Promise<unknown>;
}

/** Milliseconds of each work, run by turns, so that what else the computer does slows all alike. */
async function measure<K extends string>(runs: number, works: Readonly<Record<K, Work>>): Promise<Record<K, number[]>> {
  const times = Object.fromEntries(Object.keys(works).map(name => [name, []])) as unknown as Record<K, number[]>;
  for (let run = 0; run < runs; run++)
    for (const name of Object.keys(works) as K[]) {
      await works[name].before?.();
      times[name].push(await timeOf(works[name].run));
    }
  return times;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The same bytes in as many files, with nothing done to them: what a file a year costs at least. */
function bareFiles(folder: string): Record<'write' | 'writeSynced' | 'read', Work> {
  const bytes = Buffer.alloc(1_296_000, 7);
  const files = Array.from({ length: 10 }, (_, index) => join(folder, `bare-${index}`));
  const write = (flush: boolean) => async (): Promise<unknown> => {
    await mapConcurrently(files, async file => fsPromises.writeFile(`${file}.tmp`, bytes, { flag: 'wx', flush }));
    return mapConcurrently(files, async file => fsPromises.rename(`${file}.tmp`, file));
  };
  const before = async (): Promise<void> => {
    for (const file of files) await fsPromises.rm(file, { force: true });
  };
  return {
    write: { before, run: write(false) },
    writeSynced: { before, run: write(true) },
    read: { run: async () => mapConcurrently(files, async file => fsPromises.readFile(file)) },
  };
}

/** Ten years of hours written and read, beside as many files with nothing of ours in them. */
export const bench: Bench = async () => {
  const folder = temporaryFolder();
  const deps = { folder, clock: systemClock, logger: console, maxBytes: () => 1e9 };
  const [synced, fast] = [new FileArchive(deps), new FileArchive({ ...deps, fs: unsynced })];
  const answer = tenYears();
  const hour = { start: span.end - hourMs, end: span.end };
  const firstRead = await keep(fast, answer);
  const lastHour = { ...answer, frame: (await fast.read(series, hourMs, hour)).frame };
  const write = (archive: FileArchive): Work => {
    return { before: async () => archive.clear(), run: async () => archive.merge(series, hourMs, span, answer) };
  };
  const bare = bareFiles(folder);
  const written = await measure(15, { ours: write(fast), bare: bare.write });
  const writtenSynced = await measure(15, { ours: write(synced), bare: bare.writeSynced });
  // Not by turns: what is left in memory by one would be cleared away in the other's time.
  const { read } = await measure(41, { read: { run: async () => fast.read(series, hourMs, span) } });
  const { bareRead } = await measure(41, { bareRead: bare.read });
  const { oneHour } = await measure(15, {
    oneHour: { run: async () => synced.merge(series, hourMs, hour, lastHour) },
  });
  return [
    { what: '87,600 × 17 written', value: median(written.ours), unit: 'ms' },
    { what: '… as many bare files', value: median(written.bare), unit: 'ms' },
    { what: '… against bare files', value: against(written.ours, written.bare), unit: '×', atMost: 10 },
    { what: '87,600 × 17 written and synced', value: median(writtenSynced.ours), unit: 'ms' },
    { what: '… the quickest time', value: Math.min(...writtenSynced.ours), unit: 'ms' },
    { what: '… as many bare files', value: median(writtenSynced.bare), unit: 'ms' },
    { what: '… against bare files', value: against(writtenSynced.ours, writtenSynced.bare), unit: '×', atMost: 5 },
    { what: '87,600 × 17 read', value: median(read), unit: 'ms' },
    { what: '… the quickest time', value: Math.min(...read), unit: 'ms' },
    { what: '… for the first time in a process', value: firstRead, unit: 'ms' },
    { what: '… as many bare files', value: median(bareRead), unit: 'ms' },
    { what: '… against bare files', value: median(read) / median(bareRead), unit: '×', atMost: 14 },
    { what: 'one hour merged and synced', value: median(oneHour), unit: 'ms' },
  ];
};

/** Keeps the answer, and says how long it takes to read it for the first time. */
async function keep(archive: FileArchive, answer: ArchivedResponse): Promise<number> {
  if (!(await archive.merge(series, hourMs, span, answer))) throw new Error('not kept');
  let read: Frame | undefined;
  const took = await timeOf(async () => (read = (await archive.read(series, hourMs, span)).frame));
  if (read?.rowCount !== rowCount) throw new Error(`${read?.rowCount} rows`);
  return took;
}
