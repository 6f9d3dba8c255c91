import type { Clock } from '../../core/ports.ts';
import { hourMs } from './gridHour.ts';
import type { HourSource } from './source.ts';

/** What of the data is published: the part of the service's world that tests and dashboards may set while it runs. */
export class Publication {
  /** So many hours the upstream feed is late; the answers then say so. */
  delayHours = 0;
  /** Hours that upstream never delivered, counted from 1970-01-01T00:00Z. */
  holes: ReadonlySet<number> = new Set();
  readonly #clock: Pick<Clock, 'now'>;
  #present: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** What the service takes for the present, UTC milliseconds. Limits and keys go by the clock alone. */
  get now(): number {
    return this.#present ?? this.#clock.now();
  }

  /** Whether the present was set, and so does not go on. */
  get standsStill(): boolean {
    return this.#present !== undefined;
  }

  /** Lets the present stand still at an instant; undefined lets it go with the clock again. */
  setNow(instant: number | undefined): void {
    this.#present = instant;
  }

  /** The hour after the last published one: an hour is published when it is over. `lateHours` come on top of the delay. */
  endHour(source: HourSource, lateHours = 0): number {
    return Math.min(Math.floor(this.now / hourMs) - this.delayHours - lateHours, source.endHour);
  }
}
