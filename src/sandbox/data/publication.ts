import type { Clock } from '../../core/ports.ts';
import { hourMs } from './gridHour.ts';
import type { HourSource } from './source.ts';

/** Which data is published; may be changed while the sandbox runs. */
export class Publication {
  /** By how many hours upstream data is late; responses then say so. */
  delayHours = 0;
  /** Hours that upstream never delivered, counted from 1970-01-01T00:00Z. */
  holes: ReadonlySet<number> = new Set();
  readonly #clock: Pick<Clock, 'now'>;
  #present: number | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The service's current time, UTC milliseconds. Limits and keys use the clock alone. */
  get now(): number {
    return this.#present ?? this.#clock.now();
  }

  /** Whether the current time was set, and so is stopped. */
  get standsStill(): boolean {
    return this.#present !== undefined;
  }

  /** Stops the current time at an instant; undefined lets it follow the clock again. */
  setNow(instant: number | undefined): void {
    this.#present = instant;
  }

  /** The hour after the last published one: an hour is published when it is over. `lateHours` are added to the delay. */
  endHour(source: HourSource, lateHours = 0): number {
    return Math.min(Math.floor(this.now / hourMs) - this.delayHours - lateHours, source.endHour);
  }
}
