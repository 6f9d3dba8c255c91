import { readdirSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { frameOf } from '../../../../src/core/decode/decode.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { SeriesKey } from '../../../../src/core/query/seriesKey.ts';
import type { ArchivedRange, ArchivedResponse } from '../../../../src/service/archive/archive.ts';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { FileArchive, type FileArchiveDeps } from '../../../../src/service/archive/fileArchive.ts';
import { getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { impatientClock } from '../../../support/realClock.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export const series: SeriesKey = { source: 'https://api.example.test', dataset: 'hours', interval: '1h', params: {} };

/** The tests kill no power supply: without syncing they are several times faster. */
export const unsyncedFs: StorageFs = {
  ...fsPromises,
  writeFile: async (file, data, options) => fsPromises.writeFile(file, data, { ...(options as object), flush: false }),
};

export type Faults = Map<keyof StorageFs, (path: string) => void | Promise<void>>;

/** A file system whose calls may be made to fail, or to do something first. */
export function faultyFs(disk: StorageFs = unsyncedFs): { fs: StorageFs; faults: Faults } {
  const faults: Faults = new Map();
  const names = Object.keys(disk) as (keyof StorageFs)[];
  const calls = names.map(name => [
    name,
    async (path: string, ...rest: unknown[]): Promise<unknown> => {
      await faults.get(name)?.(path);
      const call = disk[name] as unknown as (...all: unknown[]) => Promise<unknown>;
      return call(path, ...rest);
    },
  ]);
  return { fs: Object.fromEntries(calls) as StorageFs, faults };
}

export interface TestArchive {
  readonly archive: FileArchive;
  readonly folder: string;
  readonly troubles: string[];
  readonly logged: string[];
  /** Another window's archive in the same folder. */
  readonly another: (deps?: Partial<FileArchiveDeps>) => FileArchive;
}

export function testArchive(deps: Partial<FileArchiveDeps> = {}): TestArchive {
  const folder = join(temporaryFolder(), 'archive');
  const [troubles, logged]: [string[], string[]] = [[], []];
  const another = (other: Partial<FileArchiveDeps> = {}): FileArchive =>
    new FileArchive({
      // A lock that a test makes old is not renewed before somebody has seen it.
      folder,
      clock: impatientClock,
      maxBytes: () => 1e9,
      fs: unsyncedFs,
      staleMs: 30_000,
      logger: { warn: line => logged.push(line) },
      onError: trouble => troubles.push(trouble),
      ...deps,
      ...other,
    });
  return { archive: another(), folder, troubles, logged, another };
}

/** Gives each test of the suite that calls this an archive of its own, through `use`, over a file system with faults. */
export function faultyArchives(
  use: (archive: TestArchive) => void,
  disk?: StorageFs,
): { fs: StorageFs; faults: Faults } {
  const { fs, faults } = faultyFs(disk);
  let test: TestArchive;
  beforeEach(() => {
    test = testArchive({ fs });
    use(test);
  });
  afterEach(() => faults.clear());
  return { fs, faults };
}

/** The files of the only series, sorted. */
export function filesIn(folder: string): string[] {
  const [name] = readdirSync(folder);
  return name === undefined ? [] : readdirSync(join(folder, name)).sort();
}

export function fileIn(folder: string, file: string): string {
  return join(folder, readdirSync(folder)[0] ?? '', file);
}

/** An answer of one row an hour from `start`, with the given values. */
export function hourly(start: number, values: readonly unknown[], requestedAt = 1): ArchivedResponse {
  const records = values.map((mw, hour) => ({ ts: new Date(start + hour * hourMs).toISOString(), mw }));
  return { frame: frameOf(records), requestedAt, meta: { asked: requestedAt } };
}

export function keptRows({ frame }: ArchivedRange): unknown[] {
  return [...generateRecords(frame)];
}

/** The column `mw`, row by row. */
export function keptValues(kept: ArchivedRange): unknown[] {
  return keptRows(kept).map(row => (row as { mw?: unknown }).mw);
}

/** All that a frame says, so that two that say the same are equal, whatever lies under their gaps. */
export function saidBy(frame: Frame): unknown {
  return frame.columns.map(column => {
    const { name, path, kind } = column;
    const rows = Array.from({ length: frame.rowCount }, (_, row) => [
      getCellState(column, row),
      ...cellOf(column, row),
    ]);
    return { name, path, kind, hasReceived: kind === 'time' && column.received !== undefined, rows };
  });
}

function cellOf(column: Column, row: number): unknown[] {
  if (getCellState(column, row) !== 0) return [];
  switch (column.kind) {
    case 'time':
      return [column.values[row], column.received && getText(column.received, row)];
    case 'number':
    case 'boolean':
      return [column.values[row]];
    case 'text':
    case 'nested':
      return [getText(column.texts, row)];
  }
}
