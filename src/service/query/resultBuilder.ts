import { clipFrame } from '../../core/frame/clip.ts';
import { coverageOf, stepsWithRow } from '../../core/frame/coverage.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import { describeFields, fieldsOf } from '../../core/frame/describeFields.ts';
import { GridError, keyRefusals } from '../../core/errors.ts';
import { fitTogether, replaceByTime } from '../../core/frame/frames.ts';
import { nextPublication } from '../../core/query/freshness.ts';
import { joinRevisions, findRevisions } from '../../core/revisions/revisions.ts';
import type { ServiceQuery } from '../../core/query/query.ts';
import { type Span, overlap } from '../../core/range/resolveRange.ts';
import type { Frame } from '../../shared/frame.ts';
import type { RequestTrace, Result, Revisions } from '../../shared/result.ts';
import { replacedBy, type Archived, type ArchivedAnswer } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { failureOf, questionOf } from './fetchWhole.ts';

/** The facts of a response besides its rows. */
interface Received {
  readonly bodies: readonly Uint8Array[];
  readonly requests: readonly RequestTrace[];
  readonly rowsOutside: number;
  readonly incomplete: boolean;
}

/** Builds the result of a run: rows, when each interval was requested, the requests spent and the failures. */
export class ResultBuilder {
  readonly #query: ServiceQuery & { readonly stepMs: number };
  readonly #endpoint: Endpoint;
  /** The current time by the service's clock, UTC milliseconds. */
  now: number;
  /** When each interval of the query was last requested; 0 for never. */
  readonly askedAt: Float64Array;
  /** 1 for each interval that was read from the archive. */
  readonly #archived: Uint8Array;
  readonly #bodies: Uint8Array[] = [];
  readonly #requests: RequestTrace[] = [];
  readonly #failures: Span[] = [];
  #frame: Frame = { rowCount: 0, columns: [] };
  #meta: JsonObject = {};
  #metaAskedAt = 0;
  #rowsOutside = 0;
  #incomplete = false;
  #received = false;
  #revisions: Revisions | undefined;
  #error: GridError | undefined;
  requestsSpent = 0;

  constructor(query: ServiceQuery & { readonly stepMs: number }, endpoint: Endpoint, now: number) {
    this.#query = query;
    this.#endpoint = endpoint;
    this.now = now;
    const steps = Math.ceil((query.end - query.start) / query.stepMs);
    this.askedAt = new Float64Array(steps);
    this.#archived = new Uint8Array(steps);
  }

  /** The range of the query, extended to whole intervals. */
  get range(): Span {
    const { start, stepMs } = this.#query;
    return { start, end: start + this.askedAt.length * stepMs };
  }

  get frame(): Frame {
    return this.#frame;
  }

  get hasRows(): boolean {
    return this.#frame.rowCount > 0;
  }

