import { Temporal } from 'temporal-polyfill';
import { clampInstant } from '../../shared/formatTime.ts';

const dayMs = 86_400_000;

/** The date and time that clocks of a zone show at an instant, UTC milliseconds. Throws a RangeError beyond what a Date can hold. */
export function zoned(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
}

/**
 * The offsets of a zone from UTC. Looking one up in the zone is slow: it is done once for each UTC day, and for each instant only on days
 * on which the clocks change. A wall-clock time is written as the UTC milliseconds at which clocks in UTC show the same.
 */
export class ZoneOffsets {
  readonly #timeZone: string;
  readonly #atMidnight = new Map<number, number>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** Milliseconds to add to an instant for wall-clock time. Beyond the range of a Date, that of its nearest end. */
  at(ms: number): number {
    if (this.#timeZone === 'UTC') return 0;
    const day = Math.floor(ms / dayMs);
    const offset = this.#midnight(day);
    return offset === this.#midnight(day + 1) ? offset : this.#lookUp(ms);
  }

  #midnight(day: number): number {
    let offset = this.#atMidnight.get(day);
    if (offset === undefined) this.#atMidnight.set(day, (offset = this.#lookUp(day * dayMs)));
    return offset;
  }

  #lookUp(ms: number): number {
    return zoned(clampInstant(ms), this.#timeZone).offsetNanoseconds / 1e6;
  }

  /** All instants of a wall-clock time, ascending: two where the clock shows it twice, none where the clock skips it. */
  instantsOf(wall: number): number[] {
    const [before, after] = [wall - this.at(wall - dayMs), wall - this.at(wall + dayMs)];
    return [...new Set([before, after])].filter(ms => ms + this.at(ms) === wall).sort((a, b) => a - b);
  }

  /** The first instant whose wall-clock time is this or later: that of the clock change where the clock skips it. */
  firstInstantFrom(wall: number): number {
    const [instant] = this.instantsOf(wall);
    if (instant !== undefined) return instant;
    const beforeChange = wall - this.at(wall + dayMs);
    const change = zoned(clampInstant(beforeChange), this.#timeZone).getTimeZoneTransition('next');
    return change?.epochMilliseconds ?? beforeChange;
  }
}
