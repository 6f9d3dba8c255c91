import { randomInt } from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { datasets } from '../../core/query/catalogue.ts';
import { hasInstantInEveryRow } from '../../core/frame/clip.ts';
import { parseStoredJson } from '../../core/json/json.ts';
import { describeFields } from '../../core/frame/describeFields.ts';
import { replaceByTime, sliceByTime, sortByTime } from '../../core/frame/frames.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { overlap, type Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';
import {
  type Archive,
  type ArchivedRange,
  type ArchivedResponse,
  type ArchiveError,
  ArchiveErrorReporter,
  completeRange,
} from './archive.ts';
import type { ArchiveContents, ArchivedSeries } from '../export/exportArchive.ts';
import { FolderLock } from '../files/fileLock.ts';
import { readRegularTextFile, ignoreUnexpectedFile } from '../files/regularFile.ts';
import { listNames, createRetryingFs, type StorageFs, ignoreMissing } from '../files/fileSystem.ts';
import { mapConcurrently } from './mapConcurrently.ts';
import { joinYears, getTimeColumnName } from './archivedYears.ts';
import { descriptionFile, yearFileExtension, SeriesFolder } from './seriesFolder.ts';
import { SizeLimit } from './sizeLimit.ts';
import type { Frame } from '../../shared/frame.ts';
import { emptyYear, type YearContent } from './yearFile.ts';
import { getFolderName, getUnitMs, listUnits, type Year, listYears } from './years.ts';

export interface FileArchiveDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the maximum size on disk in bytes; with 0 nothing new is stored. Called at each use. */
  readonly maxBytes: () => number;
  /** Called once for each kind of error. */
  readonly onError?: (error: ArchiveError) => void;
  readonly fs?: StorageFs;
  readonly random?: Random;
  /** The age after which the lock of a dead writer is ignored, in milliseconds; at least 2000. */
  readonly staleMs?: number;
}

/**
 * An archive in a folder of Arrow IPC files, one for each series and UTC year, which all windows share. A file is replaced as a whole, by one
 * writer at a time; readers never wait.
 */
export class FileArchive implements Archive, ArchiveContents {
  readonly #deps: FileArchiveDeps;
  readonly #fs: StorageFs;
  readonly #lock: FolderLock;
  readonly #errors: ArchiveErrorReporter;
  readonly #sizeLimit: SizeLimit;
  readonly #folders = new Map<string, SeriesFolder>();

  constructor(deps: FileArchiveDeps) {
    const { folder, clock, logger, fs = fsPromises, random = () => randomInt(1000) / 1000, staleMs = 5000 } = deps;
    this.#deps = deps;
    this.#fs = createRetryingFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
    this.#errors = new ArchiveErrorReporter(logger, error => deps.onError?.(error));
    this.#sizeLimit = new SizeLimit(folder, { fs: this.#fs, clock, lock: this.#lock });
  }

