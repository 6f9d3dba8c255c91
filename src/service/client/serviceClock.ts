import * as v from 'valibot';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { filterValidEntries } from '../../core/json/json.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

/** The minimum difference that indicates a wrong clock. Network delay and the whole seconds of the Date header cause smaller differences. */
const toleranceMs = 5_000;
/**
 * The maximum change of the offset that one response may cause. A second response must confirm a larger change, because the first may come
 * from a proxy or a device without a correct clock.
 */
const maxUnconfirmedMs = 5 * minuteMs;
/** The maximum offset in milliseconds. Even a clock that starts in 1970 has a smaller offset. A larger one could exceed the range of a Date. */
const maxOffsetMs = 100 * 366 * dayMs;
const offsetSchema = v.pipe(v.number(), v.minValue(-maxOffsetMs), v.maxValue(maxOffsetMs));
const stateKey = 'clockOffsets';

/** The times of a response in UTC milliseconds. */
interface ResponseTimes {
  /** When the service responded, by the clock of the service. */
  readonly respondedAt: number;
  /** When the request was sent, by the local clock. */
  readonly sentAt: number;
  /** When the head of the response was received, by the local clock. */
  readonly headAt: number;
}

/** Computes the current time at each service, because with a wrong local clock hours would look published or up to date when they are not. */
export class ServiceClock {
  readonly #clock: Clock;
  readonly #state: KeyValueStore;
  readonly #offsets: Map<string, number>;
  /** Offsets that a second response has to confirm, by source. */
  readonly #unconfirmed = new Map<string, number>();

  /** Offsets are stored in the state, so that the first query after a restart uses them. */
  constructor(clock: Clock, state: KeyValueStore) {
    this.#clock = clock;
    this.#state = state;
    this.#offsets = new Map(Object.entries(filterValidEntries(state.get(stateKey), offsetSchema)));
  }

  /** Returns the time at the service in UTC milliseconds, which is the local time until the service has sent its time. */
  now(source: string): number {
    return this.#clock.now() + this.offset(source);
  }

  /** Returns how far the service's clock is ahead of the local clock, in milliseconds. */
  offset(source: string): number {
    return this.#offsets.get(source) ?? 0;
  }

  /**
   * Returns when the request was sent, by the service's clock. The service read its data later than that. The Date header has whole seconds,
   * which is exact enough for hours. The result is never 0, because 0 means that an hour was not requested.
   */
  getRequestTime(source: string, { respondedAt, sentAt, headAt }: ResponseTimes): number {
    const sentAtService = sentAt + this.offset(source);
    if (this.#needsConfirmation(source, respondedAt - headAt)) return Math.max(1, sentAtService);
    return Math.max(1, Math.min(respondedAt, Math.max(sentAtService, respondedAt - Math.max(0, headAt - sentAt))));
  }

  /** Updates the offset from a response. A large change of the offset is used only if the previous response had a similar offset. */
  async update(source: string, { respondedAt, sentAt, headAt }: ResponseTimes): Promise<void> {
    // A slow service may set the Date header at any time between request and response. Such a time does not indicate a wrong clock.
    const isConsistent = respondedAt > sentAt - toleranceMs && respondedAt < headAt + toleranceMs;
    const offset = isConsistent ? 0 : respondedAt - headAt;
    if (!v.is(offsetSchema, offset)) return;
    const unconfirmed = this.#unconfirmed.get(source);
    this.#unconfirmed.delete(source);
    if (Math.abs(offset - this.offset(source)) <= toleranceMs) return;
    const isConfirmed = unconfirmed !== undefined && Math.abs(offset - unconfirmed) <= maxUnconfirmedMs;
    if (!isConsistent && this.#needsConfirmation(source, offset) && !isConfirmed) {
      this.#unconfirmed.set(source, offset);
      return;
    }
    if (offset === 0) this.#offsets.delete(source);
    else this.#offsets.set(source, offset);
    // A storage error is ignored, because the request must not fail and a later response has the offset again.
    await this.#state.update(stateKey, Object.fromEntries(this.#offsets)).catch(() => undefined);
  }

  #needsConfirmation(source: string, offset: number): boolean {
    return Math.abs(offset - this.offset(source)) > maxUnconfirmedMs;
  }
}
