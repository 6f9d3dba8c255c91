import { clipFrame } from '../../core/frame/clip.ts';
import { computeCoverage, markIntervalsWithRow } from '../../core/frame/coverage.ts';
import type { JsonObject } from '../../core/decode/envelope.ts';
import { describeFields, getResponseFields } from '../../core/frame/describeFields.ts';
import { GridError, keyRejectionReasons } from '../../core/errors.ts';
import { canConcatenate, replaceByTime } from '../../core/frame/frames.ts';
import { nextPublication } from '../../core/query/freshness.ts';
import { joinRevisions, findRevisions } from '../../core/revisions/findRevisions.ts';
import type { ServiceQuery } from '../../core/query/query.ts';
import { type Span, overlap } from '../../core/range/resolveRange.ts';
import type { Frame } from '../../shared/frame.ts';
import type { RequestTrace, Result, Revisions } from '../../shared/result.ts';
import { completeRange, type ArchivedRange, type ArchivedResponse } from '../archive/archive.ts';
import type { Endpoint } from '../connections/endpoint.ts';
import { toPartFailure, createProvenance } from './fetchRange.ts';

/** The facts of a response besides its rows. */
interface ReceivedFacts {
  readonly bodies: readonly Uint8Array[];
  readonly requests: readonly RequestTrace[];
  readonly rowsOutside: number;
  readonly incomplete: boolean;
}

/** Builds the result of a run: rows, when each interval was requested, the requests spent and the failures. */
export class ResultBuilder {
  readonly #query: ServiceQuery & { readonly intervalMs: number };
  readonly #endpoint: Endpoint;
  /** The current time by the service's clock, UTC milliseconds. */
  now: number;
  /** When each interval of the query was last requested; 0 for never. */
  readonly requestedAt: Float64Array;
  /** 1 for each interval that was read from the archive. */
  readonly #archived: Uint8Array;
  readonly #bodies: Uint8Array[] = [];
  readonly #requests: RequestTrace[] = [];
  readonly #failures: Span[] = [];
  #frame: Frame = { rowCount: 0, columns: [] };
  #meta: JsonObject = {};
  #metaRequestedAt = 0;
  #rowsOutside = 0;
  #incomplete = false;
  #hasResponse = false;
  #revisions: Revisions | undefined;
  #error: GridError | undefined;
  requestsSpent = 0;

  constructor(query: ServiceQuery & { readonly intervalMs: number }, endpoint: Endpoint, now: number) {
    this.#query = query;
    this.#endpoint = endpoint;
    this.now = now;
    const intervalCount = Math.ceil((query.end - query.start) / query.intervalMs);
    this.requestedAt = new Float64Array(intervalCount);
    this.#archived = new Uint8Array(intervalCount);
  }

  /** The range of the query, extended to whole intervals. */
  get range(): Span {
    const { start, intervalMs } = this.#query;
    return { start, end: start + this.requestedAt.length * intervalMs };
  }

  get frame(): Frame {
    return this.#frame;
  }

  get hasRows(): boolean {
    return this.#frame.rowCount > 0;
  }

