import { inEnglish } from '../../core/bins/binSums.ts';
import { comparedQueries } from '../../core/compare/comparedRanges.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { RunGroup } from '../../service/query/runGroup.ts';
import type { ComparedPeriod } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { runCompared } from '../panel/comparedRun.ts';

/** Resolves the queries of the compared periods; none without a comparison. Throws InputError if there is no such period. */
export function comparedPeriods(
  compare: ComparedPeriod | undefined,
  query: ResolvedQuery,
  now: number,
): readonly ResolvedQuery[] {
  if (!compare) return [];
  const others = comparedQueries(compare, query, now);
  if (!others)
    throw new InputError(
      compare.kind === 'range'
        ? `The compared range '${compare.range}' is no range of whole intervals of the query.`
        : 'There is no such period to compare with.',
    );
  return others;
}

/** Groups the periods into one plan, as they were priced: a request that serves several of them is sent once. */
export function periodsTogether(query: ResolvedQuery, others: readonly ResolvedQuery[]): RunGroup | undefined {
  return others.length > 0 ? new RunGroup([query, ...others]) : undefined;
}

/** Runs a query and the compared periods, and joins their rows. Texts are English. `runQuery` runs one query. */
export function askPeriods(
  query: ResolvedQuery,
  others: readonly ResolvedQuery[],
  compare: ComparedPeriod | undefined,
  ask: (query: ResolvedQuery) => Promise<Result>,
): Promise<Result> {
  if (!compare || others.length === 0) return ask(query);
  const align = compare.kind === 'range' ? 'position' : compare.align;
  const only = compare.kind === 'lastYear' ? 'last year' : 'previous period';
  const nameOf = ({ range }: ResolvedQuery): string =>
    compare.kind === 'range' ? compare.range : others.length > 1 ? range : only;
  return runCompared(query, others, { align, nameOf, say: inEnglish }, ask);
}
