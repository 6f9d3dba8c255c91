import { setImmediate } from 'node:timers/promises';
import type { GridHour } from './gridHour.ts';

/** Where the hours come from: made up, or replayed from a file. Hours are counted from 1970-01-01T00:00Z. */
export interface HourSource {
  /** Names this very data, for caches: two sources with one identity hold the same hours. */
  readonly identity: string;
  readonly kind: 'synthetic' | 'replay';
  /** One sentence for the reader of an answer. */
  readonly note: string;
  /** What else is to be known of the data, a sentence each: gaps, hours given twice. */
  readonly notices: readonly string[];
  /** The first hour there is. */
  readonly firstHour: number;
  /** The hour after the last; Infinity where only the clock ends the data. */
  readonly endHour: number;
  /** The hour, whatever was asked before; undefined for an hour that never came. */
  hour(hour: number): GridHour | undefined;
}

/** Twenty days. */
const hoursAtOnce = 480;

/**
 * The hours of [from, to) that exist, some days at a time: no UTC day is cut. Other work is let in between, since the
 * embedded service shares its process.
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

/** About a year of hours, 6 MB: twice as many at most are kept. */
const hoursKept = 8_784;

/** Keeps the hours asked for of late: to make one up takes longer than to send it. */
export class CachedSource implements HourSource {
  readonly identity: string;
  readonly kind: HourSource['kind'];
  readonly note: string;
  readonly notices: readonly string[];
  readonly firstHour: number;
  readonly endHour: number;
  readonly #source: HourSource;
  #recent = new Map<number, GridHour | undefined>();
  #older = new Map<number, GridHour | undefined>();

  constructor(source: HourSource) {
    this.identity = source.identity;
    this.kind = source.kind;
    this.note = source.note;
    this.notices = source.notices;
    this.firstHour = source.firstHour;
    this.endHour = source.endHour;
    this.#source = source;
  }

  hour(hour: number): GridHour | undefined {
    const known = this.#recent.get(hour);
    if (known || this.#recent.has(hour)) return known;
    const found = this.#older.has(hour) ? this.#older.get(hour) : this.#source.hour(hour);
    if (this.#recent.size >= hoursKept) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(hour, found);
    return found;
  }
}
