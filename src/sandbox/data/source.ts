import { setImmediate } from 'node:timers/promises';
import { hourMs } from '../../shared/durations.ts';
import { type GridHour } from './gridHour.ts';
import type { Clock } from '../../core/ports.ts';

/** A source of hours: synthetic, or replayed from files. Hours are counted from 1970-01-01T00:00Z. */
export interface HourSource {
  /** Identifies the data, for caches: two sources with the same identity have the same hours. */
  readonly identity: string;
  readonly kind: 'synthetic' | 'replay';
  /** A sentence for the reader of a response. */
  readonly note: string;
  /** The files that are replayed, and how their times are moved; undefined for synthetic hours. */
  readonly replayedFrom?: string;
  /** Notices about the data, a sentence each: gaps, repeated hours. */
  readonly notices: readonly string[];
  /** The first hour of the data. */
  readonly firstHour: number;
  /** The hour after the last one; Infinity if only the clock limits the data. */
  readonly endHour: number;
  /** Undefined for a missing hour. */
  hour(hour: number): GridHour | undefined;
}

/** The number of hours generated without a pause: twenty days. */
const hoursPerBatch = 480;

/**
 * Generates the existing hours of [from, to) in batches of whole UTC days. It yields to the event loop between batches, since
 * the embedded service shares its process.
 */
export async function* generateHours(
  source: HourSource,
  from: number,
  to: number,
): AsyncGenerator<readonly GridHour[]> {
  const end = Math.min(to, source.endHour);
  let hour = Math.max(from, source.firstHour);
  while (hour < end) {
    const batch: GridHour[] = [];
    const batchEnd = Math.min(end, (Math.floor(hour / hoursPerBatch) + 1) * hoursPerBatch);
    for (; hour < batchEnd; hour++) {
      const gridHour = source.hour(hour);
      if (gridHour) batch.push(gridHour);
    }
    yield batch;
    if (hour < end) await setImmediate();
  }
}

/** Half the maximum number of cached hours: about a year of hours, which takes 6 MB. */
const maxRecentHours = 8_784;

/** Adds a cache of the hours that were read last, because computing an hour takes longer than sending it. */
export function withHourCache(source: HourSource): HourSource {
  let recent = new Map<number, GridHour | undefined>();
  let older = new Map<number, GridHour | undefined>();
  return {
    ...source,
    hour(hour) {
      const recentHour = recent.get(hour);
      if (recentHour || recent.has(hour)) return recentHour;
      const gridHour = older.has(hour) ? older.get(hour) : source.hour(hour);
      if (recent.size >= maxRecentHours) {
        older = recent;
        recent = new Map();
      }
      recent.set(hour, gridHour);
      return gridHour;
    },
  };
}

/** Determines which data is published. May be changed while the sandbox runs. */
export class Publication {
  /** The number of hours by which upstream data is late, which responses report. */
  delayHours = 0;
  /** Hours that upstream never delivered, counted from 1970-01-01T00:00Z. */
  holes: ReadonlySet<number> = new Set();
  readonly #clock: Pick<Clock, 'now'>;
  #fixedNow: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The service's current time, UTC milliseconds. Limits and keys use the clock alone. */
  get now(): number {
    return this.#fixedNow ?? this.#clock.now();
  }

  /** Whether the current time is fixed. */
  get isStopped(): boolean {
    return this.#fixedNow !== undefined;
  }

  /** Stops the current time at an instant; undefined lets it follow the clock again. */
  setNow(instant: number | undefined): void {
    this.#fixedNow = instant;
  }

  /** Returns the hour after the last published one. An hour is published when it is over. `lateHours` is added to the delay. */
  endHour(source: HourSource, lateHours = 0): number {
    return Math.min(Math.floor(this.now / hourMs) - this.delayHours - lateHours, source.endHour);
  }
}
