import { formatEnglish } from '../../core/bins/binSums.ts';
import { resolveComparedQueries } from '../../core/compare/comparedRanges.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { RunGroup } from '../../service/query/runGroup.ts';
import type { ComparedPeriod } from '../../shared/analysis.ts';
import type { JoinedResult } from '../../service/query/joinSources.ts';
import { InputError } from '../inputError.ts';
import { runCompared } from '../panel/comparedRun.ts';

/** Resolves the queries of the compared periods; none without a comparison. Throws InputError if there is no such period. */
export function resolveComparedPeriods(
  compare: ComparedPeriod | undefined,
  query: ResolvedQuery,
  now: number,
): readonly ResolvedQuery[] {
  if (!compare) return [];
  const comparedQueries = resolveComparedQueries(compare, query, now);
  if (!comparedQueries)
    throw new InputError(
      compare.kind === 'range'
        ? `The compared range '${compare.range}' is no range of whole intervals of the query.`
        : 'There is no such period to compare with.',
    );
  return comparedQueries;
}

/** Groups the periods into one plan, as they were priced: a request that serves several of them is sent once. */
export function groupPeriods(query: ResolvedQuery, comparedQueries: readonly ResolvedQuery[]): RunGroup | undefined {
  return comparedQueries.length > 0 ? new RunGroup([query, ...comparedQueries]) : undefined;
}

/** Runs a query and the compared periods, and joins their rows. Texts are English. `runQuery` runs one query. */
export function runPeriods(
  query: ResolvedQuery,
  comparedQueries: readonly ResolvedQuery[],
  compare: ComparedPeriod | undefined,
  runQuery: (query: ResolvedQuery) => Promise<JoinedResult>,
): Promise<JoinedResult> {
  if (!compare || comparedQueries.length === 0) return runQuery(query);
  const align = compare.kind === 'range' ? 'position' : compare.align;
  const periodName = compare.kind === 'lastYear' ? 'last year' : 'previous period';
  const getName = ({ range }: ResolvedQuery): string =>
    compare.kind === 'range' ? compare.range : comparedQueries.length > 1 ? range : periodName;
  return runCompared(query, comparedQueries, { align, getName, localize: formatEnglish }, runQuery);
}
