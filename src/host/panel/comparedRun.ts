import { comparedPairs, compareFrames, withFurtherPeriod, type CompareOptions } from '../../core/compare/compare.ts';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { GridError, orFailure } from '../../core/errors.ts';
import { joinRevisions } from '../../core/revisions/revisions.ts';
import { requestedSpan, type ResolvedQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { isSandboxData } from '../../core/query/serviceMeta.ts';
import { failureOf } from '../../service/query/fetchWhole.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Coverage, PartFailure, Result, Revisions } from '../../shared/result.ts';

/** A range that a result is compared with. */
export interface Against extends Span {
  /** The displayed name, such as "previous period". */
  readonly name: string;
  /** The range as text, such as `last 7 days`. */
  readonly range: string;
  /** Set for a file, whose missing rows cannot be requested. */
  readonly isFile?: true;
  readonly coverage: Coverage | undefined;
}

/** Hours that are not in the archive and have not been requested. */
export interface Lack {
  /** The number of requests that would fetch them. */
  readonly requests: number;
  /** What the person has to do before they can be requested. */
  readonly action?: 'enterKey' | 'addConnection';
}

/** A result, possibly with the columns of other periods beside its own. */
export interface ComparedResult extends Result {
  /** The names of the columns that belong together: this period's and the other one's. */
  readonly compared?: readonly (readonly [string, string])[];
  readonly against?: Against;
  /** The periods before the compared range, the latest first. */
  readonly further?: readonly Against[];
  /** This period's rows as received, if `frame` also has the columns of other periods. */
  readonly received?: Frame;
  /** Set if the result was read from the archive alone and is incomplete. */
  readonly lack?: Lack;
}

/** Lists the ranges that a result is compared with, the latest first. */
export function periodsComparedWith({ against, further = [] }: ComparedResult): readonly Against[] {
  return against ? [against, ...further] : [];
}

/** Adds to a result from the archive how many requests would fetch the hours that were never requested. */
export async function withLack(
  result: ComparedResult,
  query: ResolvedQuery,
  connection: Connection,
  { pricing }: { readonly pricing: Pick<RequestPricing, 'requestsOf'> },
): Promise<ComparedResult> {
  const { notAsked = 0 } = result.coverage?.hours?.counts ?? result.coverage ?? {};
  if (notAsked === 0) return result;
  const { requests, hasKey } = await pricing.requestsOf(query, connection);
  const action = isAbsent(connection) ? ('addConnection' as const) : ('enterKey' as const);
  return { ...result, lack: { requests, ...(!hasKey && { action }) } };
}

/** How the rows and columns of two ranges are paired. */
export interface Pair {
  readonly align: 'position' | 'hourOfWeek';
  /** Returns the name of another range for the column headers. */
  readonly nameOf: (other: ResolvedQuery) => string;
  readonly say: CompareOptions['say'];
}

/**
 * Runs the query for each range, each with its own plan, and joins the rows. The result has the responses, the cost and the
 * revisions of all ranges; everything else describes the first one. If a range fails, the ones before it are still returned,
 * because their requests are spent.
 */
export async function runCompared(
  query: ResolvedQuery,
  others: readonly ResolvedQuery[],
  pair: Pair,
  ask: (query: ResolvedQuery) => Promise<Result>,
): Promise<ComparedResult> {
  let shown: ComparedResult = await ask(query);
  for (const other of others) {
    const compared = await orFailure(ask(other));
    if (compared instanceof GridError) return withFailure(shown, other, compared, pair);
    shown = withPeriod(shown, query, { query: other, result: compared }, pair);
  }
  return shown;
}

function withFailure(shown: ComparedResult, other: ResolvedQuery, error: GridError, { nameOf }: Pair): ComparedResult {
  const requestsSpent = shown.provenance.requestsSpent + (error.facts.requestsSpent ?? 0);
  const provenance = { ...shown.provenance, requestsSpent, failure: failureOf(error, [other]) };
  return { ...shown, ...withAgainst(shown, againstOf(other, nameOf(other), undefined)), provenance };
}

/** Adds the columns of one more period to a result. */
function withPeriod(
  shown: ComparedResult,
  query: ResolvedQuery,
  { query: other, result: compared }: { readonly query: ResolvedQuery; readonly result: Result },
  { align, nameOf, say }: Pair,
): ComparedResult {
  const failure = shown.provenance.failure ?? compared.provenance.failure;
  const revisions = revisionsOf(shown, compared);
  const all: ComparedResult = {
    ...shown,
    bodies: [...shown.bodies, ...compared.bodies],
    ...(revisions && { revisions }),
    provenance: {
      ...shown.provenance,
      ...(isSandboxData(compared.provenance) && { sample: true }),
      requestsSpent: shown.provenance.requestsSpent + compared.provenance.requestsSpent,
      requests: [...(shown.provenance.requests ?? []), ...(compared.provenance.requests ?? [])],
      ...(failure && { failure: { ...failure, stretches: [shown, compared].flatMap(partsFailed) } }),
    },
  };
  const { stepMs } = query;
  if (!shown.frame || !compared.frame || stepMs === undefined) return all;
  const name = nameOf(other);
  const options: CompareOptions = {
    align,
    stepMs,
    timeZone: query.timeZone,
    comparedWith: name,
    say,
    base: requestedSpan(query),
    other: requestedSpan(other),
    ...(query.days && other.days && { edges: { base: query.days.edges, other: other.days.edges } }),
  };
  const { received = shown.frame } = shown;
  const frame = shown.received
    ? withFurtherPeriod(shown.frame, received, compared.frame, options, periodsComparedWith(shown).length + 1)
    : compareFrames(received, compared.frame, options);
  return {
    ...all,
    frame,
    received,
    compared: comparedPairs(frame),
    ...withAgainst(shown, againstOf(other, name, compared.coverage)),
  };
}

function againstOf(other: ResolvedQuery, name: string, coverage: Coverage | undefined): Against {
  const { range } = other;
  return { name, range, ...requestedSpan(other), coverage };
}

function withAgainst({ against, further = [] }: ComparedResult, added: Against): Partial<ComparedResult> {
  return against ? { further: [...further, added] } : { against: added };
}

/** Joins the revisions that the service made to both ranges. */
function revisionsOf(base: Result, compared: Result): Revisions | undefined {
  const [one, other] = [base.revisions, compared.revisions];
  return one && other ? joinRevisions(one, other) : (one ?? other);
}

/** Returns the ranges of the failed requests. The individual intervals without a row could be half a million ranges. */
function partsFailed({ provenance }: Result): PartFailure['stretches'] {
  return provenance.failure?.stretches ?? [];
}
