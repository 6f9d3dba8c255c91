import { setImmediate } from 'node:timers/promises';
import { hourMs } from '../../shared/durations.ts';
import { type GridHour } from './gridHour.ts';
import type { Clock } from '../../core/ports.ts';

/** Where hours come from: made up, or replayed from a file. Hours are counted from 1970-01-01T00:00Z. */
export interface HourSource {
  /** Identifies the data, for caches: two sources with the same identity have the same hours. */
  readonly identity: string;
  readonly kind: 'synthetic' | 'replay';
  /** One sentence for the reader of an answer. */
  readonly note: string;
  /** The files that are replayed, and how their times are moved; left out for made-up hours. */
  readonly replayedFrom?: string;
  /** Notices about the data, a sentence each: gaps, repeated hours. */
  readonly notices: readonly string[];
  /** The first hour there is. */
  readonly firstHour: number;
  /** The hour after the last; Infinity where only the clock ends the data. */
  readonly endHour: number;
  /** Undefined for a missing hour. */
  hour(hour: number): GridHour | undefined;
}

/** Twenty days. */
const hoursAtOnce = 480;

/**
 * The hours of [from, to) that exist, some whole UTC days at a time. Other work may run in between, since the embedded
 * service shares its process.
 */
export async function* hoursBetween(source: HourSource, from: number, to: number): AsyncGenerator<readonly GridHour[]> {
  const end = Math.min(to, source.endHour);
  let hour = Math.max(from, source.firstHour);
  while (hour < end) {
    const batch: GridHour[] = [];
    const batchEnd = Math.min(end, (Math.floor(hour / hoursAtOnce) + 1) * hoursAtOnce);
    for (; hour < batchEnd; hour++) {
      const found = source.hour(hour);
      if (found) batch.push(found);
    }
    yield batch;
    if (hour < end) await setImmediate();
  }
}

/** About a year of hours, 6 MB; at most twice as many are cached. */
const mostRecent = 8_784;

/** The source with a cache of the hours that were read last: making one up takes longer than sending it. */
export function cached(source: HourSource): HourSource {
  let recent = new Map<number, GridHour | undefined>();
  let older = new Map<number, GridHour | undefined>();
  return {
    ...source,
    hour(hour) {
      const known = recent.get(hour);
      if (known || recent.has(hour)) return known;
      const found = older.has(hour) ? older.get(hour) : source.hour(hour);
      if (recent.size >= mostRecent) {
        older = recent;
        recent = new Map();
      }
      recent.set(hour, found);
      return found;
    },
  };
}

/** Which data is published; may be changed while the sandbox runs. */
export class Publication {
  /** By how many hours upstream data is late; responses then say so. */
  delayHours = 0;
  /** Hours that upstream never delivered, counted from 1970-01-01T00:00Z. */
  holes: ReadonlySet<number> = new Set();
  readonly #clock: Pick<Clock, 'now'>;
  #present: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The service's current time, UTC milliseconds. Limits and keys use the clock alone. */
  get now(): number {
    return this.#present ?? this.#clock.now();
  }

  /** Whether the current time was set, and so is stopped. */
  get standsStill(): boolean {
    return this.#present !== undefined;
  }

  /** Stops the current time at an instant; undefined lets it follow the clock again. */
  setNow(instant: number | undefined): void {
    this.#present = instant;
  }

  /** The hour after the last published one: an hour is published when it is over. `lateHours` are added to the delay. */
  endHour(source: HourSource, lateHours = 0): number {
    return Math.min(Math.floor(this.now / hourMs) - this.delayHours - lateHours, source.endHour);
  }
}
