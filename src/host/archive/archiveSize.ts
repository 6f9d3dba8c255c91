import type { Clock } from '../../core/ports.ts';
import type { Archive } from '../../service/archive/archive.ts';

const freshMs = 60_000;

/** The size of the archive for a figure that is always on screen: to read it means to look at every file. */
export class ArchiveSize {
  readonly #archive: Pick<Archive, 'size'>;
  readonly #clock: Pick<Clock, 'now'>;
  #read: { readonly at: number; readonly bytes: Promise<number> } | undefined;

  constructor(deps: { readonly archive: Pick<Archive, 'size'>; readonly clock: Pick<Clock, 'now'> }) {
    this.#archive = deps.archive;
    this.#clock = deps.clock;
  }

  /** The archive may have changed: the next question looks again. */
  outdated(): void {
    this.#read = undefined;
  }

  /** Bytes on disk, at most a minute old. */
  async bytes(): Promise<number> {
    const now = this.#clock.now();
    // A clock that was set back makes a reading as old as one that was set forward.
    if (!this.#read || Math.abs(now - this.#read.at) >= freshMs) this.#read = { at: now, bytes: this.#archive.size() };
    return this.#read.bytes;
  }
}
