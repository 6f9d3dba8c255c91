import * as vscode from 'vscode';
import { comparedRanges } from '../../core/compare/comparedRanges.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { normaliseRange } from '../../core/range/parseRange.ts';
import { resolveTyped, type ResolvedQuery } from '../../core/query.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { InputError } from '../inputError.ts';
import { showQuickPick } from '../messages.ts';
import { comparisonName } from '../words/comparison.ts';
import { problemSentence } from '../words/problems.ts';
import { spanText } from '../words/times.ts';
import { input } from './steps.ts';

interface CompareItem extends vscode.QuickPickItem {
  readonly comparison: Comparison | undefined;
}

/** Asks what a range is compared with. Undefined when the person left; throws InputError where nothing can be paired. */
export async function promptComparison(
  query: ResolvedQuery,
  zone: DisplayZone,
  now: number,
): Promise<Comparison | undefined> {
  const { t } = vscode.l10n;
  const { start, end, stepMs } = query;
  if (stepMs === undefined)
    throw new InputError(t('An interval of unknown length cannot be compared. Choose hourly or daily.'));
  const offers = comparedRanges(start, end, stepMs, zone.timeZone, now).map((offer): CompareItem => {
    const { kind, align } = offer;
    const comparison: Comparison = { kind, align };
    const how = align === 'position' ? t('hour by hour from the beginning') : t('the same hours of the week');
    const label = comparisonName(comparison);
    return { label, description: how, detail: spanText(offer, zone, now), comparison };
  });
  const other: CompareItem = { label: t('Another range…'), comparison: undefined };
  const chosen = await showQuickPick([...offers, other], {
    title: t('Compare With'),
    placeHolder: t('Compare {0} with', spanText(query, zone, now)),
    matchOnDetail: true,
  });
  return chosen && (chosen.comparison ?? askRange(query, zone, now));
}

async function askRange(query: ResolvedQuery, zone: DisplayZone, now: number): Promise<Comparison | undefined> {
  const { t } = vscode.l10n;
  const { dataset, interval, params } = query;
  const place = { title: t('Compare With'), step: 1, total: 1, first: true };
  const outcome = await input(place, {
    prompt: t('The other range, paired hour by hour from the beginning (days of {0})', zone.label),
    placeholder: '2023-01-01..2023-01-31',
    validate: typed => {
      const resolved = resolveTyped({ dataset: dataset.id, range: typed, interval, params }, now, zone.timeZone);
      if (!resolved.ok) return typed.trim() === '' ? undefined : problemSentence(resolved);
      return { message: spanText(resolved.value, zone, now), severity: vscode.InputBoxValidationSeverity.Info };
    },
  });
  const range = outcome.kind === 'next' ? normaliseRange(outcome.value) : '';
  return range === '' ? undefined : { kind: 'range', range };
}
