import type { Span } from '../../core/range/resolveRange.ts';
import type { SeriesKey } from '../../core/query/seriesKey.ts';
import type { Archive, Archived, ArchivedAnswer } from '../../service/archive/archive.ts';
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

  async read(series: SeriesKey, stepMs: number, span: Span): Promise<Archived> {
    return (await this.#loaded()).read(series, stepMs, span);
  }

  async merge(series: SeriesKey, stepMs: number, asked: Span, answer: ArchivedAnswer): Promise<boolean> {
    return (await this.#loaded()).merge(series, stepMs, asked, answer);
  }

  async size(): Promise<number> {
    return (await this.#loaded()).size();
  }

  async contents(): Promise<readonly ArchivedSeries[]> {
    return (await this.#loaded()).contents();
  }

  async clear(): Promise<void> {
    return (await this.#loaded()).clear();
  }

  async #loaded(): Promise<Archive & ArchiveContents> {
    this.#archive ??= import('../../service/archive/fileArchive.ts').then(
      ({ FileArchive }) => new FileArchive(this.#deps),
    );
    try {
      return await this.#archive;
    } catch (error) {
      // The next call tries again.
      this.#archive = undefined;
      this.#deps.logger.warn(`the archive could not be loaded: ${String(error)}`);
      return noArchive;
    }
  }
}

/** An archive that stores nothing, so that every query goes to the service. */
const noArchive: Archive & ArchiveContents = {
  read: (_series, stepMs, span) =>
    Promise.resolve({
      frame: { rowCount: 0, columns: [] },
      askedAt: new Float64Array(Math.ceil((span.end - span.start) / stepMs)),
      meta: {},
    }),
  merge: () => Promise.resolve(false),
  size: () => Promise.resolve(0),
  contents: () => Promise.resolve([]),
  clear: () => Promise.resolve(),
};

const freshMs = minuteMs;

/** Caches the size of the archive, which the status bar shows; computing it takes a look at every file. */
export class ArchiveSize {
  readonly #archive: Pick<Archive, 'size'>;
  readonly #clock: Pick<Clock, 'now'>;
  #read: { readonly at: number; readonly bytes: Promise<number> } | undefined;

  constructor(deps: { readonly archive: Pick<Archive, 'size'>; readonly clock: Pick<Clock, 'now'> }) {
    this.#archive = deps.archive;
    this.#clock = deps.clock;
  }

  /** Discards the cached size because the archive may have changed. */
  outdated(): void {
    this.#read = undefined;
  }

  /** Bytes on disk, at most a minute old. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    // Compares absolute differences, because the clock may be set back.
    if (!this.#read || Math.abs(now - this.#read.at) >= freshMs) this.#read = { at: now, bytes: this.#archive.size() };
    return this.#read.bytes;
  }
}
