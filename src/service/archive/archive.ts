import type { JsonObject } from '../../core/decode/envelope.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Logger } from '../../core/ports.ts';
import { codeOf } from '../files/fileSystem.ts';

/** What the archive has of a range. */
export interface Archived {
  /** The archived rows of instants in [start, end), ascending by time. */
  readonly frame: Frame;
  /**
   * For each step of the range, when it was last requested (by the service's clock, UTC milliseconds); 0 for never. A step
   * that was requested and has no row was missing in the response.
   */
  readonly askedAt: Float64Array;
  /** The envelope of the newest archived response, without its rows; empty where nothing is archived. */
  readonly meta: JsonObject;
  /** When that response was requested, as `askedAt`; left out where nothing is archived. */
  readonly metaAskedAt?: number;
}

/** One response of the service, as it is archived. */
export interface ArchivedAnswer {
  readonly frame: Frame;
  /** When it was requested, by the service's clock; UTC milliseconds. */
  readonly askedAt: number;
  readonly meta: JsonObject;
  /**
   * From this instant on (UTC milliseconds) the service may have more rows than the response: pages are missing, or data is
   * late. Left out where the response is complete.
   */
  readonly completeUntil?: number;
}

/** The part of the requested range for which the response has all rows of the service. */
export function replacedBy({ completeUntil = Infinity }: ArchivedAnswer, { start, end }: Span): Span {
  return { start, end: Math.max(start, Math.min(end, completeUntil)) };
}

/** Stores every decoded hour, for all windows. Only series whose rows have a time column and a known step. */
export interface Archive {
  /** Never throws for damage or a missing folder: what cannot be read counts as not archived. */
  read(series: SeriesKey, stepMs: number, span: Span): Promise<Archived>;
  /**
   * Merges the response to a request for `asked` (whole steps), by timestamp: as far as it is complete (`replacedBy`), its rows
   * replace all archived rows, elsewhere those of the same instant. False where it could not be archived (full disk, read-only
   * folder, rows without a time, too many columns).
   */
  merge(series: SeriesKey, stepMs: number, asked: Span, answer: ArchivedAnswer): Promise<boolean>;
  /** Bytes on disk. */
  size(): Promise<number>;
  clear(): Promise<void>;
}

/** Why the archive cannot store or read something; the host has a sentence for each. */
export type ArchiveError = 'diskFull' | 'readOnly' | 'unusable' | 'busy' | 'damaged' | 'newerVersion';

const byCode: Readonly<Record<string, ArchiveError>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  EROFS: 'readOnly',
  EBUSY: 'busy',
  ELOCKED: 'busy',
};

/** Reports each kind of error to the person once, and to the log each time. */
export class ArchiveErrorReporter {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #onTrouble: (trouble: ArchiveError) => void;
  readonly #reported = new Set<string>();

  constructor(logger: Pick<Logger, 'warn'>, onTrouble: (trouble: ArchiveError) => void) {
    this.#logger = logger;
    this.#onTrouble = onTrouble;
  }

  /** A failure of the file system, or an unexpected error. */
  failed(work: string, error: unknown): void {
    const code = codeOf(error);
    const why = code ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#logger.warn(`archive: cannot ${work} (${why})`);
    this.#report(byCode[code ?? ''] ?? 'unusable');
  }

  /** A file that cannot be used; logged once. */
  unreadable(file: string, trouble: 'damaged' | 'newerVersion'): void {
    if (!this.#reported.has(file)) this.#logger.warn(`archive: ${file} is not used (${trouble})`);
    this.#reported.add(file);
    this.#report(trouble);
  }

  #report(trouble: ArchiveError): void {
    if (this.#reported.has(trouble)) return;
    this.#reported.add(trouble);
    this.#onTrouble(trouble);
  }
}
