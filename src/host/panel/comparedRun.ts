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

/** The other range of a comparison, as it was asked. */
export interface Against extends Span {
  /** What it is called: "previous period". */
  readonly name: string;
  /** As text. */
  readonly range: string;
  /** No request brings what a file lacks. */
  readonly isFile?: true;
  readonly coverage: Coverage | undefined;
}

/** What it takes to have the hours that the archive lacks. */
export interface Lack {
  readonly requests: number;
  /** What has to be there first. */
  readonly action?: 'enterKey' | 'addConnection';
}

/** A result whose columns may belong together in pairs: one of this period and the same of the other. */
export interface ComparedResult extends Result {
  readonly compared?: readonly (readonly [string, string])[];
  readonly against?: Against;
  /** The periods before that one, the latest first. */
  readonly further?: readonly Against[];
  /** This period's rows as they came, where `frame` has the other's beside them. */
  readonly received?: Frame;
  /** Of what was read from the archive alone. */
  readonly lack?: Lack;
}

/** The periods that a result is compared with, the latest first. */
export function periodsComparedWith({ against, further = [] }: ComparedResult): readonly Against[] {
  return against ? [against, ...further] : [];
}

/** A result from the archive alone, and what it takes to have the hours that were never requested. */
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

/** How ranges are put side by side. */
export interface Pair {
  readonly align: 'position' | 'hourOfWeek';
  /** What another range is called in the headers. */
  readonly nameOf: (other: ResolvedQuery) => string;
  readonly say: CompareOptions['say'];
}

/**
 * Asks for each range, each through its own plan, and puts them side by side. The result has the responses, the cost and the
 * revisions of all; everything else is that of the first range. Where one fails, those before it are shown: their requests are spent.
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

/** A result beside whose rows stand those of one more period. */
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

/** What the service changed of either range. */
function revisionsOf(base: Result, compared: Result): Revisions | undefined {
  const [one, other] = [base.revisions, compared.revisions];
  return one && other ? joinRevisions(one, other) : (one ?? other);
}

/** As they were asked for: the steps among them without a row may be half a million stretches. */
function partsFailed({ provenance }: Result): PartFailure['stretches'] {
  return provenance.failure?.stretches ?? [];
}
