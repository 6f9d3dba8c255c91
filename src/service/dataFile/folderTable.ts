import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadataAsync } from 'hyparquet';
import type { FileProvenance, FileTable, ReadFile } from '../../core/dataFile/fileTable.ts';
import { GridError } from '../../core/errors.ts';
import { assembleFrames } from '../../core/frame/assembleFrames.ts';
import { cellState, dictionaryOf, type Column, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { withDeadline } from '../files/regularFile.ts';
import { fileFailure, fileSource, type ByteSource } from './byteSource.ts';
import { readDataFile, type FileRequest } from './readDataFile.ts';

/** The maximum number of files and folders. */
const maxEntries = 10_000;
/** The value that query engines write for a null partition. */
const noValue = '__HIVE_DEFAULT_PARTITION__';

/**
 * Reads the Parquet files of a folder and its subfolders as one table, in the order of their paths. Folders such as `year=2024` become columns,
 * as in pyarrow, which are numeric if all values are numbers. Columns are joined by name; a file without a column has nulls there. Like query
 * engines, it ignores names that begin with a dot or an underscore. Throws a GridError.
 */
export async function folderTable(folder: string, options: FileRequest['options']): Promise<ReadFile> {
  const { files, others } = await listFolder(folder);
  if (files.length === 0) throw new GridError('folderWithoutParquet');
  const partitions = partitionsOf(files);
  const frames: Frame[] = [];
  const tables: Omit<FileTable, 'frame'>[] = [];
  const names = new Set<string>();
  let [rows, rowsOfFile] = [0, 0];
  const hasRoom = (): boolean => rows < Math.min(tableLimits.rows, tableLimits.joinedCells / Math.max(1, names.size));
  for (const [at, path] of files.entries()) {
    const source = await fileSource(join(folder, path));
    try {
      if (!hasRoom()) {
        rowsOfFile += await countRows(source);
        continue;
      }
      const read = await readDataFile(source, { name: path, options, sidecar: undefined }, () => undefined);
      if (read.kind !== 'table') return read;
      const { frame, ...table } = read.table;
      tables.push(table);
      rowsOfFile += table.rowsOfFile;
      if (!frame) continue;
      rows += frame.rowCount;
      frames.push(withPartitions(frame, partitions, at));
      for (const { name } of frames.at(-1)?.columns ?? []) names.add(name);
    } catch (error) {
      throw error instanceof GridError ? new GridError(error.reason, { ...error.facts, file: path }) : error;
    } finally {
      await source.close();
    }
  }
  const frame = joinRows(
    frames,
    Math.min(tableLimits.rows, Math.floor(tableLimits.joinedCells / Math.max(1, names.size))),
  );
  const texts = frame.columns.reduce((sum, column) => sum + (dictionaryOf(column)?.entries.length ?? 0), 0);
  if (texts > tableLimits.texts) throw new GridError('fileTooLarge');
  const listed = others.slice(0, 5).join(', ') + (others.length > 5 ? ' …' : '');
  const ofFolder = [
    `Parquet files read as one table: ${files.length}`,
    ...(others.length > 0 ? [`Other files of the folder, which are not read: ${listed}`] : []),
  ];
  return {
    kind: 'table',
    table: {
      frame,
      rowsOfFile,
      leftOut: [...new Set(tables.flatMap(({ leftOut }) => leftOut))],
      zone: tables.find(({ zone }) => zone)?.zone,
      provenance: commonProvenance(tables.map(({ provenance }) => provenance)),
      notes: [...ofFolder, ...new Set(tables.flatMap(({ notes }) => notes))],
      text: JSON.stringify({ files }, undefined, 2),
    },
  };
}

/** Lists the paths of Parquet files and of others, relative to the folder, with slashes. Links are not followed, since they may be circular. */
async function listFolder(folder: string): Promise<{ files: string[]; others: string[] }> {
  const [files, others]: [string[], string[]] = [[], []];
  let entries = 0;
  const visit = async (path: string): Promise<void> => {
    const found = await withDeadline(nodeFs.readdir(join(folder, path), { withFileTypes: true })).catch(
      (error: unknown) => {
        throw fileFailure(error);
      },
    );
    entries += found.length;
    if (entries > maxEntries) throw new GridError('fileTooLarge', { detail: 'more than 10,000 files' });
    for (const entry of found) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (/^[._]/.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(below);
      else if (entry.isFile() && /\.(?:parquet|parq|pqt?)$/i.test(entry.name)) files.push(below);
      else others.push(below);
    }
  };
  await visit('');
  const sort = (paths: string[]): string[] => paths.sort((a, b) => (a < b ? -1 : 1));
  return { files: sort(files), others: sort(others) };
}

/** The partition columns with their value in each file: null for a null partition, undefined for a file outside such a folder. */
type Partitions = ReadonlyMap<
  string,
  { readonly isNumber: boolean; readonly values: readonly (string | null | undefined)[] }
>;

function partitionsOf(files: readonly string[]): Partitions {
  const found = files.map(path => {
    const pairs = path
      .split('/')
      .slice(0, -1)
      .flatMap((part): [string, string | null][] => {
        const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(part) ?? [];
        return name === '' ? [] : [[decoded(name), value === noValue ? null : decoded(value)]];
      });
    return new Map(pairs);
  });
  const names = new Set(found.flatMap(values => [...values.keys()]));
  return new Map(
    Array.from(names, name => {
      const values = found.map(partition => partition.get(name));
      const known = values.filter(value => typeof value === 'string');
      return [name, { isNumber: known.length > 0 && known.every(value => /^-?\d{1,15}$/.test(value)), values }];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Adds the partition columns to the rows of a file. A column of the same name in the file takes precedence. */
function withPartitions({ rowCount, columns }: Frame, partitions: Partitions, file: number): Frame {
  const names = new Set(columns.map(({ name }) => name));
  const added = Array.from(partitions).flatMap(([name, { isNumber, values }]): Column[] => {
    const value = values[file];
    if (value === undefined || names.has(name)) return [];
    const base = { name, path: [name], ...(value === null && { gaps: new Uint8Array(rowCount).fill(cellState.null) }) };
    return isNumber
      ? [{ ...base, kind: 'number', values: new Float64Array(rowCount).fill(value === null ? NaN : Number(value)) }]
      : [{ ...base, kind: 'text', texts: { entries: [value ?? ''], codes: new Uint32Array(rowCount) } }];
  });
  return { rowCount, columns: [...columns, ...added] };
}

/** Concatenates the rows of all files, up to `maxRows`. */
function joinRows(frames: readonly Frame[], maxRows: number): Frame {
  let left = maxRows;
  const to = Uint32Array.from(frames, ({ rowCount }) => {
    const taken = Math.min(rowCount, left);
    left -= taken;
    return taken;
  });
  return assembleFrames(frames, { sources: Uint32Array.from(to.keys()), from: new Uint32Array(to.length), to });
}

async function countRows({ size, read }: ByteSource): Promise<number> {
  const file = { byteLength: size, slice: (start: number, end = size): ArrayBuffer => read(start, end).buffer };
  const { num_rows: count } = await parquetMetadataAsync(file).catch(() => ({ num_rows: 0n }));
  return Number(count);
}

/** Returns the provenance that all files share, for the range of all. A mark of Sample Data applies even if only some files have it. */
function commonProvenance(all: readonly (FileProvenance | undefined)[]): FileProvenance | undefined {
  const known = all.filter(one => one !== undefined);
  const [first] = known;
  const data = known.find(one => one.data !== undefined)?.data;
  if (!first || (known.length < all.length && data === undefined)) return undefined;
  const names = ['connection', 'service', 'dataset', 'interval', 'days', 'bins', 'timeZone'] as const;
  const common = names.filter(name => all.every(one => one?.[name] === first[name]));
  const [starts, ends] = [
    known.flatMap(({ start }) => start ?? []).sort(),
    known.flatMap(({ end }) => end ?? []).sort(),
  ];
  const [start, end] = [starts[0], ends.at(-1)];
  return {
    source: first.source,
    ...Object.fromEntries(common.map(name => [name, first[name]])),
    ...(data !== undefined && { data }),
    ...(start !== undefined && end !== undefined && starts.length === all.length && { start, end }),
  };
}
