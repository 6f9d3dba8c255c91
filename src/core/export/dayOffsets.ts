import { Temporal } from 'temporal-polyfill';

const dayMs = 86_400_000;

/**
 * The UTC offset of a zone at any instant, in milliseconds: asked of the zone once a UTC day, oftener only where the clocks change.
 * For rows whose span is not known before; where it is, core/compare/zoneOffsets.ts also goes from the wall clock back.
 */
export class DayOffsets {
  private readonly timeZone: string;
  private readonly atMidnight = new Map<number, number>();

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  at(ms: number): number {
    if (this.timeZone === 'UTC') return 0;
    const day = Math.floor(ms / dayMs);
    const offset = this.midnight(day);
    return offset === this.midnight(day + 1) ? offset : this.ask(ms);
  }

  private midnight(day: number): number {
    let offset = this.atMidnight.get(day);
    if (offset === undefined) this.atMidnight.set(day, (offset = this.ask(day * dayMs)));
    return offset;
  }

  private ask(ms: number): number {
    return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(this.timeZone).offsetNanoseconds / 1e6;
  }
}
