import type { JsonObject } from '../../core/decode/envelope.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Logger } from '../../core/ports.ts';
import { getErrorCode } from '../files/fileSystem.ts';

/** The archived part of a range. */
export interface ArchivedRange {
  /** The archived rows of instants in [start, end), ascending by time. */
  readonly frame: Frame;
  /**
   * When each interval of the range was last requested (by the service's clock, UTC milliseconds); 0 for never. An interval that was requested but
   * has no row was missing in the response.
   */
  readonly requestedAt: Float64Array;
  /** The envelope of the newest archived response, without its rows; empty if nothing is archived. */
  readonly meta: JsonObject;
  /** When that response was requested; omitted if nothing is archived. */
  readonly metaRequestedAt?: number;
}

/** A response of the service to archive. */
export interface ArchivedResponse {
  readonly frame: Frame;
  /** When it was requested, by the service's clock; UTC milliseconds. */
  readonly requestedAt: number;
  readonly meta: JsonObject;
  /**
   * The instant (UTC milliseconds) from which on the service may have more rows than the response, because pages are missing or data is late.
   * Omitted if the response is complete.
   */
  readonly completeUntil?: number;
}

/** Returns the part of the requested range for which the response is complete. */
export function completeRange({ completeUntil = Infinity }: ArchivedResponse, { start, end }: Span): Span {
  return { start, end: Math.max(start, Math.min(end, completeUntil)) };
}

/** Stores all fetched rows for all windows, if they have a time column and an interval of known length. */
export interface Archive {
  /** Reads a range. Never throws for damage or a missing folder: unreadable rows are treated as not archived. */
  read(series: SeriesKey, intervalMs: number, span: Span): Promise<ArchivedRange>;
  /**
   * Merges the response to a request for `requested` (whole intervals), by timestamp. Where it is complete (`completeRange`), its rows replace all
   * archived rows, elsewhere only the rows with the same instant. Returns false if it could not be archived (full disk, read-only folder, rows without a
   * time, too many columns).
   */
  merge(series: SeriesKey, intervalMs: number, requested: Span, response: ArchivedResponse): Promise<boolean>;
  /** Returns the size on disk in bytes. */
  size(): Promise<number>;
  clear(): Promise<void>;
}

/** The errors of the archive, for which the host has messages. */
export type ArchiveError = 'diskFull' | 'readOnly' | 'unusable' | 'busy' | 'damaged' | 'newerVersion';

const errorByCode: Readonly<Record<string, ArchiveError>> = {
  ENOSPC: 'diskFull',
  EDQUOT: 'diskFull',
  EACCES: 'readOnly',
  EPERM: 'readOnly',
  EROFS: 'readOnly',
  EBUSY: 'busy',
  ELOCKED: 'busy',
};

/** Reports each kind of error to the user once, and logs all errors. */
export class ArchiveErrorReporter {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #onError: (archiveError: ArchiveError) => void;
  readonly #reported = new Set<string>();

  constructor(logger: Pick<Logger, 'warn'>, onError: (archiveError: ArchiveError) => void) {
    this.#logger = logger;
    this.#onError = onError;
  }

  /** Reports an error of the file system, or an unexpected one. */
  reportFailure(work: string, error: unknown): void {
    const code = getErrorCode(error);
    const reason = code ?? (error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#logger.warn(`archive: cannot ${work} (${reason})`);
    this.#report(errorByCode[code ?? ''] ?? 'unusable');
  }

  /** Reports a file that cannot be used. It is logged once. */
  reportUnreadable(file: string, archiveError: 'damaged' | 'newerVersion'): void {
    if (!this.#reported.has(file)) this.#logger.warn(`archive: ${file} is not used (${archiveError})`);
    this.#reported.add(file);
    this.#report(archiveError);
  }

  #report(archiveError: ArchiveError): void {
    if (this.#reported.has(archiveError)) return;
    this.#reported.add(archiveError);
    this.#onError(archiveError);
  }
}
