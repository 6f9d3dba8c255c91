import { randomInt } from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { datasets } from '../../core/query/catalogue.ts';
import { hasAllInstants } from '../../core/frame/clip.ts';
import { readableJson } from '../../core/json/json.ts';
import { describeFields } from '../../core/frame/describeFields.ts';
import { replaceByTime, rowsWithin, sortByTime } from '../../core/frame/frames.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import { overlap, type Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';
import {
  type Archive,
  type Archived,
  type ArchivedAnswer,
  type ArchiveError,
  ArchiveErrorReporter,
  replacedBy,
} from './archive.ts';
import type { ArchiveContents, ArchivedSeries } from '../export/exportArchive.ts';
import { FolderLock } from '../files/fileLock.ts';
import { readRegularText, unlessForeign } from '../files/regularFile.ts';
import { namesIn, patientFs, type StorageFs, unlessGone } from '../files/fileSystem.ts';
import { mapSeveral } from './mapSeveral.ts';
import { joinYears, timeNameOf } from './archivedYears.ts';
import { aboutFile, ending, SeriesFolder } from './seriesFolder.ts';
import { SizeCap } from './sizeCap.ts';
import type { Frame } from '../../shared/frame.ts';
import { emptyYear, type YearContent } from './yearFile.ts';
import { seriesName, fileUnitOf, unitsIn, type Year, yearsIn } from './years.ts';

