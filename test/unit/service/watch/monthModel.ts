import type { FailureReason } from '../../../../src/core/errors.ts';
import { hour } from '../gridWorld.ts';
import { minute } from './watchWorld.ts';

/** An hour that an alert must report, and the hour in which it must be reported. */
export interface Expected {
  readonly query: string;
  readonly alert: string;
  readonly hour: number;
  readonly in: number;
}

interface Hour {
  /** When the row is published, and when its values are no longer null. */
  readonly rowAt: number;
  readonly valueAt: number;
  readonly values: Readonly<Record<string, number>>;
}

/** The plan of a month: when the service publishes each hour or fails, when the computer sleeps, and the expected alerts. */
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
    // All hours are published and fetched before the month ends.
    const faultFreeFrom = this.end - 36 * hour;
    let outageUntil = 0;
    for (let ms = first - 60 * hour; ms < this.end; ms += hour) {
      const isFaultFree = ms > faultFreeFrom;
      if (!isFaultFree && random() < 0.02) outageUntil = ms + Math.ceil(random() * 9) * hour;
      const delay = !isFaultFree && random() < 0.03 ? Math.ceil(random() * 12) * hour : 0;
      const rowAt = Math.max(ms + hour + delay, outageUntil);
      const valueAt = rowAt + (!isFaultFree && random() < 0.03 ? Math.ceil(random() * 10) * hour : 0);
      const value = random();
      const residual = 20_000 + 10_000 * random();
      const rise = 2_000 * random() - 1_000;
      const values = { value, residual_demand_mw: residual, ocgt_ramp_mw: rise };
      this.#hours.set(ms, { rowAt, valueAt, values });
      if (!isFaultFree && ms > first && random() < 0.06)
        this.#failing.set(ms, random() < 0.5 ? 'throttled' : 'serverError');
    }
  }

  row(ms: number, instant: number): Readonly<Record<string, unknown>> | undefined {
    const hourRow = this.#hours.get(ms);
    if (!hourRow || hourRow.rowAt > instant) return undefined;
    if (hourRow.valueAt <= instant) return hourRow.values;
    return Object.fromEntries(Object.keys(hourRow.values).map(name => [name, null]));
  }

  failureIn(instant: number): FailureReason | undefined {
    return this.#failing.get(Math.floor(instant / hour) * hour);
  }

  /** Lists the hours in which the computer was awake for a while. */
  get awakeHours(): number[] {
    const awakeHours: number[] = [];
    for (let ms = Math.floor(this.#start / hour) * hour; ms < this.end; ms += hour)
      if (!this.#asleep.has(ms)) awakeHours.push(ms);
    return awakeHours;
  }

  /** Lists the hours that match an alert, each with the first hour in which it could be fetched. */
  reportedValues(query: string, alert: string, column: string, matches: (value: number) => boolean): Expected[] {
    return [...this.#hours].flatMap(([ms, { valueAt, values }]) => {
      if (ms + hour <= this.#start || !matches(values[column] ?? NaN)) return [];
      const fetchedAt = this.#fetchedHours.find(awake => awake >= valueAt);
      return fetchedAt === undefined ? [] : [{ query, alert, hour: ms, in: fetchedAt }];
    });
  }

  /** Lists the first hour of each period in which the newest row was visibly missing. */
  reportedDelays(query: string, alert: string): Expected[] {
    let wasLate = false;
    return this.#fetchedHours.flatMap(awake => {
      const newest = awake - hour;
      const isLate = (this.#hours.get(newest)?.rowAt ?? 0) > awake;
      const isStart = isLate && !wasLate && awake > this.#start;
      // Hours that ended before the alert was created are ignored, even if they are late.
      if (awake > this.#start) wasLate = isLate;
      return isStart ? [{ query, alert, hour: newest, in: awake }] : [];
    });
  }

  /** Lists the hours in which a request was sent and succeeded. */
  get #fetchedHours(): number[] {
    return this.awakeHours.filter(ms => !this.#failing.has(ms));
  }

  /** Plans sleeps between random minutes of two hours. The computer is awake for none of an hour or for at least a quarter of it. */
  #planSleeps(random: () => number): void {
    const getRandomMinute = (): number => Math.round(5 + 40 * random()) * minute;
    let ms = Math.floor(this.#start / hour) * hour;
    for (;;) {
      ms += Math.ceil(4 + random() * 48) * hour;
      const length = Math.floor(random() * 11);
      const [from, to] = length === 0 ? [10 * minute, 30 * minute] : [getRandomMinute(), getRandomMinute()];
      if (ms + length * hour > this.end - 40 * hour) return;
      this.sleeps.push({ at: ms + from, ms: length * hour + to - from });
      for (let asleep = 1; asleep < length; asleep += 1) this.#asleep.add(ms + asleep * hour);
      ms += length * hour;
    }
  }
}
