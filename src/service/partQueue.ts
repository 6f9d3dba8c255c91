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

/** The parts of a plan that are still to be asked for, in order of time. */
export class PartQueue {
  readonly #series: string;
  readonly #stepMs: number;
  readonly #spans: Pick<SpanMemory, 'limitOf' | 'learn'>;
  #parts: Span[] = [];
  #timeouts = 0;
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

  succeeded(): void {
    this.done++;
  }

  /** Hands over what is left, and empties the queue. */
  giveUp(take: (rest: readonly Span[]) => void): void {
    take(this.#parts);
    this.#parts = [];
  }

  /** After a failure: puts shorter parts in the place of one that was too long, and remembers the length. False where that cannot help. */
  async shorten(part: Span, error: GridError): Promise<boolean> {
    const verdict = lengthVerdict(error);
    if (!verdict.tooLong) return false;
    if (error.reason === 'timeout' && ++this.#timeouts > mostTimeouts) return false;
    const named = verdict.limitMs === undefined ? 0 : Math.floor(verdict.limitMs / this.#stepMs) * this.#stepMs;
    const shorter = named > 0 && named < part.end - part.start ? cut(part, named) : halve(part, this.#stepMs);
    const first = shorter?.[0];
    if (!shorter || !first) return false;
    const limit = first.end - first.start;
    await this.#spans.learn(this.#series, limit);
    this.#parts = [...shorter, ...this.#parts.flatMap(rest => cut(rest, limit))];
    return true;
  }
}

function cut(part: Span, lengthMs: number): Span[] {
  const parts: Span[] = [];
  for (let start = part.start; start < part.end; start += lengthMs) {
    parts.push({ start, end: Math.min(start + lengthMs, part.end) });
  }
  return parts;
}