export interface FileArchiveDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the maximum size on disk in bytes; with 0 nothing new is stored. Called at each use. */
  readonly maxBytes: () => number;
  /** Called once for each kind of error. */
  readonly onTrouble?: (trouble: ArchiveError) => void;
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
  readonly #trouble: ArchiveErrorReporter;
  readonly #cap: SizeCap;
  readonly #folders = new Map<string, SeriesFolder>();

  constructor(deps: FileArchiveDeps) {
    const { folder, clock, logger, fs = fsPromises, random = () => randomInt(1000) / 1000, staleMs = 5000 } = deps;
    this.#deps = deps;
    this.#fs = patientFs(fs, clock);
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
    this.#trouble = new ArchiveErrorReporter(logger, trouble => deps.onTrouble?.(trouble));
    this.#cap = new SizeCap(folder, { fs: this.#fs, clock, lock: this.#lock });
  }

  async read(series: SeriesKey, stepMs: number, span: Span): Promise<Archived> {
    const read = async (): Promise<Archived> => {
      const years = await this.#folderOf(series).read(yearsIn(span));
      return joinYears(years, stepMs, span);
    };
    return (await this.#reporting('read', read, undefined)) ?? joinYears([], stepMs, span);
  }

  async merge(series: SeriesKey, stepMs: number, asked: Span, answer: ArchivedAnswer): Promise<boolean> {
    const maxBytes = this.#deps.maxBytes();
    // Rows without an instant belong to no year.
    if (maxBytes <= 0 || !hasAllInstants(answer.frame)) return false;
    const columns = answer.frame.columns.length;
    const tooLarge = whyTooLarge(columns, fileUnitOf(stepMs));
    if (tooLarge !== undefined) {
      this.#deps.logger.warn(`archive: rows of ${columns} columns are not archived (${tooLarge})`);
      return false;
    }
    const years = yearsIn(asked);
    const last = years.at(-1);
    if (!last) return true;
    // Other programs that read the file need the units.
    const fields = datasets.find(({ id }) => id === series.dataset)?.fields ?? new Map();
    const frame = sortByTime(answer.frame);
    const sorted = { ...answer, frame: describeFields(frame, fields) };
    const folder = this.#folderOf(series);
    const update = async (): Promise<number> =>
      folder.update(series, years, (year, before) => mergeYear(year, before, fileUnitOf(stepMs), asked, sorted));
    const grown = await this.#reporting('write', update, undefined);
    if (grown === undefined) return false;
    const limit = async (): Promise<void> => this.#cap.keepBelow(maxBytes, grown, folder.fileOf(last));
    await this.#reporting('remove old years', limit, undefined);
    return true;
  }

  async size(): Promise<number> {
    return this.#reporting('count its size', async () => this.#cap.size(), 0);
  }

  /** Lists the archived series from the names of files, without reading rows. */
  async contents(): Promise<readonly ArchivedSeries[]> {
    const list = async (): Promise<ArchivedSeries[]> => {
      const found = await mapSeveral(await this.#cap.folders(), async folder => contentsOf(this.#fs, folder));
      return found.filter(contents => contents !== undefined);
    };
    return this.#reporting('list its series', list, []);
  }

  async clear(): Promise<void> {
    const clearAll = async (): Promise<void> => {
      for (const folder of await this.#cap.folders()) await this.#folderAt(folder).clear();
    };
    await this.#reporting('clear', clearAll, undefined);
  }

  /** Runs the work. If it fails, reports the error and returns `fallback`. */
  async #reporting<T>(work: string, run: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await run();
    } catch (error) {
      this.#trouble.failed(work, error);
      return otherwise;
    }
  }

  #folderOf(series: SeriesKey): SeriesFolder {
    return this.#folderAt(join(this.#deps.folder, seriesName(series)));
  }

  #folderAt(path: string): SeriesFolder {
    let folder = this.#folders.get(path);
    if (!folder) {
      const [fs, lock, trouble] = [this.#fs, this.#lock, this.#trouble];
      folder = new SeriesFolder(path, { fs, lock, trouble, clock: this.#deps.clock });
      this.#folders.set(path, folder);
    }
    return folder;
  }
}

/** The maximum size of a series' description, far more than any needs. */
const maxAboutBytes = 100_000;

/** Lists the content of a series' folder; undefined if the folder has no valid description. */
async function contentsOf(fs: StorageFs, folder: string): Promise<ArchivedSeries | undefined> {
  const series = await aboutSeries(fs, folder);
  if (!series) return undefined;
  const years = (await namesIn(fs, folder)).map(yearOfFile).filter(year => year !== undefined);
  let bytes = 0;
  for (const { name } of years) bytes += (await unlessGone(fs.stat(join(folder, name + ending))))?.size ?? 0;
  return { series, years: years.sort((a, b) => a.start - b.start), bytes };
}

const aboutSchema = v.object({
  source: v.string(),
  dataset: v.string(),
  interval: v.string(),
  params: v.record(v.string(), v.string()),
});

/** Reads the description of a series; undefined if it cannot be read or does not match the folder. */
async function aboutSeries(fs: StorageFs, folder: string): Promise<SeriesKey | undefined> {
  const file = join(folder, aboutFile);
  const text = await unlessForeign(readRegularText(file, maxAboutBytes, fs));
  const about = readableJson(text ?? '', aboutSchema);
  return about && seriesName(about) === basename(folder) ? about : undefined;
}

function yearOfFile(file: string): Year | undefined {
  const name = basename(file, ending);
  if (!file.endsWith(ending) || !/^\d{4}$/.test(name)) return undefined;
  const start = Date.parse(`${name}-01-01T00:00:00Z`);
  return yearsIn({ start, end: start + 1 })[0];
}

/** The maximum number of columns of a file. */
const maxColumns = 200;
/** The maximum number of cells of a year: all columns for hours, 33 columns for five minutes. They fit into the maximum size of a file. */
const maxYearCells = 3_500_000;

/** Returns, for the log, why rows with so many columns are not archived; undefined if they are. */
function whyTooLarge(columns: number, unitMs: number): string | undefined {
  if (columns > maxColumns) return `more than ${maxColumns}`;
  return columns * ((366 * dayMs) / unitMs) > maxYearCells ? `more than ${maxYearCells} cells a year` : undefined;
}

/** Merges the response to a request for `requested` into a year. The response's rows must ascend by time. */
function mergeYear(
  year: Year,
  archived: YearContent | undefined,
  unitMs: number,
  asked: Span,
  answer: ArchivedAnswer,
): YearContent {
  const before = archived && fits(archived, unitMs, answer.frame) ? archived : emptyYear(year, unitMs);
  const askedAt = before.askedAt.slice();
  const units = unitsIn(year, unitMs);
  // A unit that is only partly in the range was not requested.
  const from = Math.max(units.first, Math.ceil(asked.start / unitMs)) - units.first;
  const to = Math.min(units.end, Math.floor(asked.end / unitMs)) - units.first;
  if (to > from) askedAt.fill(answer.askedAt, from, to);
  const newer = rowsWithin(answer.frame, overlap(year, asked));
  const frame = replaceByTime(before.frame, newer, overlap(year, replacedBy(answer, asked)));
  const isNewest = answer.askedAt >= before.metaAskedAt;
  const meta = isNewest ? { meta: answer.meta, metaAskedAt: answer.askedAt } : {};
  return { ...before, ...meta, frame, askedAt };
}

/**
 * Whether new rows can be merged with the archived ones. Otherwise these are replaced: a time column with another name or another interval cannot
 * be merged, and field names that change too often would result in too many columns.
 */
function fits(archived: YearContent, unitMs: number, newer: Frame): boolean {
  const [before, now] = [timeNameOf(archived.frame), timeNameOf(newer)];
  if (archived.unitMs !== unitMs || !(before === undefined || now === undefined || before === now)) return false;
  const columns = new Set([...archived.frame.columns, ...newer.columns].map(({ name }) => name)).size;
  return whyTooLarge(columns, unitMs) === undefined;
}
