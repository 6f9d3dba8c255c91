import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { resolveComparedQueries, listComparedRanges, type Comparison } from '../../core/compare/comparedRanges.ts';
import { normalizeRange } from '../../core/range/parseRange.ts';
import {
  getRequestedInterval,
  getRequestedSpan,
  createResolveContext,
  resolveTypedQuery,
  type ResolvedQuery,
} from '../../core/query/query.ts';
import { maxPeriods, type PeriodRelation } from '../../shared/analysis.ts';
import { InputError } from '../inputError.ts';
import { showQuickPick } from '../messages/messages.ts';
import { formatRequests } from '../messages/numbers.ts';
import { describeQueryProblem } from '../messages/problems.ts';
import { formatPeriod, formatSpan, translateRange } from '../messages/times.ts';
import { input } from '../messages/prompts.ts';
import { getQueryZone } from '../settings.ts';

/** Returns how many requests a query takes. */
export type RequestCounter = (query: ResolvedQuery) => Promise<number>;

interface CompareItem extends vscode.QuickPickItem {
  readonly comparison: Comparison | 'several' | 'range';
}

/** Asks what to compare a range with. Returns undefined if the user cancels. Throws InputError if rows cannot be paired. */
export async function promptComparison(
  query: ResolvedQuery,
  now: number,
  countRequests: RequestCounter,
): Promise<Comparison | undefined> {
  if (query.intervalMs === undefined)
    throw new InputError(t('An interval of unknown length cannot be compared. Choose hourly or daily.'));
  const requested = getRequestedSpan(query);
  const daysZone = query.days?.zone ?? getQueryZone(query);
  const context = createResolveContext({ interval: getRequestedInterval(query), timeZone: query.timeZone }, now);
  const periodItems = listComparedRanges(requested.start, requested.end, context).map(({ kind, align, ...span }) => {
    const comparison: PeriodRelation = { kind, align };
    const label = comparisonName(comparison);
    return { label, description: describePairing(align, query), detail: formatSpan(span, daysZone, now), comparison };
  });
  const severalItem: CompareItem = { label: t('Several periods…'), comparison: 'several' };
  const rangeItem: CompareItem = { label: t('Another range…'), comparison: 'range' };
  const pickOptions = { title: t('Compare With'), matchOnDetail: true };
  const placeHolder = t('Compare {0} with', formatSpan(requested, daysZone, now));
  const items: readonly CompareItem[] = [...periodItems, ...(periodItems.length > 0 ? [severalItem] : []), rangeItem];
  const selected = await showQuickPick(items, { ...pickOptions, placeHolder });
  if (selected?.comparison === 'range') return promptRange(query, now);
  if (selected?.comparison !== 'several') return selected?.comparison;
  const first = await showQuickPick(periodItems, {
    ...pickOptions,
    placeHolder: t('Select the latest of the periods'),
  });
  return first && promptCount(first.comparison, query, now, countRequests);
}

/** Asks for the number of consecutive periods. Each choice shows the earliest period and the total number of requests. */
async function promptCount(
  relation: PeriodRelation,
  query: ResolvedQuery,
  now: number,
  countRequests: RequestCounter,
): Promise<PeriodRelation | undefined> {
  const daysZone = query.days?.zone ?? getQueryZone(query);
  const others = resolveComparedQueries({ ...relation, count: maxPeriods }, query, now) ?? [];
  // Each period is planned separately.
  const prices = await Promise.all([query, ...others].map(countRequests));
  const items = others.slice(1).map((earliest, index) => {
    const comparison = { ...relation, count: index + 2 };
    const price = prices.slice(0, index + 3).reduce((sum, requestCount) => sum + requestCount, 0);
    const detail = formatSpan(getRequestedSpan(earliest), daysZone, now);
    return { label: comparisonName(comparison), description: formatRequests(price), detail, comparison };
  });
  const selected = await showQuickPick(items, {
    title: t('Compare With'),
    placeHolder: t('Select the number of periods'),
  });
  return selected?.comparison;
}

/** Describes how the rows of the two periods are paired. */
function describePairing(align: 'position' | 'hourOfWeek', { days }: ResolvedQuery): string {
  if (align === 'position') return days ? t('day by day from the beginning') : t('hour by hour from the beginning');
  return days ? t('the same weekdays') : t('the same hours of the week');
}

async function promptRange(query: ResolvedQuery, now: number): Promise<Comparison | undefined> {
  const { dataset, params, days, timeZone } = query;
  const interval = getRequestedInterval(query);
  const daysZone = days?.zone ?? getQueryZone(query);
  const position = { title: t('Compare With'), step: 1, total: 1, first: true };
  const outcome = await input(position, {
    prompt: days
      ? t('The other range, compared day by day from the beginning (days of {0})', daysZone.label)
      : t('The other range, compared hour by hour from the beginning (days of {0})', daysZone.label),
    placeholder: '2023-01-01..2023-01-31',
    validate: typed => {
      const resolved = resolveTypedQuery({ dataset: dataset.id, range: typed, interval, params, timeZone }, now);
      if (!resolved.ok) return typed.trim() === '' ? undefined : describeQueryProblem(resolved);
      return {
        message: formatSpan(getRequestedSpan(resolved.value), daysZone, now),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
    },
  });
  const range = outcome.kind === 'next' ? normalizeRange(outcome.value) : '';
  return range === '' ? undefined : { kind: 'range', range };
}

/** Names what a result is compared with: "previous period", a range as typed, or a file. */
export function comparisonName(comparison: Comparison): string {
  if (comparison.kind === 'range') return translateRange(comparison.range);
  if (comparison.kind === 'file') return comparison.name;
  const byPosition = comparison.align === 'position';
  const { count = 1 } = comparison;
  if (count > 1 && comparison.kind === 'lastYear')
    return byPosition ? t('same period of {0} years', count) : t('same weeks of {0} years', count);
  if (count > 1) return byPosition ? t('{0} previous periods', count) : t('previous weeks, {0} times', count);
  if (comparison.kind === 'lastYear') return byPosition ? t('same period last year') : t('same weeks last year');
  return byPosition ? t('previous period') : t('previous weeks');
}

/** Names one period of a comparison. If there are several, the name has its dates. */
export function periodName(comparison: Comparison, comparedQuery: ResolvedQuery): string {
  const isSingle = comparison.kind === 'range' || comparison.kind === 'file' || (comparison.count ?? 1) === 1;
  return isSingle
    ? comparisonName(comparison)
    : formatPeriod(getRequestedSpan(comparedQuery), comparedQuery.days?.zone ?? getQueryZone(comparedQuery));
}

/** Explains why a comparison ended when the query changed. It is part of the header line, so it has no full stop. */
export function notComparableNotice(name: string, { intervalMs }: Pick<ResolvedQuery, 'intervalMs'>): string {
  return intervalMs === undefined
    ? t('The comparison with {0} ended: an interval of unknown length cannot be compared', name)
    : t('The comparison with {0} ended: this range has no such period', name);
}

/** Explains why a comparison ended when the user moved to the previous or next period. */
export function notMovableNotice(name: string): string {
  return t('The comparison with {0} ended: it is not available for this period', name);
}

/** Translates a text of the core, such as the label of a compared column or of the catalogue. */
export function localize(text: string, ...parts: string[]): string {
  return t(text, ...parts);
}
