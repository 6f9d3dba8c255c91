import * as vscode from 'vscode';
import type { ResolvedQuery } from '../../core/query/query.ts';
import type { Comparison } from '../../core/compare/comparedRanges.ts';

/** What the other period is called: "previous period", or its range as typed. */
export function comparisonName(comparison: Comparison): string {
  const { t } = vscode.l10n;
  if (comparison.kind === 'range') return comparison.range;
  const byPosition = comparison.align === 'position';
  if (comparison.kind === 'lastYear') return byPosition ? t('same period last year') : t('same weeks last year');
  return byPosition ? t('previous period') : t('weeks before');
}

/** Why a comparison ended with a change of the question: a part of the header line, so without a full stop. */
export function cannotCompare(name: string, { stepMs }: Pick<ResolvedQuery, 'stepMs'>): string {
  const { t } = vscode.l10n;
  return stepMs === undefined
    ? t('The comparison with {0} ended: an interval of unknown length cannot be compared', name)
    : t('The comparison with {0} ended: this range has no such period', name);
}

/** Why a comparison with another range ended when the period was stepped. */
export function cannotStep(name: string): string {
  return vscode.l10n.t('The comparison with {0} ended: it cannot move as far as this period', name);
}

/** A label or meaning of a compared column, or a text of the catalogue, in the person's language. */
export function comparisonText(text: string, ...parts: string[]): string {
  return vscode.l10n.t(text, ...parts);
}
