import { zoned } from './periods.ts';

/** The offsets of a zone from UTC over a stretch of time: its clock changes are looked up once, not for each instant. */
export class ZoneOffsets {
  /** Ascending; the offset of each holds from its instant on. */
  private readonly changes: readonly { readonly from: number; readonly offset: number }[];

  /** For instants between `from` and `to`, UTC milliseconds. */
  constructor(timeZone: string, from: number, to: number) {
    let at = zoned(from, timeZone);
    const changes = [{ from: -Infinity, offset: offsetOf(at) }];
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (!next || next.epochMilliseconds > to) break;
      changes.push({ from: next.epochMilliseconds, offset: offsetOf(next) });
      at = next;
    }
    this.changes = changes;
  }

  /** Milliseconds to add to UTC for wall-clock time. */
  at(ms: number): number {
    let [low, high] = [0, this.changes.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.changes[middle]?.from ?? Infinity) <= ms) low = middle;
      else high = middle - 1;
    }
    return this.changes[low]?.offset ?? 0;
  }

  /** The instant of a wall-clock time (milliseconds as if it were UTC): the earlier of two, undefined where the clock skips it. */
  instantOf(wall: number): number | undefined {
    const around = [this.at(wall - 86_400_000), this.at(wall + 86_400_000)];
    const fitting = around.map(offset => wall - offset).filter(ms => ms + this.at(ms) === wall);
    return fitting.length > 0 ? Math.min(...fitting) : undefined;
  }

  /** The first instant whose wall-clock time is this or later: that of the clock change where the clock skips it. */
  firstInstantFrom(wall: number): number {
    const exact = this.instantOf(wall);
    if (exact !== undefined) return exact;
    const skip = this.changes.find(({ from, offset }) => from + offset > wall && from + this.at(from - 1) <= wall);
    return skip?.from ?? wall - this.at(wall);
  }

  /** Whether the clock showed the wall-clock time of this instant before: the second of a doubled hour. */
  isRepeat(ms: number): boolean {
    const first = this.instantOf(ms + this.at(ms));
    return first !== undefined && first < ms;
  }

  /** The later of two instants of one wall-clock time, if there are two. */
  laterInstantOf(wall: number): number | undefined {
    const last = wall - this.at(wall + 86_400_000);
    return last + this.at(last) === wall ? last : undefined;
  }
}

function offsetOf(moment: { readonly offsetNanoseconds: number }): number {
  return moment.offsetNanoseconds / 1_000_000;
}
