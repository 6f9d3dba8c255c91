import { inEnglish } from '../../core/bins/binSums.ts';
import { comparedQuery } from '../../core/compare/comparedRanges.ts';
import type { ResolvedQuery } from '../../core/query/query.ts';
import { RunGroup } from '../../service/query/runGroup.ts';
import type { ComparedPeriod } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { InputError } from '../inputError.ts';
import { runCompared } from '../panel/comparedRun.ts';

/** The query of the other period; undefined without a comparison. Throws InputError where there is no such period. */
export function comparedPeriod(
  compare: ComparedPeriod | undefined,
  query: ResolvedQuery,
  now: number,
): ResolvedQuery | undefined {
  if (!compare) return undefined;
  const other = comparedQuery(compare, query, now);
  if (!other)
    throw new InputError(
      compare.kind === 'range'
        ? `The compared range '${compare.range}' is no range of whole intervals of the query.`
        : 'There is no such period to compare with.',
    );
  return other;
}

/** Both as one plan, as their price has it: a request that serves both is sent once. */
export function periodsTogether(query: ResolvedQuery, other: ResolvedQuery | undefined): RunGroup | undefined {
  return other && new RunGroup([query, other]);
}

/** The rows of a query, with those of the other period beside them; the texts are English. `ask` runs one query. */
export function askPeriods(
  query: ResolvedQuery,
  other: ResolvedQuery | undefined,
  compare: ComparedPeriod | undefined,
  ask: (query: ResolvedQuery) => Promise<Result>,
): Promise<Result> {
  if (!compare || !other) return ask(query);
  const [align, name] =
    compare.kind === 'range'
      ? (['position', compare.range] as const)
      : ([compare.align, compare.kind === 'lastYear' ? 'last year' : 'previous period'] as const);
  return runCompared(query, other, { align, name, say: inEnglish }, ask);
}
