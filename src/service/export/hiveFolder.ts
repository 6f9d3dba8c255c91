import { createHash } from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { findTimeColumn, takeRows } from '../../core/frame/clip.ts';
import { createPartProvenance, formatProvenanceTitle, type Origin } from '../../core/export/exportProvenance.ts';
import { ZoneOffsets } from '../../core/time/zoneOffsets.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { uniqueName, createTableToWrite } from '../../core/export/exportTable.ts';
import { sortByTime, mergeByTime } from '../../core/frame/frames.ts';
import { getSeriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { formatMarkSentence, parseMark } from '../../core/query/serviceMeta.ts';
import type { DataFile } from '../../core/snippets/dataFile.ts';
import { tableStatements } from '../../core/snippets/tableStatements.ts';
import { describeExportedData } from '../../core/snippets/exportedData.ts';
import type { ExportOptions } from '../../shared/exportOptions.ts';
import { cellState, type ColumnKind, type Frame } from '../../shared/frame.ts';
import { exportChunks } from './exporter.ts';
import { readRegularTextFile } from '../files/regularFile.ts';
import { createRetryingFs } from '../files/fileSystem.ts';
import { PendingFiles, type ExportFs, type WriteDeps } from './writeExport.ts';
import { utc } from '../../core/time/zone.ts';

/** Rows of a series. The same series may be passed again with other rows. */
export interface HiveSeries extends SeriesKey {
  readonly frame: Frame;
  readonly origins?: readonly Origin[] | undefined;
}

interface WriteHiveOptions extends WriteDeps {
  readonly folder: string;
  readonly series: Iterable<HiveSeries> | AsyncIterable<HiveSeries>;
  /** Called with the number of files written so far. */
  readonly onProgress?: ((files: number) => void) | undefined;
}

/** The path of the rows of a dataset and interval, and their main columns. `path` is relative to the folder, with slashes. */
export interface PartitionPath
  extends Pick<SeriesKey, 'dataset' | 'interval' | 'params'>, Pick<DataFile, 'timeColumn' | 'valueColumn' | 'sample'> {
  readonly path: string;
}

export interface HiveOutcome {
  readonly files: number;
  readonly rows: number;
  readonly bytes: number;
  /** The written tables, in the order of writing. */
  readonly tables: readonly PartitionPath[];
}

const partFile = /^part-[0-9a-f]{16}\.parquet$/;
/** Query engines ignore names that begin with an underscore. */
const getMarkFile = (mark: string): string => `_${mark}.txt`;
/** The maximum size of the file that lists samples, several times the size of a line for each series. */
const maxMarkBytes = 1_000_000;
/** The value in a folder's name that query engines read as null. */
const nullPartition = '__HIVE_DEFAULT_PARTITION__';
const partitionNames: ReadonlySet<string> = new Set(['dataset', 'interval', 'year', 'month']);

/**
 * Writes `dataset=…/interval=…/year=YYYY/month=MM/part-….parquet` below the folder (months of UTC, days of a zone in months of that
 * zone). The parameters of a series follow the dataset (`gridStress?components=true`), since they change its rows. A file is named after its
 * series, so that writing the same month again replaces it. Writes all files or none. Throws the errors of `writeExport`.
 */
export async function writeHive({ folder, series, onProgress, ...deps }: WriteHiveOptions): Promise<HiveOutcome> {
  const merged = new Map<string, HiveSeries>();
  for await (const item of series) {
    const key = getSeriesIdentity(item);
    const previous = merged.get(key);
    merged.set(key, previous ? joinSeries(previous, item) : item);
  }
  return writeToHive(folder, deps, async hive => {
    for (const item of merged.values())
      await hive.write(item, removeEmptyColumns(item.frame), item.origins ?? [], onProgress);
  });
}

function joinSeries(previous: HiveSeries, item: HiveSeries): HiveSeries {
  const origins = [...(previous.origins ?? []), ...(item.origins ?? [])];
  return { ...item, frame: mergeByTime(previous.frame, item.frame), origins };
}

/** Runs the work with a folder to write to. Its files are renamed to their final names at the end, or removed after an error. */
export async function writeToHive(
  folder: string,
  deps: WriteDeps,
  work: (hive: HiveFolder) => Promise<void>,
): Promise<HiveOutcome> {
  const files = new PendingFiles(deps);
  const hive = new HiveFolder(folder, files, deps);
  try {
    await work(hive);
    await hive.writeSampleLists();
    await hive.writeTableStatements();
    await files.commit();
    return hive.outcome;
  } finally {
    await files.discard();
  }
}

/** Thrown if hours of two services would be mixed in one table and count twice. `folder`: the folder of the table. */
export class MixedServicesError extends Error {
  readonly folder: string;

  constructor(folder: string) {
    super(`hours of another service are in ${folder}`);
    this.folder = folder;
  }
}

/** Writes months of series to their partitions in the folder. */
class HiveFolder {
  readonly #folder: string;
  readonly #files: PendingFiles;
  readonly #signal: AbortSignal | undefined;
  readonly #fs: Pick<ExportFs, 'open' | 'readdir'>;
  /** The file name in each table's folder. */
  readonly #names = new Map<string, string>();
  /** A line for each series of Sample Data, with its mark. */
  readonly #sampleLines: (readonly [mark: string, line: string])[] = [];
  /** The columns of each table, by its path. */
  readonly #columns = new Map<string, Map<string, ColumnKind>>();
  readonly #renames = new Map<string, Map<string, string>>();
  outcome: HiveOutcome = { files: 0, rows: 0, bytes: 0, tables: [] };

  constructor(folder: string, files: PendingFiles, { clock, signal, fs = fsPromises }: WriteDeps) {
    this.#folder = folder;
    this.#files = files;
    this.#signal = signal;
    this.#fs = createRetryingFs<Pick<ExportFs, 'open' | 'readdir'>>(fs, clock);
  }

  /** Throws a MixedServicesError if the table has, or will get, files of another series. */
  async #throwIfMixed(tableFolder: string, name: string): Promise<void> {
    const currentName = this.#names.get(tableFolder);
    if (currentName === name) return;
    if (currentName !== undefined) throw new MixedServicesError(tableFolder);
    this.#names.set(tableFolder, name);
    const existing = await this.#fs.readdir(tableFolder, { recursive: true }).catch((): string[] => []);
    const files = existing.map(path => basename(path)).filter(file => partFile.test(file));
    if (files.some(file => file !== name)) throw new MixedServicesError(tableFolder);
  }

  /** Writes rows of a series. Must be called once for each month: a second call would replace the rows of the first. */
  async write(
    series: SeriesKey,
    frame: Frame,
    origins: readonly Origin[] = [],
    onProgress?: (files: number) => void,
  ): Promise<void> {
    const tableFolder = join(this.#folder, ...listPartitions(series));
    const name = `part-${createHash('sha256').update(getSeriesIdentity(series)).digest('hex').slice(0, 16)}.parquet`;
    if (frame.rowCount === 0) return;
    const renames = this.#renames.get(tableFolder) ?? new Map<string, string>();
    this.#renames.set(tableFolder, renames);
    const sorted = renameColumns(sortByTime(frame), renames);
    await this.#throwIfMixed(tableFolder, name);
    this.#addTable(series, sorted, origins.find(({ provenance }) => provenance.data)?.provenance.data);
    for (const { provenance } of origins)
      if (provenance.data !== undefined) {
        const line = [...listPartitions(series), formatProvenanceTitle(provenance)].join(' · ');
        this.#sampleLines.push([parseMark(provenance.data), line]);
      }
    const offsets = getZoneOffsets(sorted);
    for (const [month, rows] of groupByMonth(sorted, offsets)) {
      const folder = join(tableFolder, ...month.split('/'));
      await this.#files.createFolder(folder);
      const counts = { rows: rows.length, rowsOfAll: sorted.rowCount, month: getMonthRange(month, offsets) };
      const fileProvenance = createPartProvenance(origins, counts);
      const chunks = exportChunks(createTableToWrite({ frame: takeRows(sorted, rows) }), parquet, fileProvenance, {
        signal: this.#signal,
      });
      const bytes = await this.#files.write(join(folder, name), chunks);
      const { outcome } = this;
      this.outcome = {
        ...outcome,
        files: outcome.files + 1,
        rows: outcome.rows + rows.length,
        bytes: outcome.bytes + bytes,
      };
      onProgress?.(this.outcome.files);
    }
  }

  /** Writes a text file that lists the tables with Sample Data, since the metadata of each file is easily missed. */
  async writeSampleLists(): Promise<void> {
    for (const [mark, newLines] of Map.groupBy(this.#sampleLines, ([lineMark]) => lineMark)) {
      const file = join(this.#folder, getMarkFile(mark));
      // Earlier exports may have listed other tables.
      const earlierLines = (await readRegularTextFile(file, maxMarkBytes, this.#fs).catch(() => '')).split(/\r?\n/);
      const lines = new Set([...earlierLines, ...newLines.map(([, line]) => line)].filter(line => line !== ''));
      await this.#files.createFolder(this.#folder);
      await this.#files.write(file, [Buffer.from(`${[...lines].join('\n')}\n`)]);
    }
  }

  /** Writes the SQL that defines each table, for each engine. */
  async writeTableStatements(): Promise<void> {
    for (const [path, columns] of this.#columns) {
      const name = path.replace(/^dataset=|interval=/g, '').replace(/(?:%..|\W)+/g, '_');
      const table = { path: resolve(this.#folder, path).replaceAll('\\', '/'), name, columns };
      for (const [engine, write] of Object.entries(tableStatements))
        await this.#files.write(join(this.#folder, `_${name}.${engine}.sql`), [Buffer.from(write(table))]);
    }
  }

  #addTable(series: SeriesKey, frame: Frame, data: string | undefined): void {
    const { dataset, interval, params } = series;
    const path = listPartitions(series).join('/');
    const columns = this.#columns.get(path) ?? new Map<string, ColumnKind>();
    this.#columns.set(path, columns);
    for (const { name, kind } of frame.columns) columns.set(name, kind);
    const { tables } = this.outcome;
    if (tables.some(table => table.path === path)) return;
    const { timeColumn, valueColumn } = describeExportedData(createTableToWrite({ frame }), parquet) ?? {};
    this.outcome = {
      ...this.outcome,
      tables: [
        ...tables,
        { dataset, interval, params, path, timeColumn, valueColumn, ...(data && { sample: formatMarkSentence(data) }) },
      ],
    };
  }
}

const parquet: ExportOptions = {
  format: 'parquet',
  dialect: 'standard',
  times: 'utc',
  zone: utc,
  heading: 'names',
  provenance: 'none',
};

function listPartitions({ dataset, interval, params }: SeriesKey): string[] {
  const pairs = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  const paramText = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  return [
    `dataset=${escapePartition(paramText ? `${dataset}?${paramText}` : dataset)}`,
    `interval=${escapePartition(interval)}`,
  ];
}

/** Escapes a partition value in the way of query engines, including all characters that a file system may reject. */
function escapePartition(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*~]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Removes columns that have no value and therefore no type: engines reject a table whose months have different types. */
export function removeEmptyColumns(frame: Frame): Frame {
  const isEmpty = (gaps: Uint8Array | undefined): boolean => gaps?.every(state => state !== cellState.value) ?? false;
  return { ...frame, columns: frame.columns.filter(({ kind, gaps }) => kind !== 'text' || !isEmpty(gaps)) };
}

/**
 * Renames columns whose names differ only in case from a partition or from another column of any month: engines cannot tell them apart.
 * `names`: the renames so far.
 */
function renameColumns(frame: Frame, names: Map<string, string>): Frame {
  const usedNames = new Set([...partitionNames, ...names.values()].map(name => name.toLowerCase()));
  const caseInsensitiveNames = { has: (name: string) => usedNames.has(name.toLowerCase()) };
  const columns = frame.columns.map(column => {
    const name = names.get(column.name) ?? uniqueName(column.name, caseInsensitiveNames);
    names.set(column.name, name);
    usedNames.add(name.toLowerCase());
    return { ...column, name };
  });
  return { ...frame, columns };
}

/** Returns the offsets of the zone of rows that are days or other bins; undefined for other rows. */
function getZoneOffsets(frame: Frame): ZoneOffsets | undefined {
  const { bins } = findTimeColumn(frame) ?? {};
  return bins && new ZoneOffsets(bins.timeZone);
}

/** Groups the rows by "year=…/month=…". */
function groupByMonth(frame: Frame, offsets: ZoneOffsets | undefined): Map<string, Uint32Array> {
  const time = findTimeColumn(frame);
  const rows = Map.groupBy(new Array(frame.rowCount).keys(), row => {
    const hasInstant = time && (time.gaps?.[row] ?? cellState.value) === cellState.value;
    const instant = hasInstant ? (time.values[row] ?? NaN) : NaN;
    return formatMonth(instant + (offsets?.at(instant) ?? 0));
  });
  return new Map(Array.from(rows, ([month, monthRows]) => [month, Uint32Array.from(monthRows)]));
}

/** Returns the range of a month's folder; undefined for rows without an instant. */
function getMonthRange(month: string, offsets: ZoneOffsets | undefined): Span | undefined {
  const [, year = '', number = ''] = /^year=(\d+)\/month=(\d+)$/.exec(month) ?? [];
  if (year === '') return undefined;
  const monthStart = (index: number): number => {
    const localTime = Date.UTC(Number(year), index);
    return offsets?.firstInstantFrom(localTime) ?? localTime;
  };
  return { start: monthStart(Number(number) - 1), end: monthStart(Number(number)) };
}

function formatMonth(instant: number): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return `year=${nullPartition}/month=${nullPartition}`;
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + 1;
  return `year=${String(year).padStart(4, '0')}/month=${String(month).padStart(2, '0')}`;
}
