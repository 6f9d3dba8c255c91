const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Wall clock times of one zone. A wall time is written as the UTC milliseconds at which UTC clocks show the same. */
export class ZoneTime {
  readonly timeZone: string;
  private readonly format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.timeZone = timeZone;
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /** What the zone's clocks show at an instant. */
  wallAt(instant: number): number {
    if (this.timeZone === 'UTC') return instant;
    const numbers = new Map(this.format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(numbers.get(type));
    const year = numbers.get('era') === 'BC' ? 1 - part('year') : part('year');
    const date = new Date(0);
    date.setUTCFullYear(year, part('month') - 1, part('day'));
    date.setUTCHours(part('hour'), part('minute'), part('second'), ((instant % 1000) + 1000) % 1000);
    return date.getTime();
  }

  /** Milliseconds the zone's clocks are ahead of UTC. */
  offsetAt(instant: number): number {
    return this.wallAt(instant) - instant;
  }

  /** Every instant at which the clocks show this: two in the hour that a 25-hour day repeats, none in the one a 23-hour day leaves out. */
  instantsAt(wall: number): number[] {
    const before = wall - this.offsetAt(wall - dayMs);
    const after = wall - this.offsetAt(wall + dayMs);
    const found = [...new Set([before, after])].filter(instant => this.wallAt(instant) === wall);
    return found.sort((a, b) => a - b);
  }

  /** The first instant at which the clocks show this; where they leap over it, the instant of the leap. */
  instantAt(wall: number): number {
    return this.instantsAt(wall)[0] ?? wall - this.offsetAt(wall - dayMs);
  }
}
