import type { FailureReason } from '../../../../src/core/errors.ts';
import { hour } from '../gridWorld.ts';
import { minute } from './watchWorld.ts';

/** One hour an alert has to tell, and the hour within which. */
export interface Expected {
  readonly query: string;
  readonly alert: string;
  readonly hour: number;
  readonly in: number;
}

interface Hour {
  /** When the row is there, and when its values are no longer null. */
  readonly rowAt: number;
  readonly valueAt: number;
  readonly values: Readonly<Record<string, number>>;
}

/** What a service publishes and when, when it fails and when the computer sleeps: the plan of a month, and what follows from it. */
export class MonthModel {
  readonly end: number;
  readonly sleeps: { readonly at: number; readonly ms: number }[] = [];
  readonly #start: number;
  readonly #hours = new Map<number, Hour>();
  readonly #failing = new Map<number, FailureReason>();
  readonly #asleep = new Set<number>();

  constructor(start: number, days: number, random: () => number) {
    this.#start = start;
    const first = Math.floor(start / hour) * hour;
    this.end = first + days * 24 * hour + 30 * minute;
    this.#planSleeps(random);
    // Everything is out and fetched before the month ends.
    const calmFrom = this.end - 36 * hour;
    let outageUntil = 0;
    for (let ms = first - 60 * hour; ms < this.end; ms += hour) {
      const calm = ms > calmFrom;
      if (!calm && random() < 0.02) outageUntil = ms + Math.ceil(random() * 9) * hour;
      const lone = !calm && random() < 0.03 ? Math.ceil(random() * 12) * hour : 0;
      const rowAt = Math.max(ms + hour + lone, outageUntil);
      const valueAt = rowAt + (!calm && random() < 0.03 ? Math.ceil(random() * 10) * hour : 0);
      const [value, residual, rise] = [random(), 20_000 + 10_000 * random(), 2_000 * random() - 1_000];
      const values = { value, residual_demand_mw: residual, ocgt_ramp_mw: rise };
      this.#hours.set(ms, { rowAt, valueAt, values });
      if (!calm && ms > first && random() < 0.06) this.#failing.set(ms, random() < 0.5 ? 'throttled' : 'serverError');
    }
  }

  row(ms: number, at: number): Readonly<Record<string, unknown>> | undefined {
    const one = this.#hours.get(ms);
    if (!one || one.rowAt > at) return undefined;
    if (one.valueAt <= at) return one.values;
    return Object.fromEntries(Object.keys(one.values).map(name => [name, null]));
  }

  failureIn(at: number): FailureReason | undefined {
    return this.#failing.get(Math.floor(at / hour) * hour);
  }

  /** The hours in which the computer was awake for a while. */
  get awakeHours(): number[] {
    const all: number[] = [];
    for (let ms = Math.floor(this.#start / hour) * hour; ms < this.end; ms += hour)
      if (!this.#asleep.has(ms)) all.push(ms);
    return all;
  }

  /** Each hour of a value that speaks is told in the first hour in which it could be fetched. */
  valuesTold(query: string, alert: string, column: string, speaks: (value: number) => boolean): Expected[] {
    return [...this.#hours].flatMap(([ms, { valueAt, values }]) => {
      if (ms + hour <= this.#start || !speaks(values[column] ?? NaN)) return [];
      const told = this.#fetching.find(awake => awake >= valueAt);
      return told === undefined ? [] : [{ query, alert, hour: ms, in: told }];
    });
  }

  /** The first hour of each time in which the newest row was not there, as far as anybody could see. */
  latenessTold(query: string, alert: string): Expected[] {
    let wasLate = false;
    return this.#fetching.flatMap(awake => {
      const newest = awake - hour;
      const isLate = (this.#hours.get(newest)?.rowAt ?? 0) > awake;
      const begins = isLate && !wasLate && awake > this.#start;
      // An hour that was over before the alert was made says nothing, however late it is.
      if (awake > this.#start) wasLate = isLate;
      return begins ? [{ query, alert, hour: newest, in: awake }] : [];
    });
  }

  /** The hours in which a request was made and answered. */
  get #fetching(): number[] {
    return this.awakeHours.filter(ms => !this.#failing.has(ms));
  }

  /** From some minute of an hour to some minute of a later one: each hour is slept through or has a quarter of an hour to act. */
  #planSleeps(random: () => number): void {
    const minuteOf = (): number => Math.round(5 + 40 * random()) * minute;
    let ms = Math.floor(this.#start / hour) * hour;
    for (;;) {
      ms += Math.ceil(4 + random() * 48) * hour;
      const length = Math.floor(random() * 11);
      const [from, to] = length === 0 ? [10 * minute, 30 * minute] : [minuteOf(), minuteOf()];
      if (ms + length * hour > this.end - 40 * hour) return;
      this.sleeps.push({ at: ms + from, ms: length * hour + to - from });
      for (let asleep = 1; asleep < length; asleep += 1) this.#asleep.add(ms + asleep * hour);
      ms += length * hour;
    }
  }
}
