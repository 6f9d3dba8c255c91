import type { KnownSteps } from '../../core/bins/knownHours.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Frame } from '../../shared/frame.ts';

/** What the archive has of a range. */
export interface Archived {
  /** The rows kept for instants in [start, end), ascending by time. */
  readonly frame: Frame;
  /**
   * For each step of the range, when the service was last asked for it (its own clock, UTC milliseconds); 0 where it never
   * was. A step that was asked for and has no row was answered empty.
   */
  readonly askedAt: Float64Array;
  /** The envelope of the newest answer that is kept, without its rows; empty where nothing is kept. */
  readonly meta: JsonObject;
  /** When that one was asked for, as `askedAt`; left out where nothing is kept. */
  readonly metaAskedAt?: number;
}

/** One answer of the service, as it goes into the archive. */
export interface ArchivedAnswer {
  readonly frame: Frame;
  /** When the service was asked, by its own clock; UTC milliseconds. */
  readonly askedAt: number;
  readonly meta: JsonObject;
  /**
   * Rows from this instant on (UTC milliseconds) that the answer does not have may still be at the service: pages are missing, or
   * its data is late. Left out where the answer is complete.
   */
  readonly completeUntil?: number;
}

/** The part of the question for which the service has the rows of the answer and no others. */
export function replacedBy({ completeUntil = Infinity }: ArchivedAnswer, { start, end }: Span): Span {
  return { start, end: Math.max(start, Math.min(end, completeUntil)) };
}

/** Keeps every decoded hour across restarts and windows. Only series whose rows have a time column and a known step. */
export interface Archive {
  /** Never throws for damage or a missing folder: what cannot be read counts as not kept. */
  read(series: SeriesKey, stepMs: number, span: Span): Promise<Archived>;
  /** As `read`, of steps of a day at most, without the numbers: what it reads of the disk is a small part of theirs. */
  readSteps(series: SeriesKey, stepMs: number, span: Span): Promise<KnownSteps>;
  /**
   * Merges the answer to a question for `asked` (whole steps) that the service gave, by timestamp: as far as it is complete
   * (`replacedBy`) its rows take the place of all that are kept, elsewhere of those of the same instant. False where it could
   * not be kept (full disk, read-only folder, rows without a time, too many columns): the answer itself is still good.
   */
  merge(series: SeriesKey, stepMs: number, asked: Span, answer: ArchivedAnswer): Promise<boolean>;
  /** Bytes on disk. */
  size(): Promise<number>;
  clear(): Promise<void>;
}
