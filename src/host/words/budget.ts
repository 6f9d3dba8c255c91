import * as vscode from 'vscode';
import type { Dataset } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import type { Budget } from '../../service/limiter/limiter.ts';
import { duration, megabytes } from './numbers.ts';

export interface ScopeBudget {
  readonly dataset: Dataset;
  readonly budget: Budget;
}

/** `8/10 · 2/3`: what is left, in the order of the catalogue; a clock where something waits. */
export function budgetText(budgets: readonly ScopeBudget[]): string {
  const waits = budgets.some(({ budget }) => budget.waiting > 0);
  return `$(${waits ? 'watch' : 'pulse'}) ${budgets.map(({ budget }) => `${budget.left}/${budget.allowed}`).join(' · ')}`;
}

/** Which key, what is left of each scope, when the next slot frees, and the size of the archive. */
export function budgetTooltip(
  connection: Connection,
  budgets: readonly ScopeBudget[],
  archiveBytes: number,
): vscode.MarkdownString {
  const { t } = vscode.l10n;
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${connection.name}  ${connection.keyPrefix}`);
  for (const one of budgets) tooltip.appendMarkdown('\n\n').appendText(scopeSentence(one));
  tooltip.appendMarkdown('\n\n').appendText(t('Archive: {0}', megabytes(archiveBytes)));
  return tooltip;
}

/** One line on a scope, for the tooltip and the menu. */
export function scopeSentence({ dataset, budget }: ScopeBudget): string {
  const { t } = vscode.l10n;
  const parts = [t('{0}: {1} of {2} requests left', dataset.title, budget.left, budget.allowed)];
  if (budget.left === 0) parts.push(t('the next in {0}', duration(budget.nextFreeInMs)));
  if (budget.waiting > 0) parts.push(t('{0} waiting', budget.waiting));
  if (budget.learnedUntil !== undefined) parts.push(t('the service allows fewer than documented'));
  if (budget.refusal !== undefined) parts.push(t('the service refuses this key'));
  return parts.join(', ');
}