  async read(series: SeriesKey, intervalMs: number, span: Span): Promise<ArchivedRange> {
    const read = async (): Promise<ArchivedRange> => {
      const years = await this.#getSeriesFolder(series).read(listYears(span));
      return joinYears(years, intervalMs, span);
    };
    return (await this.#withErrorReport('read', read, undefined)) ?? joinYears([], intervalMs, span);
  }

  async merge(series: SeriesKey, intervalMs: number, requested: Span, response: ArchivedResponse): Promise<boolean> {
    const maxBytes = this.#deps.maxBytes();
    // Rows without an instant belong to no year.
    if (maxBytes <= 0 || !hasInstantInEveryRow(response.frame)) return false;
    const columns = response.frame.columns.length;
    const sizeProblem = getSizeProblem(columns, getUnitMs(intervalMs));
    if (sizeProblem !== undefined) {
      this.#deps.logger.warn(`archive: rows of ${columns} columns are not archived (${sizeProblem})`);
      return false;
    }
    const years = listYears(requested);
    const last = years.at(-1);
    if (!last) return true;
    // Other programs that read the file need the units.
    const fields = datasets.find(({ id }) => id === series.dataset)?.fields ?? new Map();
    const frame = sortByTime(response.frame);
    const sorted = { ...response, frame: describeFields(frame, fields) };
    const folder = this.#getSeriesFolder(series);
    const update = async (): Promise<number> =>
      folder.update(series, years, (year, archived) =>
        mergeYear(year, archived, getUnitMs(intervalMs), requested, sorted),
      );
    const grownBytes = await this.#withErrorReport('write', update, undefined);
    if (grownBytes === undefined) return false;
    const enforceLimit = async (): Promise<void> => this.#sizeLimit.enforce(maxBytes, grownBytes, folder.getFile(last));
    await this.#withErrorReport('remove old years', enforceLimit, undefined);
    return true;
  }

  async size(): Promise<number> {
    return this.#withErrorReport('count its size', async () => this.#sizeLimit.size(), 0);
  }

  /** Lists the archived series from the names of files, without reading rows. */
  async contents(): Promise<readonly ArchivedSeries[]> {
    const list = async (): Promise<ArchivedSeries[]> => {
      const contents = await mapConcurrently(await this.#sizeLimit.folders(), async folder =>
        readContents(this.#fs, folder),
      );
      return contents.filter(series => series !== undefined);
    };
    return this.#withErrorReport('list its series', list, []);
  }

  async clear(): Promise<void> {
    const clearAll = async (): Promise<void> => {
      for (const folder of await this.#sizeLimit.folders()) await this.#getFolder(folder).clear();
    };
    await this.#withErrorReport('clear', clearAll, undefined);
  }

  /** Runs the work. If it fails, reports the error and returns `fallback`. */
  async #withErrorReport<T>(work: string, run: () => Promise<T>, fallback: T): Promise<T> {
    try {
      return await run();
    } catch (error) {
      this.#errors.reportFailure(work, error);
      return fallback;
    }
  }

  #getSeriesFolder(series: SeriesKey): SeriesFolder {
    return this.#getFolder(join(this.#deps.folder, getFolderName(series)));
  }

  #getFolder(path: string): SeriesFolder {
    let folder = this.#folders.get(path);
    if (!folder) {
      const { clock } = this.#deps;
      folder = new SeriesFolder(path, { fs: this.#fs, clock, lock: this.#lock, errors: this.#errors });
      this.#folders.set(path, folder);
    }
    return folder;
  }
}

/** The maximum size of a series' description, far more than any needs. */
const maxDescriptionBytes = 100_000;

/** Lists the content of a series' folder; undefined if the folder has no valid description. */
async function readContents(fs: StorageFs, folder: string): Promise<ArchivedSeries | undefined> {
  const series = await readDescription(fs, folder);
  if (!series) return undefined;
  const years = (await listNames(fs, folder)).map(parseYearFile).filter(year => year !== undefined);
  let bytes = 0;
  for (const { name } of years)
    bytes += (await ignoreMissing(fs.stat(join(folder, name + yearFileExtension))))?.size ?? 0;
  return { series, years: years.sort((a, b) => a.start - b.start), bytes };
}

const descriptionSchema = v.object({
  source: v.string(),
  dataset: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
});

/** Reads the description of a series; undefined if it cannot be read or does not match the folder. */
async function readDescription(fs: StorageFs, folder: string): Promise<SeriesKey | undefined> {
  const file = join(folder, descriptionFile);
  const text = await ignoreUnexpectedFile(readRegularTextFile(file, maxDescriptionBytes, fs));
  const description = parseStoredJson(text ?? '', descriptionSchema);
  return description && getFolderName(description) === basename(folder) ? description : undefined;
}

function parseYearFile(file: string): Year | undefined {
  const name = basename(file, yearFileExtension);
  if (!file.endsWith(yearFileExtension) || !/^\d{4}$/.test(name)) return undefined;
  const start = Date.parse(`${name}-01-01T00:00:00Z`);
  return listYears({ start, end: start + 1 })[0];
}

/** The maximum number of columns of a file. */
const maxColumns = 200;
/** The maximum number of cells of a year: all columns for hours, 33 columns for five minutes. They fit into the maximum size of a file. */
const maxYearCells = 3_500_000;

/** Returns, for the log, why rows with so many columns are not archived; undefined if they are. */
function getSizeProblem(columns: number, unitMs: number): string | undefined {
  if (columns > maxColumns) return `more than ${maxColumns}`;
  return columns * ((366 * dayMs) / unitMs) > maxYearCells ? `more than ${maxYearCells} cells a year` : undefined;
}

/** Merges the response to a request for `requested` into a year. The response's rows must ascend by time. */
function mergeYear(
  year: Year,
  archived: YearContent | undefined,
  unitMs: number,
  requested: Span,
  response: ArchivedResponse,
): YearContent {
  const previousYear = archived && canMerge(archived, unitMs, response.frame) ? archived : emptyYear(year, unitMs);
  const requestedAt = previousYear.requestedAt.slice();
  const units = listUnits(year, unitMs);
  // A unit that is only partly in the range was not requested.
  const from = Math.max(units.first, Math.ceil(requested.start / unitMs)) - units.first;
  const to = Math.min(units.end, Math.floor(requested.end / unitMs)) - units.first;
  if (to > from) requestedAt.fill(response.requestedAt, from, to);
  const newRows = sliceByTime(response.frame, overlap(year, requested));
  const frame = replaceByTime(previousYear.frame, newRows, overlap(year, completeRange(response, requested)));
  const isNewest = response.requestedAt >= previousYear.metaRequestedAt;
  const meta = isNewest ? { meta: response.meta, metaRequestedAt: response.requestedAt } : {};
  return { ...previousYear, ...meta, frame, requestedAt };
}

/**
 * Whether new rows can be merged with the archived ones. Otherwise these are replaced: a time column with another name or another interval cannot
 * be merged, and field names that change too often would result in too many columns.
 */
function canMerge(archived: YearContent, unitMs: number, newRows: Frame): boolean {
  const archivedName = getTimeColumnName(archived.frame);
  const newName = getTimeColumnName(newRows);
  const isSameName = archivedName === undefined || newName === undefined || archivedName === newName;
  if (archived.unitMs !== unitMs || !isSameName) return false;
  const columns = new Set([...archived.frame.columns, ...newRows.columns].map(({ name }) => name)).size;
  return getSizeProblem(columns, unitMs) === undefined;
}
