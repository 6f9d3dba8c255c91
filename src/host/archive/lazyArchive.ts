import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Archive, ArchivedRange, ArchivedResponse } from '../../service/archive/archive.ts';
import type { FileArchiveDeps } from '../../service/archive/fileArchive.ts';
import type { ArchiveContents, ArchivedSeries } from '../../service/export/exportArchive.ts';
import type { Clock } from '../../core/ports.ts';
import { minuteMs } from '../../shared/durations.ts';

/** Loads the code of the archive, which reads a columnar file format, when it is first used. */
export class LazyArchive implements Archive, ArchiveContents {
  readonly #deps: FileArchiveDeps;
  #archive: Promise<Archive & ArchiveContents> | undefined;

  constructor(deps: FileArchiveDeps) {
    this.#deps = deps;
  }

  async read(series: SeriesKey, intervalMs: number, span: Span): Promise<ArchivedRange> {
    return (await this.#load()).read(series, intervalMs, span);
  }

  async merge(series: SeriesKey, intervalMs: number, requested: Span, response: ArchivedResponse): Promise<boolean> {
    return (await this.#load()).merge(series, intervalMs, requested, response);
  }

  async size(): Promise<number> {
    return (await this.#load()).size();
  }

  async contents(): Promise<readonly ArchivedSeries[]> {
    return (await this.#load()).contents();
  }

  async clear(): Promise<void> {
    return (await this.#load()).clear();
  }

  async #load(): Promise<Archive & ArchiveContents> {
    this.#archive ??= import('../../service/archive/fileArchive.ts').then(
      ({ FileArchive }) => new FileArchive(this.#deps),
    );
    try {
      return await this.#archive;
    } catch (error) {
      // The next call tries again.
      this.#archive = undefined;
      this.#deps.logger.warn(`the archive could not be loaded: ${String(error)}`);
      return emptyArchive;
    }
  }
}

/** An archive that stores nothing, so that every query goes to the service. */
const emptyArchive: Archive & ArchiveContents = {
  read: (_series, intervalMs, span) =>
    Promise.resolve({
      frame: { rowCount: 0, columns: [] },
      requestedAt: new Float64Array(Math.ceil((span.end - span.start) / intervalMs)),
      meta: {},
    }),
  merge: () => Promise.resolve(false),
  size: () => Promise.resolve(0),
  contents: () => Promise.resolve([]),
  clear: () => Promise.resolve(),
};

const maxAgeMs = minuteMs;

/** Caches the size of the archive, which the status bar shows; computing it takes a look at every file. */
export class ArchiveSize {
  readonly #archive: Pick<Archive, 'size'>;
  readonly #clock: Pick<Clock, 'now'>;
  #reading: { readonly at: number; readonly bytes: Promise<number> } | undefined;

  constructor(deps: { readonly archive: Pick<Archive, 'size'>; readonly clock: Pick<Clock, 'now'> }) {
    this.#archive = deps.archive;
    this.#clock = deps.clock;
  }

  /** Discards the cached size because the archive may have changed. */
  invalidate(): void {
    this.#reading = undefined;
  }

  /** Bytes on disk, at most a minute old. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    // Compares absolute differences, because the clock may be set back.
    if (!this.#reading || Math.abs(now - this.#reading.at) >= maxAgeMs)
      this.#reading = { at: now, bytes: this.#archive.size() };
    return this.#reading.bytes;
  }
}