  /** Whether the table has room for these rows too. */
  hasRoomFor(frame: Frame): boolean {
    return !this.hasRows || canConcatenate([this.#frame, frame]);
  }

  /** Adds the archived rows of a part of the range. */
  addArchived(span: Span, { frame, requestedAt, meta, metaRequestedAt }: ArchivedRange): void {
    this.#addRows(frame, span);
    if (metaRequestedAt !== undefined) this.#updateMeta(meta, metaRequestedAt);
    const from = this.#findInterval(span.start);
    for (let index = 0; index < requestedAt.length; index++) {
      const requested = requestedAt[index] ?? 0;
      if (requested === 0) continue;
      this.requestedAt[from + index] = requested;
      this.#archived[from + index] = 1;
    }
  }

  /** Adds a response of the service. Rows beyond the range are ignored. */
  addResponse(requested: Span, response: ArchivedResponse, facts: ReceivedFacts): void {
    const { start, end } = overlap(requested, this.range);
    const span = { start, end: Math.max(start, end) };
    this.#hasResponse = true;
    const { frame } = clipFrame(response.frame, this.range);
    const replacedRange = completeRange(response, span);
    this.#collectRevisions(frame, span, replacedRange);
    this.#addRows(frame, replacedRange);
    this.#updateMeta(response.meta, response.requestedAt);
    this.#bodies.push(...facts.bodies);
    this.#requests.push(...facts.requests);
    this.#rowsOutside += facts.rowsOutside;
    this.#incomplete ||= facts.incomplete;
    const from = this.#findInterval(span.start);
    const to = this.#findInterval(span.end);
    this.requestedAt.fill(response.requestedAt, from, to);
    this.#archived.fill(0, from, to);
  }

  addRequestsSpent(requests: number): void {
    this.requestsSpent += requests;
  }

  /** Adds failed parts, clipped to the range. */
  addFailure(parts: readonly Span[], error?: GridError): void {
    const clipped = parts.map(part => overlap(part, this.range)).filter(({ start, end }) => end > start);
    if (clipped.length === 0) return;
    this.#failures.push(...clipped);
    // A rejected key takes precedence over earlier failures.
    if (error && (!this.#error || keyRejectionReasons.includes(error.reason))) this.#error = error;
  }

  /** Counts the intervals with an archived row. The archive also has intervals without a row, which are missing. */
  countArchived(): { archived: number; expected: number } {
    const hasRow = markIntervalsWithRow(this.#frame, this.#query, this.#query.intervalMs);
    let archived = 0;
    for (let index = 0; index < hasRow.length; index++)
      if (this.#archived[index] === 1 && hasRow[index] === 1) archived++;
    return { archived, expected: this.#archived.length };
  }

  /** Throws the error of a run that has no rows and no response. */
  throwIfEmpty(): void {
    const error = this.#error;
    if (!error || this.hasRows || this.#hasResponse) return;
    throw new GridError(error.reason, { ...error.facts, requestsSpent: this.requestsSpent });
  }

  /** Builds the result so far. `due` is 1 for each outdated interval. */
  build(due: Uint8Array): Result {
    const { intervalMs } = this.#query;
    let newest = 0;
    let oldestDue = Infinity;
    for (let index = 0; index < this.requestedAt.length; index++) {
      const requested = this.requestedAt[index] ?? 0;
      newest = Math.max(newest, requested);
      if (requested > 0 && due[index] === 1) oldestDue = Math.min(oldestDue, requested);
    }
    const failure = this.#error && toPartFailure(this.#error, this.#failures);
    const { now, requestedAt } = this;
    const facts = {
      now,
      failed: this.#failures,
      requestedAt,
      archived: this.#archived.slice(),
      meta: this.#meta,
    };
    const coverage = computeCoverage(this.#frame, this.#query, intervalMs, facts);
    return {
      frame: this.#describe(this.#frame),
      bodies: [...this.#bodies],
      coverage,
      ...(this.#revisions && { revisions: this.#describeRevisions(this.#revisions) }),
      provenance: {
        ...createProvenance(this.#query, this.#endpoint),
        fetchedAt: newest || undefined,
        nextPublication: nextPublication(this.now),
        ...(this.#requests.length > 0 && { requests: [...this.#requests] }),
        requestsSpent: this.requestsSpent,
        archivedIntervals: this.countArchived().archived,
        ...(failure && oldestDue < Infinity && { oldestFetchedAt: oldestDue }),
        ...(failure && { failure }),
        rowsOutside: this.#rowsOutside,
        incomplete: this.#incomplete,
        meta: this.#meta,
      },
    };
  }

  #describe(frame: Frame): Frame {
    const response = { ...createProvenance(this.#query, this.#endpoint), meta: this.#meta };
    return describeFields(frame, getResponseFields(this.#query.dataset, response));
  }

  #describeRevisions(revisions: Revisions): Revisions {
    const { before, after } = revisions;
    return { ...revisions, before: this.#describe(before), after: this.#describe(after) };
  }

  /** Keeps the newest envelope, regardless of which window requested it. */
  #updateMeta(meta: JsonObject, requestedAt: number): void {
    if (requestedAt < this.#metaRequestedAt) return;
    this.#meta = meta;
    this.#metaRequestedAt = requestedAt;
  }

  /** Adds rows in place of all rows within `replacedRange`. */
  #addRows(frame: Frame, replacedRange: Span): void {
    this.#frame = this.hasRows ? replaceByTime(this.#frame, frame, replacedRange) : frame;
  }

  /** Collects what the service has changed since the intervals were last requested. */
  #collectRevisions(newer: Frame, requested: Span, replacedRange: Span): void {
    if (!this.hasRows) return;
    const { requestedAt } = this;
    const { start, intervalMs } = this.#query;
    const spans = { requested, replaced: replacedRange };
    const revisions = findRevisions(this.#frame, newer, spans, { start, intervalMs, requestedAt });
    if (revisions && this.#revisions) this.#revisions = joinRevisions(this.#revisions, revisions);
    else this.#revisions ??= revisions;
  }

  #findInterval(ms: number): number {
    return Math.round((ms - this.#query.start) / this.#query.intervalMs);
  }
}
