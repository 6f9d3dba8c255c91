import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { clampInstant } from '../../shared/formatTime.ts';

/**
 * No zone changes its clocks twice within six days. Therefore, if the offset is equal at both ends of a block, it is constant throughout the
 * block.
 */
const blockMs = 5 * dayMs;

/** Converts an instant (UTC milliseconds) to the date and time in a zone. Throws a RangeError for instants that a Date can't hold. */
export function toZonedDateTime(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
}

/**
 * Computes the offsets of a zone from UTC. Computing an offset is slow, so offsets are cached at the ends of blocks of several days. Where
 * the offset changes within a block, they are cached at the ends of its UTC days. Only on the day of the change is the offset of each
 * instant computed. A local time is a number: the UTC milliseconds at which clocks in UTC show this time.
 */
export class ZoneOffsets {
  readonly timeZone: string;
  readonly #cachedOffsets = new Map<number, number>();

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** Returns the offset at an instant: local time minus UTC, in milliseconds. Instants beyond the range of a Date are clamped to it. */
  at(ms: number): number {
    if (this.timeZone === 'UTC') return 0;
    return this.#findConstantOffset(ms, blockMs) ?? this.#findConstantOffset(ms, dayMs) ?? this.#computeOffset(ms);
  }

  /** Returns the local time at an instant. */
  getLocalTime(ms: number): number {
    return ms + this.at(ms);
  }

  /** Returns the offset in the block that contains an instant, or undefined if the offset changes within the block. */
  #findConstantOffset(ms: number, blockLength: number): number | undefined {
    const start = Math.floor(ms / blockLength) * blockLength;
    const offset = this.#getCachedOffset(start);
    return offset === this.#getCachedOffset(start + blockLength) ? offset : undefined;
  }

  #getCachedOffset(ms: number): number {
    let offset = this.#cachedOffsets.get(ms);
    if (offset === undefined) this.#cachedOffsets.set(ms, (offset = this.#computeOffset(ms)));
    return offset;
  }

  #computeOffset(ms: number): number {
    return toZonedDateTime(clampInstant(ms), this.timeZone).offsetNanoseconds / 1e6;
  }

  /** Returns the instants of a local time in ascending order: two if the clocks show it twice, none if they skip it. */
  findInstants(localTime: number): number[] {
    const withEarlierOffset = localTime - this.at(localTime - dayMs);
    const withLaterOffset = localTime - this.at(localTime + dayMs);
    return [...new Set([withEarlierOffset, withLaterOffset])]
      .filter(ms => this.getLocalTime(ms) === localTime)
      .sort((a, b) => a - b);
  }

  /** Returns the first instant of a local time. If the clocks skip this time, returns the instant of the clock change. */
  firstInstantFrom(localTime: number): number {
    const [instant] = this.findInstants(localTime);
    if (instant !== undefined) return instant;
    const beforeChange = localTime - this.at(localTime + dayMs);
    const change = toZonedDateTime(clampInstant(beforeChange), this.timeZone).getTimeZoneTransition('next');
    return change?.epochMilliseconds ?? beforeChange;
  }
}
