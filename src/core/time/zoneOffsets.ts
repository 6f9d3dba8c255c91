import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { clampInstant } from '../../shared/formatTime.ts';

/** No zone changes its clocks twice within six days, so an offset that is equal at both ends of a block is valid throughout. */
const blockMs = 5 * dayMs;

/** Converts an instant (UTC milliseconds) to the date and time in a zone. Throws a RangeError for instants that a Date can't hold. */
export function toZonedDateTime(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
}

/**
 * The offsets of a zone from UTC. Because looking up an offset is slow, it is looked up at the ends of blocks of several days; for blocks in
 * which the clocks change, at the ends of each UTC day; and only on the day of the change for each instant. A wall-clock time is a
 * number: the UTC milliseconds at which clocks in UTC show it.
 */
export class ZoneOffsets {
  readonly timeZone: string;
  readonly #cachedOffsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** Returns the milliseconds to add to an instant for its wall-clock time. Instants beyond the range of a Date are clamped to it. */
  at(ms: number): number {
    if (this.timeZone === 'UTC') return 0;
    return this.#findConstantOffset(ms, blockMs) ?? this.#findConstantOffset(ms, dayMs) ?? this.#computeOffset(ms);
  }

  /** Returns the wall-clock time at an instant. */
  getLocalTime(ms: number): number {
    return ms + this.at(ms);
  }

  /** Returns the offset of the block around an instant, or undefined if it differs between the ends of the block. */
  #findConstantOffset(ms: number, length: number): number | undefined {
    const start = Math.floor(ms / length) * length;
    const offset = this.#getCachedOffset(start);
    return offset === this.#getCachedOffset(start + length) ? offset : undefined;
  }

  #getCachedOffset(ms: number): number {
    let offset = this.#cachedOffsets.get(ms);
    if (offset === undefined) this.#cachedOffsets.set(ms, (offset = this.#computeOffset(ms)));
    return offset;
  }

  #computeOffset(ms: number): number {
    return toZonedDateTime(clampInstant(ms), this.timeZone).offsetNanoseconds / 1e6;
  }

  /** Returns all instants of a wall-clock time, ascending: two if the clocks show it twice, none if they skip it. */
  findInstants(localTime: number): number[] {
    const first = localTime - this.at(localTime - dayMs);
    const second = localTime - this.at(localTime + dayMs);
    return [...new Set([first, second])].filter(ms => this.getLocalTime(ms) === localTime).sort((a, b) => a - b);
  }

  /** Returns the first instant whose wall-clock time is this or later. If the clocks skip the time, it is the instant of the change. */
  firstInstantFrom(localTime: number): number {
    const [instant] = this.findInstants(localTime);
    if (instant !== undefined) return instant;
    const beforeChange = localTime - this.at(localTime + dayMs);
    const change = toZonedDateTime(clampInstant(beforeChange), this.timeZone).getTimeZoneTransition('next');
    return change?.epochMilliseconds ?? beforeChange;
  }
}
