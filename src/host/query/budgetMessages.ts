import { t } from '@vscode/l10n';
import type { Dataset } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Budget } from '../../service/limiter/limiter.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { waitsForBudget, type ActiveRun, type LastRequest } from './activeRuns.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import { describeFailure } from '../messages/failures.ts';
import { formatCount, formatDuration, formatRequests, formatRows } from '../messages/numbers.ts';
import { formatQueryTitle } from '../messages/queryTitle.ts';
import { formatZonedInstant } from '../messages/times.ts';

export interface ScopeBudget {
  readonly dataset: Dataset;
  readonly budget: Budget;
}

/** The request budgets of a connection, the size of its archive and its last request. */
export interface BudgetFacts {
  readonly connection: Connection;
  readonly budgets: readonly ScopeBudget[];
  readonly archiveBytes: number;
  readonly last: LastRequest | undefined;
}

/** Formats the remaining requests of each scope: `8/10 · 2/3`. */
export function formatBudgets(budgets: readonly ScopeBudget[]): string {
  return budgets.map(({ budget }) => `${budget.left}/${budget.allowed}`).join(' · ');
}

/** Describes the budgets for a screen reader. Omits countdowns, because the screen reader would read the text again every second. */
export function describeBudgets({ connection, budgets }: Pick<BudgetFacts, 'connection' | 'budgets'>): string {
  const sentences = budgets.map(scopeBudget => `${describeBudget(scopeBudget)}.`);
  return [t('Request budget of {0}.', connection.name), ...sentences].join(' ');
}

/** Describes the budget of a scope without a countdown, for texts that are not updated every second. */
export function describeBudget(scopeBudget: ScopeBudget): string {
  return [describeRemaining(scopeBudget), ...listRemarks(scopeBudget)].join(', ');
}

/** Describes the budget of a scope with the time until the next request is possible, for the tooltip and the menu. */
export function describeBudgetWithCountdown(scopeBudget: ScopeBudget): string {
  return [describeRemaining(scopeBudget), ...describeNextSlot(scopeBudget), ...listRemarks(scopeBudget)].join(', ');
}

function describeRemaining({ dataset, budget }: ScopeBudget): string {
  return t('{0}: {1} of {2} requests left', datasetTitle(dataset.id), budget.left, budget.allowed);
}

function describeNextSlot({ budget: { left, nextFreeInMs, nextSlotInMs } }: ScopeBudget): string[] {
  if (left === 0) return [t('the next in {0}', formatDuration(nextFreeInMs))];
  return nextSlotInMs === undefined ? [] : [t('one more in {0}', formatDuration(nextSlotInMs))];
}

function listRemarks({ budget }: ScopeBudget): string[] {
  return [
    ...(budget.waiting > 0 ? [t('{0} waiting', budget.waiting)] : []),
    ...(budget.refusal === undefined ? [] : [t('the service rejects this key')]),
  ];
}

/** Describes the last request: `System state · yesterday · hourly, 14 Nov 2026 05:00 UTC, 1 request: 24 rows`. */
export function describeLastRequest(lastRequest: LastRequest, zone: DisplayZone): string {
  const { query, at: endedAt, requestsSpent } = lastRequest;
  const request = [formatQueryTitle(query), formatZonedInstant(endedAt, zone), formatRequests(requestsSpent)].join(
    ', ',
  );
  return t('{0}: {1}', request, describeOutcome(lastRequest));
}

function describeOutcome({ error, rowCount }: LastRequest): string {
  if (error) return describeFailure(error)?.sentence ?? t('canceled');
  return rowCount === undefined ? t("a response that isn't a table") : formatRows(rowCount);
}

/** Describes the progress of a run and its wait: “3 of 9 parts, waiting 12 s for the system state budget”. */
export function describeRun(run: ActiveRun, now: number): string {
  const { query, progress, waitsUntil = now, waitsFor, awaitsConfirmation } = run;
  const parts: string[] = [];
  if (progress && progress.total > 1)
    parts.push(t('{0} of {1} parts', formatCount(progress.done), formatCount(progress.total)));
  if (awaitsConfirmation) parts.push(t('waiting for you to confirm its plan'));
  else if (waitsForBudget(run, now))
    parts.push(
      t(
        'waiting {0} for the {1} budget',
        formatDuration(waitsUntil - now),
        datasetTitle(waitsFor ?? query.dataset.id).toLowerCase(),
      ),
    );
  else parts.push(t('in progress'));
  return parts.join(', ');
}
