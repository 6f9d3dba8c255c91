import { setImmediate } from 'node:timers/promises';
import type { GridHour } from './gridHour.ts';

/** Where the hours come from: made up, or replayed from a file. Hours are counted from 1970-01-01T00:00Z. */
export interface HourSource {
  /** Names this very data, for caches: two sources with one identity hold the same hours. */
  readonly identity: string;
  readonly kind: 'synthetic' | 'replay';
  /** One sentence for the reader of an answer. */
  readonly note: string;
  /** The first hour there is. */
  readonly firstHour: number;
  /** The hour after the last; Infinity where only the clock ends the data. */
  readonly endHour: number;
  /** The hour, whatever was asked before; undefined for an hour that never came. */
  hour(hour: number): GridHour | undefined;
}

const hoursAtOnce = 2_000;

/** The hours of [from, to) that exist. Long ranges let other work in between: the embedded service shares its process. */
export async function hoursBetween(source: HourSource, from: number, to: number): Promise<GridHour[]> {
  const hours: GridHour[] = [];
  const end = Math.min(to, source.endHour);
  for (let hour = Math.max(from, source.firstHour), asked = 1; hour < end; hour++, asked++) {
    const found = source.hour(hour);
    if (found) hours.push(found);
    if (asked % hoursAtOnce === 0) await setImmediate();
  }
  return hours;
}
