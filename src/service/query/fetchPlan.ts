import type { GridError } from '../../core/errors.ts';
import { halve, checkRangeLength } from '../../core/query/requestPlan.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { getSeriesIdentity, type SeriesKey } from '../../core/query/seriesKey.ts';
import { dayMs } from '../../shared/durations.ts';
import type { MaxRangeStore } from './maxRangeStore.ts';

/** The maximum length of a request in intervals: ten years of hours, about 35 MB of JSON. */
const maxIntervals = 87_840;
/** The maximum number of timeouts after which a part is split: an unresponsive service must not get ever more requests. */
const maxTimeouts = 2;
/**
 * How often a part may be halved. A service that still rejects an eighth of a range has another reason than its length, unless its message
 * names the length.
 */
const maxHalvings = { uncertain: 3, certain: 8 };
/** The minimum length of a part in intervals: no service has a lower limit, and smaller parts would take too many requests. */
const minIntervals = 24;
/** The number of consecutive failures after which the service is considered down. */
const maxFailures = 2;

type RangeLimits = Pick<MaxRangeStore, 'getLimit' | 'confirmLimit' | 'suspectLimit'>;

/** The parts of a plan that are still to be requested, in chronological order. */
export class FetchPlan {
  readonly #series: string;
  readonly #intervalMs: number;
  readonly #maxRanges: RangeLimits;
  #parts: Span[] = [];
  #timeouts = 0;
  #halvings = 0;
  #failures = 0;
  /** The length that is likely to be the limit. It is stored once a part of that length succeeds. */
  #suspected: number | undefined;
  done = 0;

  constructor(series: SeriesKey, intervalMs: number, maxRanges: RangeLimits) {
    this.#series = getSeriesIdentity({ ...series, params: {} });
    this.#intervalMs = intervalMs;
    this.#maxRanges = maxRanges;
  }

  /** The known maximum length of a request, in intervals. */
  get maxLength(): number {
    const limit = this.#maxRanges.getLimit(this.#series);
    return limit === undefined
      ? maxIntervals
      : Math.max(1, Math.min(maxIntervals, Math.floor(limit / this.#intervalMs)));
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

  takeNext(): Span | undefined {
    return this.#parts.shift();
  }

  /** Counts a part that needed no request or whose response allows no conclusion about the service's limits. */
  skip(): void {
    this.done++;
  }

  /** Counts a part whose request succeeded, and stores its length if it confirms a suspected limit. */
  async succeed(part: Span): Promise<void> {
    this.done++;
    this.#failures = 0;
    this.#halvings = 0;
    if (this.#suspected === undefined || part.end - part.start > this.#suspected) return;
    const limit = this.#suspected;
    this.#suspected = undefined;
    await this.#maxRanges.confirmLimit(this.#series, limit);
  }

  /** Counts a failure. Returns whether the next part would very likely fail too. */
  fail(): boolean {
    this.done++;
    return ++this.#failures >= maxFailures;
  }

  /** Passes the remaining parts to `onRest`, and empties the plan. */
  giveUp(onRest: (rest: readonly Span[]) => void): void {
    onRest(this.#parts);
    this.#parts = [];
  }

  /** Replaces a part that failed because it was too long by shorter parts. Returns false if that cannot help. */
  async shorten(part: Span, error: GridError): Promise<boolean> {
    const lengthCheck = checkRangeLength(error);
    if (!lengthCheck.isTooLong) return false;
    const isTimeout = error.reason === 'timeout';
    if (isTimeout && ++this.#timeouts > maxTimeouts) return false;
    const { isCertain } = lengthCheck;
    const shorterParts = this.#splitByLimit(part, lengthCheck.durationsMs) ?? this.#splitInHalf(part, isCertain);
    const first = shorterParts?.[0];
    const half = Math.floor((part.end - part.start) / 2 / this.#intervalMs);
    const limit = first ? first.end - first.start : Math.max(half, minIntervals) * this.#intervalMs;
    // Stored for the next run, however this one ends.
    if (isCertain) await this.#maxRanges.suspectLimit(this.#series, limit);
    if (!shorterParts) return false;
    // A single timeout does not prove a limit.
    if (!isTimeout) this.#suspected = limit;
    this.#parts = [...shorterParts, ...this.#parts.flatMap(rest => split(rest, limit))];
    return true;
  }

  #splitInHalf(part: Span, isCertain: boolean): Span[] | undefined {
    const intervals = (part.end - part.start) / this.#intervalMs;
    const maxCount = isCertain ? maxHalvings.certain : maxHalvings.uncertain;
    if (intervals < 2 * minIntervals || ++this.#halvings > maxCount) return undefined;
    return halve(part, this.#intervalMs);
  }

  /**
   * Splits a part by the first plausible limit that the service's message names: the message may also name the requested length, or the
   * length of an interval. Returns undefined if the part is already shorter than all of them, so that they have another meaning.
   */
  #splitByLimit(part: Span, namedMs: readonly number[]): Span[] | undefined {
    const lengths = namedMs.map(ms => Math.floor(ms / this.#intervalMs) * this.#intervalMs);
    const length = lengths.find(ms => ms >= Math.max(dayMs, this.#intervalMs) && ms < part.end - part.start);
    return length === undefined ? undefined : split(part, length);
  }
}

function split(part: Span, lengthMs: number): Span[] {
  const parts: Span[] = [];
  for (let start = part.start; start < part.end; start += lengthMs) {
    parts.push({ start, end: Math.min(start + lengthMs, part.end) });
  }
  return parts;
}
