import type { Random } from '../../core/ports.ts';
import { nextPublication } from '../../core/query/freshness.ts';

/** The local clock may differ from the service's by a few seconds without counting as wrong: before this, nothing may be published yet. */
const afterPublicationMs = 10_000;
const spreadMs = 30_000;
const soonMs = 2_000;
const soonSpreadMs = 8_000;
const retryMs = 300_000;
const retrySpreadMs = 60_000;

/** When queries are to be run: UTC milliseconds by the service's clock. */
export class RefreshSchedule {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Shortly: a window that starts has other things to do first, and several windows start at once. */
  soon(now: number): number {
    return now + soonMs + this.#random() * soonSpreadMs;
  }

  /** Just after the next publication. */
  next(now: number): number {
    return nextPublication(now) + afterPublicationMs + this.#random() * spreadMs;
  }

  /** Once more within the hour, if that is not over by then. */
  retry(now: number): number {
    return Math.min(now + retryMs + this.#random() * retrySpreadMs, this.next(now));
  }

  /** Later than any run is planned: the clock was set back. */
  isTooFar(due: number, now: number): boolean {
    return due > nextPublication(now) + afterPublicationMs + spreadMs;
  }
}
