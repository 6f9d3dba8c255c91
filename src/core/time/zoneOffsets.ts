import { Temporal } from 'temporal-polyfill';
import { dayMs } from '../../shared/durations.ts';
import { clampInstant } from '../../shared/formatTime.ts';

/** No zone changes its clocks twice within six days: an offset that both ends of a block have holds throughout. */
const blockMs = 5 * dayMs;

/** The date and time that clocks of a zone show at an instant, UTC milliseconds. Throws a RangeError beyond what a Date can hold. */
export function zoned(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
}

/**
 * The offsets of a zone from UTC. Looking one up in the zone is slow: it is done at the ends of blocks of days, of each UTC day of a block
 * in which the clocks change, and for each instant only on the day of the change. A wall-clock time is written as the UTC milliseconds at
 * which clocks in UTC show the same.
 */
export class ZoneOffsets {
  readonly timeZone: string;
  readonly #atEnds = new Map<number, number>();

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** Milliseconds to add to an instant for wall-clock time. Beyond the range of a Date, that of its nearest end. */
  at(ms: number): number {
    if (this.timeZone === 'UTC') return 0;
    return this.#within(ms, blockMs) ?? this.#within(ms, dayMs) ?? this.#lookUp(ms);
  }

  /** The wall-clock time at an instant. */
  wallAt(ms: number): number {
    return ms + this.at(ms);
  }

  /** The offset at both ends of the block around an instant; undefined where they differ. */
  #within(ms: number, length: number): number | undefined {
    const start = Math.floor(ms / length) * length;
    const offset = this.#atEnd(start);
    return offset === this.#atEnd(start + length) ? offset : undefined;
  }

  #atEnd(ms: number): number {
    let offset = this.#atEnds.get(ms);
    if (offset === undefined) this.#atEnds.set(ms, (offset = this.#lookUp(ms)));
    return offset;
  }

  #lookUp(ms: number): number {
    return zoned(clampInstant(ms), this.timeZone).offsetNanoseconds / 1e6;
  }

  /** All instants of a wall-clock time, ascending: two where the clock shows it twice, none where the clock skips it. */
  instantsOf(wall: number): number[] {
    const [before, after] = [wall - this.at(wall - dayMs), wall - this.at(wall + dayMs)];
    return [...new Set([before, after])].filter(ms => this.wallAt(ms) === wall).sort((a, b) => a - b);
  }

  /** The first instant whose wall-clock time is this or later: that of the clock change where the clock skips it. */
  firstInstantFrom(wall: number): number {
    const [instant] = this.instantsOf(wall);
    if (instant !== undefined) return instant;
    const beforeChange = wall - this.at(wall + dayMs);
    const change = zoned(clampInstant(beforeChange), this.timeZone).getTimeZoneTransition('next');
    return change?.epochMilliseconds ?? beforeChange;
  }
}
