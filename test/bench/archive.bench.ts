import { mkdtempSync, rmSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/host/systemPorts.ts';
import type { KeptAnswer } from '../../src/service/archive.ts';
import { mapSeveral, type ArchiveFs } from '../../src/service/archive/archiveFs.ts';
import { FileArchive } from '../../src/service/archive/fileArchive.ts';
import type { Bench } from './bench.ts';
import type { Column } from '../../src/shared/frame.ts';

// Ten years of hours, 17 columns: one series of 120 month files.
const rowCount = 87_600;
const hourMs = 3_600_000;
const start = Date.UTC(2015, 0, 1);
const span = { start, end: start + rowCount * hourMs };
const series = { source: 'https://api.example.test', dataset: 'hours', interval: '1h', params: {} };
const numbers = Array.from({ length: 15 }, (_, index) => `column_${index}_mw`);

function tenYears(): KeptAnswer {
  const columns: Column[] = [
    {
      name: 'ts',
      path: ['ts'],
      kind: 'time',
      values: Float64Array.from({ length: rowCount }, (_, row) => start + row * hourMs),
    },
    ...numbers.map((name, index): Column => ({
      ...{ name, path: [name], kind: 'number' },
      values: Float64Array.from({ length: rowCount }, (_, row) => ((row * 7919 + index * 104_729) % 1_000_003) / 37),
      // As in the real hours: a few columns have a null here and there.
      ...(index % 5 === 0 && { gaps: Uint8Array.from({ length: rowCount }, (_, row) => (row % 97 === 0 ? 1 : 0)) }),
    })),
    { name: 'version', path: ['version'], kind: 'text', texts: { codes: new Uint32Array(rowCount), entries: ['v1'] } },
  ];
  return { frame: { rowCount, columns }, askedAt: Date.UTC(2026, 0, 1), meta: { count: rowCount } };
}

const unsynced: ArchiveFs = {
  ...fsPromises,
  writeFile: async (file, data, options) => {
    await fsPromises.writeFile(file, data, { ...(options as object), flush: false });
  },
};

interface Time {
  readonly median: number;
  readonly best: number;
}

async function measure(runs: number, before: () => Promise<unknown>, work: () => Promise<unknown>): Promise<Time> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await before();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: times[runs >> 1] ?? NaN, best: times[0] ?? NaN };
}

/** What the disk takes for the same bytes in as many files, with nothing done to them: the floor of this layout. */
async function bareFiles(folder: string): Promise<{ write: Time; read: Time }> {
  const bytes = Buffer.alloc(106_000, 7);
  const files = Array.from({ length: 120 }, (_, index) => join(folder, `bare-${index}`));
  const write = async (file: string): Promise<void> => {
    await fsPromises.writeFile(`${file}.tmp`, bytes, { flag: 'wx' });
    await fsPromises.rename(`${file}.tmp`, file);
  };
  const remove = async (): Promise<void> => {
    for (const file of files) await fsPromises.rm(file, { force: true });
  };
  return {
    write: await measure(15, remove, async () => mapSeveral(files, write)),
    read: await measure(
      25,
      async () => Promise.resolve(),
      async () => mapSeveral(files, async file => fsPromises.readFile(file)),
    ),
  };
}

/** Ten years of hours written and read, beside as many files with nothing of ours in them: what a month a file costs at least. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grid-data-bench-'));
  const deps = { folder, clock: systemClock, logger: console, maxBytes: () => 1e9 };
  const [synced, fast] = [new FileArchive(deps), new FileArchive({ ...deps, fs: unsynced })];
  const answer = tenYears();
  const hour = { start: span.end - hourMs, end: span.end };
  const lastHour = { ...answer, frame: (await keep(fast, answer)).frame };
  const none = async (): Promise<void> => Promise.resolve();
  const write = (archive: FileArchive) => async () => archive.merge(series, hourMs, span, answer);
  const bare = await bareFiles(folder);
  const written = await measure(15, () => fast.clear(), write(fast));
  const writtenSynced = await measure(9, () => synced.clear(), write(synced));
  const read = await measure(25, none, () => fast.read(series, hourMs, span));
  const oneHour = await measure(15, none, () => synced.merge(series, hourMs, hour, lastHour));
  rmSync(folder, { recursive: true });
  return [
    { what: '87,600 × 17 written', value: written.median, unit: 'ms' },
    { what: '… and synced to the disk', value: writtenSynced.median, unit: 'ms' },
    { what: '… as many bare files written', value: bare.write.median, unit: 'ms' },
    { what: 'written, against bare files', value: written.median / bare.write.median, unit: '×', atMost: 5 },
    { what: '87,600 × 17 read', value: read.median, unit: 'ms' },
    { what: '… as many bare files read', value: bare.read.median, unit: 'ms' },
    { what: 'one hour merged and synced', value: oneHour.median, unit: 'ms' },
  ];
};

/** Keeps the answer and reads its last hour. */
async function keep(archive: FileArchive, answer: KeptAnswer): ReturnType<FileArchive['read']> {
  if (!(await archive.merge(series, hourMs, span, answer))) throw new Error('not kept');
  const all = await archive.read(series, hourMs, span);
  if (all.frame.rowCount !== rowCount) throw new Error(`${all.frame.rowCount} rows`);
  return archive.read(series, hourMs, { start: span.end - hourMs, end: span.end });
}
