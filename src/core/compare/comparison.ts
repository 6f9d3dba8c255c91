import { askedInterval, askedSpan, contextOf, resolveQuery, type ResolvedQuery } from '../query/query.ts';
import type { ResolveContext } from '../range/resolveRange.ts';
import { movedRange, strideOf } from '../range/steppedRange.ts';
import { comparedRange, type Relation } from './comparedRanges.ts';

/** What a question is held against: a relation, which holds for every period, or another range as text, by position. */
export type Comparison = Relation | { readonly kind: 'range'; readonly range: string };

/**
 * The other question, with its instants. Undefined where there is nothing to compare with: the interval is of unknown length,
 * the other period has not begun, or the text is no range by now.
 */
export function comparedQuery(
  comparison: Comparison,
  query: ResolvedQuery,
  now: number,
  timeZone: string,
): ResolvedQuery | undefined {
  const { dataset, params, stepMs } = query;
  if (stepMs === undefined) return undefined;
  const interval = askedInterval(query);
  const context = contextOf(interval, now, timeZone);
  const range =
    comparison.kind === 'range' ? comparison.range : comparedRange(comparison, askedSpan(query), context)?.range;
  if (range === undefined) return undefined;
  const other = resolveQuery({ dataset: dataset.id, range, interval, params }, now, timeZone);
  return other.ok ? other.value : undefined;
}

/**
 * The comparison where the period `range` is stepped: a relation stays what it is, another range moves as far as the period
 * does. Undefined where it cannot.
 */
export function steppedComparison(
  comparison: Comparison,
  range: string,
  direction: -1 | 1,
  context: ResolveContext,
): Comparison | undefined {
  if (comparison.kind !== 'range') return comparison;
  const stride = strideOf(range, context);
  const moved = stride && movedRange(comparison.range, stride, direction, context);
  return moved === undefined ? undefined : { kind: 'range', range: moved };
}
