import { comparedPairs, compareFrames, type CompareOptions } from '../../core/compare/compare.ts';
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
  /** This period's rows as they came, where `frame` has the other's beside them. */
  readonly received?: Frame;
  /** Of what was read from the archive alone. */
  readonly lack?: Lack;
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

/** How two ranges are put side by side. */
export interface Pair {
  readonly align: 'position' | 'hourOfWeek';
  /** What the other range is called in the headers. */
  readonly name: string;
  readonly say: CompareOptions['say'];
}

/**
 * Asks for both ranges, each through its own plan, and puts them side by side. The result has the responses, the cost and the
 * revisions of both; everything else is that of the first range.
 */
export async function runCompared(
  query: ResolvedQuery,
  other: ResolvedQuery,
  { align, name, say }: Pair,
  ask: (query: ResolvedQuery) => Promise<Result>,
): Promise<ComparedResult> {
  const base = await ask(query);
  const compared = await orFailure(ask(other));
  const { stepMs } = query;
  const { range } = other;
  const { start, end } = requestedSpan(other);
  if (compared instanceof GridError) {
    // The first range is shown: its requests are spent.
    const requestsSpent = base.provenance.requestsSpent + (compared.facts.requestsSpent ?? 0);
    const provenance = { ...base.provenance, requestsSpent, failure: failureOf(compared, [other]) };
    return { ...base, against: { name, range, start, end, coverage: undefined }, provenance };
  }
  const failure = base.provenance.failure ?? compared.provenance.failure;
  const revisions = revisionsOf(base, compared);
  const both: ComparedResult = {
    ...base,
    bodies: [...base.bodies, ...compared.bodies],
    ...(revisions && { revisions }),
    provenance: {
      ...base.provenance,
      ...(isSandboxData(compared.provenance) && { sample: true }),
      requestsSpent: base.provenance.requestsSpent + compared.provenance.requestsSpent,
      requests: [...(base.provenance.requests ?? []), ...(compared.provenance.requests ?? [])],
      ...(failure && { failure: { ...failure, stretches: [base, compared].flatMap(partsFailed) } }),
    },
  };
  if (!base.frame || !compared.frame || stepMs === undefined) return both;
  const frame = compareFrames(base.frame, compared.frame, {
    align,
    stepMs,
    timeZone: query.timeZone,
    comparedWith: name,
    say,
    base: requestedSpan(query),
    other: requestedSpan(other),
    ...(query.days && other.days && { edges: { base: query.days.edges, other: other.days.edges } }),
  });
  return {
    ...both,
    frame,
    received: base.frame,
    compared: comparedPairs(frame),
    against: { name, range, start, end, coverage: compared.coverage },
  };
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
