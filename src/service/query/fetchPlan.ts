import type { GridError } from '../../core/errors.ts';
import { halve, lengthVerdict } from '../../core/query/plan.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { seriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';
import type { MaxRangeStore } from './maxRangeStore.ts';

/** The maximum length of a request in intervals: ten years of hours, about 35 MB of JSON. */
const mostSteps = 87_840;
/** The maximum number of timeouts after which a part is split: an unresponsive service must not get ever more requests. */
const mostTimeouts = 2;
/** A service that still refuses an eighth of a range has another reason than its length, unless its message names the length. */
const mostHalvings = { unsure: 3, sure: 8 };
/** The minimum length of a part in intervals: no service has a lower limit, and smaller parts would take too many requests. */
const leastSteps = 24;
/** The number of consecutive failures after which the service counts as down. */
const mostFailures = 2;

/** The parts of a plan that are still to be requested, in chronological order. */
export class FetchPlan {
  readonly #series: string;
  readonly #stepMs: number;
  readonly #spans: Pick<MaxRangeStore, 'limitOf' | 'learn' | 'suspect'>;
  #parts: Span[] = [];
  #timeouts = 0;
  #halvings = 0;
  #failures = 0;
  /** The length that is likely to be the limit. It is stored once a part of that length succeeds. */
  #suspected: number | undefined;
  done = 0;

  constructor(series: SeriesKey, stepMs: number, spans: Pick<MaxRangeStore, 'limitOf' | 'learn' | 'suspect'>) {
    this.#series = seriesIdentity({ ...series, params: {} });
    this.#stepMs = stepMs;
    this.#spans = spans;
  }

  /** The maximum length of a request in intervals, as far as known. */
  get maxSteps(): number {
    const known = this.#spans.limitOf(this.#series);
    return known === undefined ? mostSteps : Math.max(1, Math.min(mostSteps, Math.floor(known / this.#stepMs)));
  }

  get length(): number {
    return this.#parts.length;
  }

  get total(): number {
    return this.done + this.#parts.length;
  }

  /** The parts that are still to be requested. */
  get parts(): readonly Span[] {
    return this.#parts;
  }

  add(parts: readonly Span[]): void {
    this.#parts.push(...parts);
  }

  next(): Span | undefined {
    return this.#parts.shift();
  }

  /** Counts a part that needed no request or whose response allows no conclusion about the service's limits. */
  finished(): void {
    this.done++;
  }

  /** Counts a part whose request succeeded, and stores its length if it confirms a suspected limit. */
  async succeeded(part: Span): Promise<void> {
    this.done++;
    this.#failures = 0;
    this.#halvings = 0;
    if (this.#suspected === undefined || part.end - part.start > this.#suspected) return;
    const limit = this.#suspected;
    this.#suspected = undefined;
    await this.#spans.learn(this.#series, limit);
  }

  /** Counts a failure. Returns whether the next part would very likely fail too. */
  failedAgain(): boolean {
    this.done++;
    return ++this.#failures >= mostFailures;
  }

  /** Passes the remaining parts to `onRest`, and empties the plan. */
  giveUp(take: (rest: readonly Span[]) => void): void {
    take(this.#parts);
    this.#parts = [];
  }

  /** Replaces a part that failed because it was too long by shorter parts. Returns false if that cannot help. */
  async shorten(part: Span, error: GridError): Promise<boolean> {
    const verdict = lengthVerdict(error);
    if (!verdict.tooLong) return false;
    const timeout = error.reason === 'timeout';
    if (timeout && ++this.#timeouts > mostTimeouts) return false;
    const { sure } = verdict;
    const shorter = this.#pieces(part, verdict.namedMs) ?? this.#halves(part, sure);
    const first = shorter?.[0];
    const half = Math.floor((part.end - part.start) / 2 / this.#stepMs);
    const limit = first ? first.end - first.start : Math.max(half, leastSteps) * this.#stepMs;
    // Stored for the next run, however this one ends.
    if (sure) await this.#spans.suspect(this.#series, limit);
    if (!shorter) return false;
    // A single timeout is no evidence of a limit.
    if (!timeout) this.#suspected = limit;
    this.#parts = [...shorter, ...this.#parts.flatMap(rest => cut(rest, limit))];
    return true;
  }

  #halves(part: Span, sure: boolean): Span[] | undefined {
    const steps = (part.end - part.start) / this.#stepMs;
    const most = sure ? mostHalvings.sure : mostHalvings.unsure;
    if (steps < 2 * leastSteps || ++this.#halvings > most) return undefined;
    return halve(part, this.#stepMs);
  }

  /**
   * Splits a part by the first plausible limit that the service's message names: the message may also name the requested length, or that of an
   * interval. Undefined if the part is already shorter than all of them, so that they have another meaning.
   */
  #pieces(part: Span, namedMs: readonly number[]): Span[] | undefined {
    const lengths = namedMs.map(ms => Math.floor(ms / this.#stepMs) * this.#stepMs);
    const length = lengths.find(ms => ms >= Math.max(dayMs, this.#stepMs) && ms < part.end - part.start);
    return length === undefined ? undefined : cut(part, length);
  }
}

function cut(part: Span, lengthMs: number): Span[] {
  const parts: Span[] = [];
  for (let start = part.start; start < part.end; start += lengthMs) {
    parts.push({ start, end: Math.min(start + lengthMs, part.end) });
  }
  return parts;
}
