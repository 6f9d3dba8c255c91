import { randomInt } from 'node:crypto';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownSteps } from '../../core/bins/knownHours.ts';
import { datasets } from '../../core/catalogue.ts';
import { hasAllInstants } from '../../core/clip.ts';
import { describeFields } from '../../core/describeFields.ts';
import { sortByTimeSteps } from '../../core/frames.ts';
import type { Clock, Logger, Random } from '../../core/ports.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/seriesKey.ts';
import type { Archive, Kept, KeptAnswer } from '../archive.ts';
import type { ArchiveContents, ArchivedSeries } from '../export/exportArchive.ts';
import { archiveContents } from './archiveContents.ts';
import type { ArchiveFs } from './archiveFs.ts';
import { FolderLock } from './folderLock.ts';
import { KeptMonths } from './keptMonths.ts';
import { KeptSteps } from './keptSteps.ts';
import { mergeMonthSteps, tooLargeToKeep } from './monthMerge.ts';
import { pausedSteps } from '../pausedSteps.ts';
import { monthsOf, unitOf } from './months.ts';
import { SeriesFolder } from './seriesFolder.ts';
import { seriesName } from './seriesName.ts';
import { SizeCap } from './sizeCap.ts';
import { TroubleTeller, type ArchiveTrouble } from './trouble.ts';

export interface FileArchiveDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Bytes the archive may take on disk, read at use; 0 keeps nothing new. */
  readonly maxBytes: () => number;
  /** Told each kind of trouble once. */
  readonly onTrouble?: (trouble: ArchiveTrouble) => void;
  readonly fs?: ArchiveFs;
  readonly random?: Random;
  /** After this a writer that died is passed over, milliseconds; at least 2000. */
  readonly staleMs?: number;
}

/**
 * The archive as a folder of Arrow IPC files, one for each series and UTC month, shared by all windows. A file is
 * replaced whole or not at all, by one writer at a time; readers never wait.
 */
export class FileArchive implements Archive, ArchiveContents {
  readonly #deps: FileArchiveDeps;
  readonly #fs: ArchiveFs;
  readonly #lock: FolderLock;
  readonly #trouble: TroubleTeller;
  readonly #cap: SizeCap;
  readonly #folders = new Map<string, SeriesFolder>();

  constructor(deps: FileArchiveDeps) {
    const { folder, clock, logger, fs = fsPromises, random = () => randomInt(1000) / 1000, staleMs = 5000 } = deps;
    this.#deps = deps;
    this.#fs = fs;
    this.#lock = new FolderLock({ fs, clock, random, staleMs });
    this.#trouble = new TroubleTeller(logger, trouble => deps.onTrouble?.(trouble));
    this.#cap = new SizeCap(folder, { fs, clock, lock: this.#lock });
  }

  async read(series: SeriesKey, stepMs: number, span: Span): Promise<Kept> {
    const months = span.end > span.start ? monthsOf(span) : [];
    try {
      const kept = new KeptMonths(stepMs, span);
      await this.#folderOf(series).read(months, (...month) => kept.add(...month));
      return await kept.all();
    } catch (error) {
      this.#trouble.failed('read', error);
      return new KeptMonths(stepMs, span).all();
    }
  }

  async readSteps(series: SeriesKey, stepMs: number, span: Span): Promise<KnownSteps> {
    const months = span.end > span.start ? monthsOf(span) : [];
    const kept = new KeptSteps(stepMs, span);
    try {
      await this.#folderOf(series).readSteps(months, (...month) => kept.add(...month));
    } catch (error) {
      this.#trouble.failed('read', error);
    }
    return kept.all();
  }

  async merge(series: SeriesKey, stepMs: number, asked: Span, answer: KeptAnswer): Promise<boolean> {
    const maxBytes = this.#deps.maxBytes();
    // Rows without an instant belong to no month.
    if (maxBytes <= 0 || !hasAllInstants(answer.frame)) return false;
    const columns = answer.frame.columns.length;
    const tooLarge = tooLargeToKeep(columns, unitOf(stepMs));
    if (tooLarge !== undefined) {
      this.#deps.logger.warn(`archive: rows of ${columns} columns are not kept (${tooLarge})`);
      return false;
    }
    const months = asked.end > asked.start ? monthsOf(asked) : [];
    const last = months.at(-1);
    if (!last) return true;
    // Units go into the file, for its other readers.
    const fields = datasets.find(({ id }) => id === series.dataset)?.fields ?? new Map();
    const frame = await pausedSteps(sortByTimeSteps(answer.frame));
    const sorted = { ...answer, frame: describeFields(frame, fields) };
    try {
      const folder = this.#folderOf(series);
      const grown = await folder.update(series, months, async (month, kept) =>
        pausedSteps(mergeMonthSteps(month, kept, unitOf(stepMs), asked, sorted)),
      );
      await this.#keepBelow(maxBytes, grown, folder.fileOf(last));
      return true;
    } catch (error) {
      this.#trouble.failed('write', error);
      return false;
    }
  }

  async size(): Promise<number> {
    try {
      return await this.#cap.size();
    } catch (error) {
      this.#trouble.failed('count its size', error);
      return 0;
    }
  }

  async contents(): Promise<readonly ArchivedSeries[]> {
    try {
      return await archiveContents(this.#fs, await this.#cap.folders());
    } catch (error) {
      this.#trouble.failed('list what is kept', error);
      return [];
    }
  }

  async clear(): Promise<void> {
    try {
      for (const folder of await this.#cap.folders()) await this.#folderAt(folder).clear();
    } catch (error) {
      this.#trouble.failed('clear', error);
    }
  }

  async #keepBelow(maxBytes: number, grown: number, spared: string): Promise<void> {
    try {
      await this.#cap.keepBelow(maxBytes, grown, spared);
    } catch (error) {
      this.#trouble.failed('remove old months', error);
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
