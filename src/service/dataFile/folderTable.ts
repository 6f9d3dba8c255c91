import * as nodeFs from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadataAsync } from 'hyparquet';
import type { FileProvenance, FileTable, FileReadResult } from '../../core/dataFile/fileTable.ts';
import { GridError } from '../../core/errors.ts';
import { assembleFrames } from '../../core/frame/assembleFrames.ts';
import { cellState, dictionaryOf, type Column, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { withTimeout } from '../files/regularFile.ts';
import { toFileError, openFileSource, type ByteSource } from './byteSource.ts';
import { readDataFile, type FileRequest } from './readDataFile.ts';

/** The maximum number of files and folders. */
const maxEntries = 10_000;
/** The value that query engines write for a null partition. */
const nullPartition = '__HIVE_DEFAULT_PARTITION__';

/**
 * Reads the Parquet files of a folder and its subfolders as one table, in the order of their paths. Folders such as `year=2024` become columns,
 * as in pyarrow, which are numeric if all values are numbers. Columns are joined by name; a file without a column has nulls there. Like query
 * engines, it ignores names that begin with a dot or an underscore. Throws a GridError.
 */
export async function readFolderTable(folder: string, options: FileRequest['options']): Promise<FileReadResult> {
  const { files, otherFiles } = await listFolder(folder);
  if (files.length === 0) throw new GridError('folderWithoutParquet');
  const partitions = listPartitions(files);
  const frames: Frame[] = [];
  const tables: Omit<FileTable, 'frame'>[] = [];
  const columnNames = new Set<string>();
  let rows = 0;
  let fileRowCount = 0;
  const hasRoom = (): boolean =>
    rows < Math.min(tableLimits.rows, tableLimits.joinedCells / Math.max(1, columnNames.size));
  for (const [index, path] of files.entries()) {
    const source = await openFileSource(join(folder, path));
    try {
      if (!hasRoom()) {
        fileRowCount += await countRows(source);
        continue;
      }
      const fileResult = await readDataFile(source, { name: path, options, sidecar: undefined }, () => undefined);
      if (fileResult.kind !== 'table') return fileResult;
      const { frame, ...table } = fileResult.table;
      tables.push(table);
      fileRowCount += table.fileRowCount;
      if (!frame) continue;
      rows += frame.rowCount;
      frames.push(addPartitions(frame, partitions, index));
      for (const { name } of frames.at(-1)?.columns ?? []) columnNames.add(name);
    } catch (error) {
      throw error instanceof GridError ? new GridError(error.reason, { ...error.facts, file: path }) : error;
    } finally {
      await source.close();
    }
  }
  const frame = concatRows(
    frames,
    Math.min(tableLimits.rows, Math.floor(tableLimits.joinedCells / Math.max(1, columnNames.size))),
  );
  const texts = frame.columns.reduce((sum, column) => sum + (dictionaryOf(column)?.entries.length ?? 0), 0);
  if (texts > tableLimits.texts) throw new GridError('fileTooLarge');
  const otherNames = otherFiles.slice(0, 5).join(', ') + (otherFiles.length > 5 ? ' …' : '');
  const folderNotes = [
    `Parquet files read as one table: ${files.length}`,
    ...(otherFiles.length > 0 ? [`Other files of the folder, which are not read: ${otherNames}`] : []),
  ];
  return {
    kind: 'table',
    table: {
      frame,
      fileRowCount,
      omitted: [...new Set(tables.flatMap(({ omitted }) => omitted))],
      zone: tables.find(({ zone }) => zone)?.zone,
      provenance: joinProvenance(tables.map(({ provenance }) => provenance)),
      notes: [...folderNotes, ...new Set(tables.flatMap(({ notes }) => notes))],
      text: JSON.stringify({ files }, undefined, 2),
    },
  };
}

/** Lists the paths of Parquet files and of other files, relative to the folder, with slashes. Links are not followed, since they may be circular. */
async function listFolder(folder: string): Promise<{ files: string[]; otherFiles: string[] }> {
  const files: string[] = [];
  const otherFiles: string[] = [];
  let entries = 0;
  const visit = async (path: string): Promise<void> => {
    const children = await withTimeout(nodeFs.readdir(join(folder, path), { withFileTypes: true })).catch(
      (error: unknown) => {
        throw toFileError(error);
      },
    );
    entries += children.length;
    if (entries > maxEntries) throw new GridError('fileTooLarge', { detail: 'more than 10,000 files' });
    for (const entry of children) {
      const childPath = path === '' ? entry.name : `${path}/${entry.name}`;
      if (/^[._]/.test(entry.name)) continue;
      if (entry.isDirectory()) await visit(childPath);
      else if (entry.isFile() && /\.(?:parquet|parq|pqt?)$/i.test(entry.name)) files.push(childPath);
      else otherFiles.push(childPath);
    }
  };
  await visit('');
  const sort = (paths: string[]): string[] => paths.sort((a, b) => (a < b ? -1 : 1));
  return { files: sort(files), otherFiles: sort(otherFiles) };
}

/** The partition columns with their value in each file: null for a null partition, undefined for a file outside such a folder. */
type Partitions = ReadonlyMap<
  string,
  { readonly isNumber: boolean; readonly values: readonly (string | null | undefined)[] }
>;

function listPartitions(files: readonly string[]): Partitions {
  const fileValues = files.map(path => {
    const pairs = path
      .split('/')
      .slice(0, -1)
      .flatMap((part): [string, string | null][] => {
        const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(part) ?? [];
        return name === '' ? [] : [[decodePartition(name), value === nullPartition ? null : decodePartition(value)]];
      });
    return new Map(pairs);
  });
  const names = new Set(fileValues.flatMap(values => [...values.keys()]));
  return new Map(
    Array.from(names, name => {
      const values = fileValues.map(valuesByName => valuesByName.get(name));
      const texts = values.filter(value => typeof value === 'string');
      const isNumber = texts.length > 0 && texts.every(text => /^-?\d{1,15}$/.test(text));
      return [name, { isNumber, values }];
    }),
  );
}

function decodePartition(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Adds the partition columns to the rows of a file. A column of the same name in the file takes precedence. */
function addPartitions({ rowCount, columns }: Frame, partitions: Partitions, file: number): Frame {
  const columnNames = new Set(columns.map(({ name }) => name));
  const added = Array.from(partitions).flatMap(([name, { isNumber, values }]): Column[] => {
    const value = values[file];
    if (value === undefined || columnNames.has(name)) return [];
    const base = { name, path: [name], ...(value === null && { gaps: new Uint8Array(rowCount).fill(cellState.null) }) };
    return isNumber
      ? [{ ...base, kind: 'number', values: new Float64Array(rowCount).fill(value === null ? NaN : Number(value)) }]
      : [{ ...base, kind: 'text', texts: { entries: [value ?? ''], codes: new Uint32Array(rowCount) } }];
  });
  return { rowCount, columns: [...columns, ...added] };
}

/** Concatenates the rows of all files, up to `maxRows`. */
function concatRows(frames: readonly Frame[], maxRows: number): Frame {
  let remaining = maxRows;
  const rowCounts = Uint32Array.from(frames, ({ rowCount }) => {
    const count = Math.min(rowCount, remaining);
    remaining -= count;
    return count;
  });
  return assembleFrames(frames, {
    sources: Uint32Array.from(rowCounts.keys()),
    from: new Uint32Array(rowCounts.length),
    to: rowCounts,
  });
}

async function countRows({ size, read }: ByteSource): Promise<number> {
  const file = { byteLength: size, slice: (start: number, end = size): ArrayBuffer => read(start, end).buffer };
  const { num_rows: count } = await parquetMetadataAsync(file).catch(() => ({ num_rows: 0n }));
  return Number(count);
}

/** Returns the provenance that all files share, for the range of all files. A mark of Sample Data applies even if only some files have it. */
function joinProvenance(provenances: readonly (FileProvenance | undefined)[]): FileProvenance | undefined {
  const knownProvenances = provenances.filter(provenance => provenance !== undefined);
  const [first] = knownProvenances;
  const data = knownProvenances.find(provenance => provenance.data !== undefined)?.data;
  if (!first || (knownProvenances.length < provenances.length && data === undefined)) return undefined;
  const facts = ['connection', 'service', 'dataset', 'interval', 'days', 'bins', 'timeZone'] as const;
  const common = facts.filter(name => provenances.every(provenance => provenance?.[name] === first[name]));
  const starts = knownProvenances.flatMap(provenance => provenance.start ?? []).sort();
  const ends = knownProvenances.flatMap(provenance => provenance.end ?? []).sort();
  const start = starts[0];
  const end = ends.at(-1);
  return {
    source: first.source,
    ...Object.fromEntries(common.map(name => [name, first[name]])),
    ...(data !== undefined && { data }),
    ...(start !== undefined && end !== undefined && starts.length === provenances.length && { start, end }),
  };
}
