import type { GridError } from '../core/errors.ts';
import { halve } from '../core/plan.ts';
import type { Span } from '../core/range/resolveRange.ts';
import { seriesIdentity, type SeriesKey } from '../core/seriesKey.ts';
import { lengthVerdict } from '../core/tooLong.ts';
import type { SpanMemory } from './spanMemory.ts';

/** Ten years of hours, about 35 MB of JSON: what is read at once without trouble. */
const mostSteps = 87_840;
/** A service that does not answer at all must not be asked for ever smaller parts of a long range. */
const mostTimeouts = 2;
/** A service that still refuses an eighth of a range does not mind its length. */
const mostHalvings = 3;
/** Nobody limits a request to less; and smaller parts would cost more than they could bring. */
const leastSteps = 24;
/** Failures in a row after which the service is taken to be down. */
const mostFailures = 2;

/** The parts of a plan that are still to be asked for, in order of time. */
export class PartQueue {
  readonly #series: string;
  readonly #stepMs: number;
  readonly #spans: Pick<SpanMemory, 'limitOf' | 'learn'>;
  #parts: Span[] = [];
  #timeouts = 0;
  #halvings = 0;
  #failures = 0;
  /** A length that is likely to be the limit; remembered once a part of it came through. */
  #suspected: number | undefined;
  done = 0;

  constructor(series: SeriesKey, stepMs: number, spans: Pick<SpanMemory, 'limitOf' | 'learn'>) {
    this.#series = seriesIdentity({ ...series, params: {} });
    this.#stepMs = stepMs;
    this.#spans = spans;
  }

  /** The longest request worth trying, in steps. */
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

  add(parts: readonly Span[]): void {
    this.#parts.push(...parts);
  }

  next(): Span | undefined {
    return this.#parts.shift();
  }

  async succeeded(part: Span): Promise<void> {
    this.done++;
    this.#failures = 0;
    this.#halvings = 0;
    if (this.#suspected === undefined || part.end - part.start > this.#suspected) return;
    const limit = this.#suspected;
    this.#suspected = undefined;
    await this.#spans.learn(this.#series, limit);
  }

  /** Counts a failure; true where the next part would very likely fail too. */
  failedAgain(): boolean {
    this.done++;
    return ++this.#failures >= mostFailures;
  }

  /** Hands over what is left, and empties the queue. */
  giveUp(take: (rest: readonly Span[]) => void): void {
    take(this.#parts);
    this.#parts = [];
  }

  /** After a failure: puts shorter parts in the place of one that was too long. False where that cannot help. */
  shorten(part: Span, error: GridError): boolean {
    const verdict = lengthVerdict(error);
    if (!verdict.tooLong) return false;
    const timeout = error.reason === 'timeout';
    if (timeout && ++this.#timeouts > mostTimeouts) return false;
    const shorter = verdict.limitMs === undefined ? this.#halves(part) : this.#pieces(part, verdict.limitMs);
    const first = shorter?.[0];
    if (!shorter || !first) return false;
    const limit = first.end - first.start;
    // A network that stalls once says nothing of the service's limits.
    if (!timeout) this.#suspected = limit;
    this.#parts = [...shorter, ...this.#parts.flatMap(rest => cut(rest, limit))];
    return true;
  }

  #halves(part: Span): Span[] | undefined {
    const steps = (part.end - part.start) / this.#stepMs;
    if (steps < 2 * leastSteps || ++this.#halvings > mostHalvings) return undefined;
    return halve(part, this.#stepMs);
  }

  /** By a limit that the service named; undefined where the part keeps it already, so that it meant something else. */
  #pieces(part: Span, limitMs: number): Span[] | undefined {
    const length = Math.floor(limitMs / this.#stepMs) * this.#stepMs;
    if (length < this.#stepMs || length >= part.end - part.start) return undefined;
    return cut(part, length);
  }
}

function cut(part: Span, lengthMs: number): Span[] {
  const parts: Span[] = [];
  for (let start = part.start; start < part.end; start += lengthMs) {
    parts.push({ start, end: Math.min(start + lengthMs, part.end) });
  }
  return parts;
}
