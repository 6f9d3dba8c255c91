import {
  listComparedPairs,
  compareFrames,
  addFurtherPeriod,
  type CompareOptions,
} from '../../core/compare/compareFrames.ts';
import { isAbsent, type Connection } from '../../core/connections/connection.ts';
import { GridError, catchGridError } from '../../core/errors.ts';
import { joinRevisions } from '../../core/revisions/findRevisions.ts';
import { getRequestedSpan, type ResolvedQuery } from '../../core/query/query.ts';
import type { Span } from '../../core/range/resolveRange.ts';
import { toPartFailure } from '../../service/query/fetchRange.ts';
import { addRequests, type JoinedResult, type JoinedSource } from '../../service/query/joinSources.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { Frame } from '../../shared/frame.ts';
import type { Coverage, Result, Revisions } from '../../shared/result.ts';

/** A range that a result is compared with. */
export interface ComparedRange extends Span {
  /** The displayed name, such as "previous period". */
  readonly name: string;
  /** The range as text, such as `last 7 days`. */
  readonly range: string;
  /** Set for a file, whose missing rows cannot be requested. */
  readonly isFile?: true;
  readonly coverage: Coverage | undefined;
}

/** Hours that are not in the archive and have not been requested. */
export interface MissingRange {
  /** The number of requests that would fetch them. */
  readonly requests: number;
  /** The action that the user must take before the hours can be requested. */
  readonly action?: 'enterKey' | 'addConnection';
}

/** A result, possibly with the columns of other periods beside its own. */
export interface ComparedResult extends JoinedResult {
  /** The names of the columns that belong together: the column of this period and the column of the other period. */
  readonly compared?: readonly (readonly [string, string])[];
  readonly comparedRange?: ComparedRange;
  /** The periods before the compared range, the latest first. */
  readonly earlierRanges?: readonly ComparedRange[];
  /** This period's rows as received, if `frame` also has the columns of other periods. */
  readonly received?: Frame;
  /** Set if the result was read from the archive alone and is incomplete. */
  readonly missingRange?: MissingRange;
}

/** Lists the ranges that a result is compared with, the latest first. */
export function resolveComparedRanges({ comparedRange, earlierRanges = [] }: ComparedResult): readonly ComparedRange[] {
  return comparedRange ? [comparedRange, ...earlierRanges] : [];
}

/** Adds to a result from the archive how many requests would fetch the hours that were never requested. */
export async function addMissingRange(
  result: ComparedResult,
  query: ResolvedQuery,
  connection: Connection,
  { pricing }: { readonly pricing: Pick<RequestPricing, 'countRequests'> },
): Promise<ComparedResult> {
  const { notRequested = 0 } = result.coverage?.hours?.counts ?? result.coverage ?? {};
  if (notRequested === 0) return result;
  const { requests, hasKey } = await pricing.countRequests(query, connection);
  const action = isAbsent(connection) ? ('addConnection' as const) : ('enterKey' as const);
  return { ...result, missingRange: { requests, ...(!hasKey && { action }) } };
}

/** How the rows and columns of two ranges are paired. */
export interface PairOptions {
  readonly align: 'position' | 'hourOfWeek';
  /** Returns the name of another range for the column headers. */
  readonly getName: (comparedQuery: ResolvedQuery) => string;
  readonly localize: CompareOptions['translate'];
}

/**
 * Runs the query for each range, each with its own plan, and joins the rows. The result has the responses, the cost and the
 * revisions of all ranges; everything else describes the first one. If a range fails, the ranges before it are still returned,
 * because their requests are spent.
 */
export async function runCompared(
  query: ResolvedQuery,
  comparedQueries: readonly ResolvedQuery[],
  pair: PairOptions,
  runQuery: (query: ResolvedQuery) => Promise<JoinedResult>,
): Promise<ComparedResult> {
  let combined: ComparedResult = await runQuery(query);
  for (const comparedQuery of comparedQueries) {
    const compared = await catchGridError(runQuery(comparedQuery));
    if (compared instanceof GridError) return addFailure(combined, comparedQuery, compared, pair);
    combined = addPeriod(combined, query, { query: comparedQuery, result: compared }, pair);
  }
  return combined;
}

function addFailure(
  combined: ComparedResult,
  comparedQuery: ResolvedQuery,
  error: GridError,
  { getName }: PairOptions,
): ComparedResult {
  const requestsSpent = combined.provenance.requestsSpent + (error.facts.requestsSpent ?? 0);
  const provenance = { ...combined.provenance, requestsSpent, failure: toPartFailure(error, [comparedQuery]) };
  return {
    ...combined,
    ...appendComparedRange(combined, createComparedRange(comparedQuery, getName(comparedQuery), undefined)),
    provenance,
  };
}

/** Adds the columns of one more period to a result. */
function addPeriod(
  combined: ComparedResult,
  query: ResolvedQuery,
  { query: comparedQuery, result: compared }: { readonly query: ResolvedQuery; readonly result: JoinedResult },
  { align, getName, localize: translate }: PairOptions,
): ComparedResult {
  const revisions = mergeRevisions(combined, compared);
  const merged: ComparedResult = {
    ...combined,
    bodies: [...combined.bodies, ...compared.bodies],
    ...(combined.joined && {
      joined: combined.joined.map((source, index) => addComparedError(source, compared.joined?.[index])),
    }),
    ...(revisions && { revisions }),
    provenance: addRequests(combined.provenance, compared.provenance),
  };
  const { intervalMs } = query;
  if (!combined.frame || !compared.frame || intervalMs === undefined) return merged;
  const name = getName(comparedQuery);
  const options: CompareOptions = {
    align,
    intervalMs,
    timeZone: query.timeZone,
    comparedWith: name,
    translate,
    base: getRequestedSpan(query),
    other: getRequestedSpan(comparedQuery),
    ...(query.days && comparedQuery.days && { edges: { base: query.days.edges, other: comparedQuery.days.edges } }),
  };
  const { received = combined.frame } = combined;
  const frame = combined.received
    ? addFurtherPeriod(combined.frame, received, compared.frame, options, resolveComparedRanges(combined).length + 1)
    : compareFrames(received, compared.frame, options);
  return {
    ...merged,
    frame,
    received,
    compared: listComparedPairs(frame),
    ...appendComparedRange(combined, createComparedRange(comparedQuery, name, compared.coverage)),
  };
}

function addComparedError(source: JoinedSource, compared: JoinedSource | undefined): JoinedSource {
  return compared?.error ? { ...source, comparedError: compared.error } : source;
}

function createComparedRange(
  comparedQuery: ResolvedQuery,
  name: string,
  coverage: Coverage | undefined,
): ComparedRange {
  const { range } = comparedQuery;
  return { name, range, ...getRequestedSpan(comparedQuery), coverage };
}

function appendComparedRange(
  { comparedRange, earlierRanges = [] }: ComparedResult,
  added: ComparedRange,
): Partial<ComparedResult> {
  return comparedRange ? { earlierRanges: [...earlierRanges, added] } : { comparedRange: added };
}

/** Joins the revisions that the service made to both ranges. */
function mergeRevisions(base: Result, compared: Result): Revisions | undefined {
  const baseRevisions = base.revisions;
  const comparedRevisions = compared.revisions;
  return baseRevisions && comparedRevisions
    ? joinRevisions(baseRevisions, comparedRevisions)
    : (baseRevisions ?? comparedRevisions);
}