  /** Whether the table has room for these rows too. */
  takes(frame: Frame): boolean {
    return !this.hasRows || fitTogether([this.#frame, frame]);
  }

  /** Adds the archived rows of a part of the range. */
  takeArchived(span: Span, { frame, askedAt, meta, metaAskedAt }: Archived): void {
    this.#addRows(frame, span);
    if (metaAskedAt !== undefined) this.#takeMeta(meta, metaAskedAt);
    const from = this.#stepOf(span.start);
    for (let step = 0; step < askedAt.length; step++) {
      const asked = askedAt[step] ?? 0;
      if (asked === 0) continue;
      this.askedAt[from + step] = asked;
      this.#archived[from + step] = 1;
    }
  }

  /** Adds a response of the service. Rows beyond the range are ignored. */
  received(asked: Span, answer: ArchivedAnswer, facts: Received): void {
    const { start, end } = overlap(asked, this.range);
    const span = { start, end: Math.max(start, end) };
    this.#received = true;
    const { frame } = clipFrame(answer.frame, this.range);
    const replaced = replacedBy(answer, span);
    this.#compare(frame, span, replaced);
    this.#addRows(frame, replaced);
    this.#takeMeta(answer.meta, answer.askedAt);
    this.#bodies.push(...facts.bodies);
    this.#requests.push(...facts.requests);
    this.#rowsOutside += facts.rowsOutside;
    this.#incomplete ||= facts.incomplete;
    const [from, to] = [this.#stepOf(span.start), this.#stepOf(span.end)];
    this.askedAt.fill(answer.askedAt, from, to);
    this.#archived.fill(0, from, to);
  }

  spent(requests: number): void {
    this.requestsSpent += requests;
  }

  /** Adds failed parts, clipped to the range. */
  failed(parts: readonly Span[], error?: GridError): void {
    const own = parts.map(part => overlap(part, this.range)).filter(({ start, end }) => end > start);
    if (own.length === 0) return;
    this.#failures.push(...own);
    // A refused key takes precedence over earlier failures.
    if (error && (!this.#error || keyRefusals.includes(error.reason))) this.#error = error;
  }

  /** Counts the intervals with an archived row. The archive also has intervals without a row, which are missing. */
  keptSteps(): { kept: number; expected: number } {
    const hasRow = stepsWithRow(this.#frame, this.#query, this.#query.stepMs);
    let kept = 0;
    for (let step = 0; step < hasRow.length; step++) if (this.#archived[step] === 1 && hasRow[step] === 1) kept++;
    return { kept, expected: this.#archived.length };
  }

  /** Throws the error of a run that has no rows and no response. */
  throwIfNothingCame(): void {
    const error = this.#error;
    if (!error || this.hasRows || this.#received) return;
    throw new GridError(error.reason, { ...error.facts, requestsSpent: this.requestsSpent });
  }

  /** Builds the result so far. `due` is 1 for each outdated interval. */
  result(due: Uint8Array): Result {
    const { stepMs } = this.#query;
    let newest = 0;
    let oldestDue = Infinity;
    for (let step = 0; step < this.askedAt.length; step++) {
      const asked = this.askedAt[step] ?? 0;
      newest = Math.max(newest, asked);
      if (asked > 0 && due[step] === 1) oldestDue = Math.min(oldestDue, asked);
    }
    const failure = this.#error && failureOf(this.#error, this.#failures);
    const { now, askedAt } = this;
    const facts = { now, failed: this.#failures, askedAt, archived: this.#archived.slice(), meta: this.#meta };
    const coverage = coverageOf(this.#frame, this.#query, stepMs, facts);
    return {
      frame: this.#described(this.#frame),
      bodies: [...this.#bodies],
      coverage,
      ...(this.#revisions && { revisions: this.#describedRevisions(this.#revisions) }),
      provenance: {
        ...questionOf(this.#query, this.#endpoint),
        fetchedAt: newest || undefined,
        nextPublication: nextPublication(this.now),
        ...(this.#requests.length > 0 && { requests: [...this.#requests] }),
        requestsSpent: this.requestsSpent,
        stepsKept: this.keptSteps().kept,
        ...(failure && oldestDue < Infinity && { keptSince: oldestDue }),
        ...(failure && { failure }),
        rowsOutside: this.#rowsOutside,
        incomplete: this.#incomplete,
        meta: this.#meta,
      },
    };
  }

  #described(frame: Frame): Frame {
    const answer = { ...questionOf(this.#query, this.#endpoint), meta: this.#meta };
    return describeFields(frame, fieldsOf(this.#query.dataset, answer));
  }

  #describedRevisions(revisions: Revisions): Revisions {
    const { before, after } = revisions;
    return { ...revisions, before: this.#described(before), after: this.#described(after) };
  }

  /** Keeps the newest envelope, whichever window requested it. */
  #takeMeta(meta: JsonObject, askedAt: number): void {
    if (askedAt < this.#metaAskedAt) return;
    this.#meta = meta;
    this.#metaAskedAt = askedAt;
  }

  /** Adds rows in place of all rows within `replaced`. */
  #addRows(frame: Frame, replaced: Span): void {
    this.#frame = this.hasRows ? replaceByTime(this.#frame, frame, replaced) : frame;
  }

  /** Collects what the service has changed since the intervals were last requested. */
  #compare(newer: Frame, asked: Span, replaced: Span): void {
    if (!this.hasRows) return;
    const { askedAt } = this;
    const { start, stepMs } = this.#query;
    const spans = { asked, replaced };
    const found = findRevisions(this.#frame, newer, spans, { start, stepMs, askedAt });
    if (found && this.#revisions) this.#revisions = joinRevisions(this.#revisions, found);
    else this.#revisions ??= found;
  }

  #stepOf(ms: number): number {
    return Math.round((ms - this.#query.start) / this.#query.stepMs);
  }
}
