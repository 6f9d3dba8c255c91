import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { comparedQueries, comparedRanges, type Comparison } from '../../core/compare/comparedRanges.ts';
import { normaliseRange } from '../../core/range/parseRange.ts';
import {
  requestedInterval,
  requestedSpan,
  contextOf,
  resolveTyped,
  type ResolvedQuery,
} from '../../core/query/query.ts';
import { mostPeriods, type PeriodRelation } from '../../shared/analysis.ts';
import { InputError } from '../inputError.ts';
import { showQuickPick } from '../messages/messages.ts';
import { requests } from '../messages/numbers.ts';
import { problemSentence } from '../messages/problems.ts';
import { periodText, spanText, rangeWords } from '../messages/times.ts';
import { input } from '../messages/prompts.ts';
import { zoneOf } from '../settings.ts';

/** Returns how many requests a query takes. */
export type PeriodPrice = (query: ResolvedQuery) => Promise<number>;

interface CompareItem extends vscode.QuickPickItem {
  readonly comparison: Comparison | 'several' | 'range';
}

/** Asks what to compare a range with. Returns undefined if the person cancels. Throws InputError if rows cannot be paired. */
export async function promptComparison(
  query: ResolvedQuery,
  now: number,
  priceOf: PeriodPrice,
): Promise<Comparison | undefined> {
  if (query.stepMs === undefined)
    throw new InputError(t('An interval of unknown length cannot be compared. Choose hourly or daily.'));
  const asked = requestedSpan(query);
  const own = query.days?.zone ?? zoneOf(query);
  const context = contextOf({ interval: requestedInterval(query), timeZone: query.timeZone }, now);
  const offers = comparedRanges(asked.start, asked.end, context).map(({ kind, align, ...span }) => {
    const comparison: PeriodRelation = { kind, align };
    const label = comparisonName(comparison);
    return { label, description: pairing(align, query), detail: spanText(span, own, now), comparison };
  });
  const several: CompareItem = { label: t('Several periods…'), comparison: 'several' };
  const other: CompareItem = { label: t('Another range…'), comparison: 'range' };
  const how = { title: t('Compare With'), matchOnDetail: true };
  const placeHolder = t('Compare {0} with', spanText(asked, own, now));
  const items: readonly CompareItem[] = [...offers, ...(offers.length > 0 ? [several] : []), other];
  const chosen = await showQuickPick(items, { ...how, placeHolder });
  if (chosen?.comparison === 'range') return askRange(query, now);
  if (chosen?.comparison !== 'several') return chosen?.comparison;
  const first = await showQuickPick(offers, { ...how, placeHolder: t('Select the latest of the periods') });
  return first && askCount(first.comparison, query, now, priceOf);
}

/** Asks for the number of consecutive periods. Each choice shows the earliest period and the total number of requests. */
async function askCount(
  relation: PeriodRelation,
  query: ResolvedQuery,
  now: number,
  priceOf: PeriodPrice,
): Promise<PeriodRelation | undefined> {
  const own = query.days?.zone ?? zoneOf(query);
  const others = comparedQueries({ ...relation, count: mostPeriods }, query, now) ?? [];
  // Each period is planned separately.
  const prices = await Promise.all([query, ...others].map(priceOf));
  const items = others.slice(1).map((earliest, at) => {
    const comparison = { ...relation, count: at + 2 };
    const price = prices.slice(0, at + 3).reduce((sum, one) => sum + one, 0);
    const detail = spanText(requestedSpan(earliest), own, now);
    return { label: comparisonName(comparison), description: requests(price), detail, comparison };
  });
  const chosen = await showQuickPick(items, {
    title: t('Compare With'),
    placeHolder: t('Select how many periods; each is shown with the earliest of them'),
  });
  return chosen?.comparison;
}

/** Describes how the rows of the two periods are paired. */
function pairing(align: 'position' | 'hourOfWeek', { days }: ResolvedQuery): string {
  if (align === 'position') return days ? t('day by day from the beginning') : t('hour by hour from the beginning');
  return days ? t('the same weekdays') : t('the same hours of the week');
}

async function askRange(query: ResolvedQuery, now: number): Promise<Comparison | undefined> {
  const { dataset, params, days, timeZone } = query;
  const interval = requestedInterval(query);
  const own = days?.zone ?? zoneOf(query);
  const place = { title: t('Compare With'), step: 1, total: 1, first: true };
  const outcome = await input(place, {
    prompt: days
      ? t('The other range, compared day by day from the beginning (days of {0})', own.label)
      : t('The other range, compared hour by hour from the beginning (days of {0})', own.label),
    placeholder: '2023-01-01..2023-01-31',
    validate: typed => {
      const resolved = resolveTyped({ dataset: dataset.id, range: typed, interval, params, timeZone }, now);
      if (!resolved.ok) return typed.trim() === '' ? undefined : problemSentence(resolved);
      return {
        message: spanText(requestedSpan(resolved.value), own, now),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
    },
  });
  const range = outcome.kind === 'next' ? normaliseRange(outcome.value) : '';
  return range === '' ? undefined : { kind: 'range', range };
}

/** Names what a result is compared with: "previous period", a range as typed, or a file. */
export function comparisonName(comparison: Comparison): string {
  if (comparison.kind === 'range') return rangeWords(comparison.range);
  if (comparison.kind === 'file') return comparison.name;
  const byPosition = comparison.align === 'position';
  const { count = 1 } = comparison;
  if (count > 1 && comparison.kind === 'lastYear')
    return byPosition ? t('same period of {0} years', count) : t('same weeks of {0} years', count);
  if (count > 1) return byPosition ? t('{0} previous periods', count) : t('weeks before, {0} times', count);
  if (comparison.kind === 'lastYear') return byPosition ? t('same period last year') : t('same weeks last year');
  return byPosition ? t('previous period') : t('weeks before');
}

/** Names one period of a comparison. If there are several, the name has its dates. */
export function periodName(comparison: Comparison, other: ResolvedQuery): string {
  const isOne = comparison.kind === 'range' || comparison.kind === 'file' || (comparison.count ?? 1) === 1;
  return isOne ? comparisonName(comparison) : periodText(requestedSpan(other), other.days?.zone ?? zoneOf(other));
}

/** Explains why a comparison ended when the query changed. It is part of the header line, so it has no full stop. */
export function cannotCompare(name: string, { stepMs }: Pick<ResolvedQuery, 'stepMs'>): string {
  return stepMs === undefined
    ? t('The comparison with {0} ended: an interval of unknown length cannot be compared', name)
    : t('The comparison with {0} ended: this range has no such period', name);
}

/** Explains why a comparison ended when the person moved to the previous or next period. */
export function cannotStep(name: string): string {
  return t('The comparison with {0} ended: it cannot move as far as this period', name);
}

/** Translates a text of the core, such as the label of a compared column or of the catalogue. */
export function comparisonText(text: string, ...parts: string[]): string {
  return t(text, ...parts);
}
