import * as v from 'valibot';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { readableEntries } from '../../core/json/readableEntries.ts';

/** Differences below this are network delay and whole seconds of the Date header, not a wrong clock. */
const toleranceMs = 5_000;
/** A clock that begins in 1970 is wrong by less, milliseconds. What is more would make times that no date can hold. */
const mostMs = 100 * 366 * 86_400_000;
const offsetSchema = v.pipe(v.number(), v.minValue(-mostMs), v.maxValue(mostMs));
const name = 'clockOffsets';

/** When an answer came to be, UTC milliseconds: by the service's clock, and by ours when it was asked for and began to come. */
export interface AnswerTimes {
  readonly answeredAt: number;
  readonly sentAt: number;
  readonly headAt: number;
}

/** What time it is at each service: a wrong local clock must not make hours look published or fresh. */
export class ServiceClock {
  readonly #clock: Clock;
  readonly #state: KeyValueStore;
  readonly #offsets: Map<string, number>;

  /** Offsets are kept in the state, so that the first question after a restart knows them already. */
  constructor(clock: Clock, state: KeyValueStore) {
    this.#clock = clock;
    this.#state = state;
    this.#offsets = new Map(Object.entries(readableEntries(state.get(name), offsetSchema)));
  }

  /** UTC milliseconds; our own clock where the service has not said yet. */
  now(source: string): number {
    return this.#clock.now() + this.offset(source);
  }

  /** What the service's clock is ahead of ours, in milliseconds. */
  offset(source: string): number {
    return this.#offsets.get(source) ?? 0;
  }

  /**
   * When the service was asked, by its own clock, as far as that is certain: it looked at its data after the request had
   * left us and before it answered. Its Date has no fractions of a second, which takes nothing from the hour it stands for.
   */
  askedAt(source: string, { answeredAt, sentAt, headAt }: AnswerTimes): number {
    return Math.min(answeredAt, Math.max(sentAt + this.offset(source), answeredAt - Math.max(0, headAt - sentAt)));
  }

  /** Learns from what an answer says of its time. */
  async heard(source: string, { answeredAt, sentAt, headAt }: AnswerTimes): Promise<void> {
    // A service that thinks for long has no wrong clock: any time between request and answer agrees with ours.
    const agrees = answeredAt > sentAt - toleranceMs && answeredAt < headAt + toleranceMs;
    const offset = agrees ? 0 : answeredAt - headAt;
    if (!v.is(offsetSchema, offset)) return;
    if (Math.abs(offset - (this.#offsets.get(source) ?? 0)) <= toleranceMs) return;
    if (offset === 0) this.#offsets.delete(source);
    else this.#offsets.set(source, offset);
    // What cannot be written down is learned again; the answer at hand is worth more.
    await this.#state.update(name, Object.fromEntries(this.#offsets)).catch(() => undefined);
  }
}
