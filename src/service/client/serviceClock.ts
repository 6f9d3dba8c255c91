import * as v from 'valibot';
import type { Clock, KeyValueStore } from '../../core/ports.ts';
import { filterValidEntries } from '../../core/json/json.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

/** The minimum difference that counts as a wrong clock. Smaller ones come from network delay and the whole seconds of the Date header. */
const toleranceMs = 5_000;
/**
 * The maximum change of the offset that one response may cause. A second response must confirm a larger change, since a device or a proxy may
 * have no clock.
 */
const maxUnconfirmedMs = 5 * minuteMs;
/** The maximum offset in milliseconds. A clock that starts in 1970 is wrong by less; a larger offset would exceed the range of a Date. */
const maxOffsetMs = 100 * 366 * dayMs;
const offsetSchema = v.pipe(v.number(), v.minValue(-maxOffsetMs), v.maxValue(maxOffsetMs));
const stateKey = 'clockOffsets';

/** The times of a response, UTC milliseconds: when it was sent by the service's clock, and when it was requested and began by ours. */
interface ResponseTimes {
  readonly respondedAt: number;
  readonly sentAt: number;
  readonly headAt: number;
}

/** The time at each service: a wrong local clock must not make hours look published or fresh. */
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

  /** Returns the time at the service in UTC milliseconds; by our own clock until the service has sent its time. */
  now(source: string): number {
    return this.#clock.now() + this.offset(source);
  }

  /** Returns how far the service's clock is ahead of ours, in milliseconds. */
  offset(source: string): number {
    return this.#offsets.get(source) ?? 0;
  }

  /**
   * Returns when the request was sent, by the service's clock: the service read its data after that. A Date header has no fractions of a second,
   * which does not matter for hours. The result is never 0, which stands for hours that were not requested.
   */
  getRequestTime(source: string, { respondedAt, sentAt, headAt }: ResponseTimes): number {
    const sentAtService = sentAt + this.offset(source);
    if (this.#needsConfirmation(source, respondedAt - headAt)) return Math.max(1, sentAtService);
    return Math.max(1, Math.min(respondedAt, Math.max(sentAtService, respondedAt - Math.max(0, headAt - sentAt))));
  }

  /** Updates the offset from a response. An offset that contradicts the known one is used only if the previous response had the same. */
  async update(source: string, { respondedAt, sentAt, headAt }: ResponseTimes): Promise<void> {
    // The response of a slow service may have any time between request and response without a wrong clock.
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
    // If it cannot be stored, a later response has it again; this one must not fail because of that.
    await this.#state.update(stateKey, Object.fromEntries(this.#offsets)).catch(() => undefined);
  }

  #needsConfirmation(source: string, offset: number): boolean {
    return Math.abs(offset - this.offset(source)) > maxUnconfirmedMs;
  }
}
