import { readdirSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { SeriesKey } from '../../../../src/core/query/seriesKey.ts';
import type { ArchivedRange, ArchivedResponse } from '../../../../src/service/archive/archive.ts';
import type { StorageFs } from '../../../../src/service/files/fileSystem.ts';
import { FileArchive, type FileArchiveDeps } from '../../../../src/service/archive/fileArchive.ts';
import { getCellState, getText, type Column, type Frame } from '../../../../src/shared/frame.ts';
import { impatientClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export const series: SeriesKey = { source: 'https://api.example.test', dataset: 'hours', interval: '1h', params: {} };

/** A file system that does not sync written files to disk. This makes the tests several times faster. */
export const unsyncedFs: StorageFs = {
  ...fsPromises,
  writeFile: async (file, data, options) => fsPromises.writeFile(file, data, { ...(options as object), flush: false }),
};

/** Functions that run before the file-system method of the same name. They can throw. */
export type Faults = Map<keyof StorageFs, (path: string) => void | Promise<void>>;

/** Creates a file system whose methods fail or run a callback first, as set in `faults`. */
export function createFaultyFs(disk: StorageFs = unsyncedFs): { fs: StorageFs; faults: Faults } {
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
  readonly errors: string[];
  readonly logged: string[];
  /** Opens a second archive in the same folder, as in another window. */
  readonly openAnother: (deps?: Partial<FileArchiveDeps>) => FileArchive;
}

export function createTestArchive(deps: Partial<FileArchiveDeps> = {}): TestArchive {
  const folder = join(createTemporaryFolder(), 'archive');
  const errors: string[] = [];
  const logged: string[] = [];
  const openAnother = (overrides: Partial<FileArchiveDeps> = {}): FileArchive =>
    new FileArchive({
      folder,
      clock: impatientClock,
      maxBytes: () => 1e9,
      fs: unsyncedFs,
      // So long that a lock which a test has made stale is not renewed before it is checked.
      staleMs: 30_000,
      logger: { warn: line => logged.push(line) },
      onError: error => errors.push(error),
      ...deps,
      ...overrides,
    });
  return { archive: openAnother(), folder, errors, logged, openAnother };
}

/** Creates an archive on a file system with faults before each test of the suite, and passes it to `use`. */
export function useFaultyArchives(
  use: (archive: TestArchive) => void,
  disk?: StorageFs,
): { fs: StorageFs; faults: Faults } {
  const { fs, faults } = createFaultyFs(disk);
  let test: TestArchive;
  beforeEach(() => {
    test = createTestArchive({ fs });
    use(test);
  });
  afterEach(() => faults.clear());
  return { fs, faults };
}

/** Lists the files of the only series in the archive, sorted by name. */
export function listFiles(folder: string): string[] {
  const [name] = readdirSync(folder);
  return name === undefined ? [] : readdirSync(join(folder, name)).sort();
}

/** Returns the path of a file of the only series in the archive. */
export function getFilePath(folder: string, file: string): string {
  return join(folder, readdirSync(folder)[0] ?? '', file);
}

/** Creates a response with one row per hour from `start`, with the given values. */
export function createHourlyResponse(start: number, values: readonly unknown[], requestedAt = 1): ArchivedResponse {
  const records = values.map((mw, hour) => ({ ts: new Date(start + hour * hourMs).toISOString(), mw }));
  return { frame: recordsToFrame(records), requestedAt, meta: { requestedAt } };
}

export function listRows({ frame }: ArchivedRange): unknown[] {
  return [...generateRecords(frame)];
}

/** Lists the values of the column `mw`, row by row. */
export function listValues(archived: ArchivedRange): unknown[] {
  return listRows(archived).map(row => (row as { mw?: unknown }).mw);
}

/** Converts a frame to a value for `assert.deepEqual`. It ignores the values of empty cells. */
export function toComparable(frame: Frame): unknown {
  return frame.columns.map(column => {
    const { name, path, kind } = column;
    const rows = Array.from({ length: frame.rowCount }, (_, row) => [
      getCellState(column, row),
      ...getCell(column, row),
    ]);
    return { name, path, kind, hasReceived: kind === 'time' && column.received !== undefined, rows };
  });
}

function getCell(column: Column, row: number): unknown[] {
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
