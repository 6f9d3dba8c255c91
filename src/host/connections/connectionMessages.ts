import { t } from '@vscode/l10n';
import type { Connection, ConnectionState } from '../../core/connections/connection.ts';
import { formatBudgets, type ScopeBudget } from '../query/budgetMessages.ts';

/** Returns a short label of a key's state; empty if the key works. */
export function keyStateLabel(state: ConnectionState): string {
  return { unchecked: t('unchecked'), works: '', rejected: t('key rejected'), forbidden: t('no access') }[state];
}

/** Returns the display name of the embedded service and its data. */
export function sampleDataName(): string {
  return t('Sample Data');
}

/** Returns the connection's name, with “Sample Data” added if it is the embedded service under another name. */
export function connectionLabel({ name, service }: Pick<Connection, 'name' | 'service'>): string {
  const sample = sampleDataName();
  return service === 'sandbox' && name !== sample ? `${name}, ${sample}` : name;
}

/** Formats the description of a tree item: `ps_live_3f…  8/10 · 3/3`, with the key's problem instead of the budget if it has one. */
export function connectionDescription(connection: Connection, budgets: readonly ScopeBudget[]): string {
  const { name, service, keyPrefix } = connection;
  const parts = service !== 'sandbox' ? [keyPrefix] : name === sampleDataName() ? [] : [sampleDataName()];
  return [
    ...parts,
    connection.state === 'unchecked' ? keyStateLabel('unchecked') : '',
    formatBudgetOrProblem(connection, budgets),
  ]
    .filter(Boolean)
    .join('  ');
}

/** Formats the budget, `8/10 · 3/3`, or the key's problem. The view and the status bar share it. */
export function formatBudgetOrProblem({ state }: Pick<Connection, 'state'>, budgets: readonly ScopeBudget[]): string {
  const problem = state === 'unchecked' ? '' : keyStateLabel(state);
  return problem || formatThrottled(budgets) || formatBudgets(budgets);
}

/** Describes the state of the key: unchecked, working, rejected or throttled. */
export function describeKeyState({ state, service }: Connection, budgets: readonly ScopeBudget[]): string {
  if (service === 'sandbox') return t('simulated on this machine; its key is created when it starts');
  return keyStateLabel(state) || formatThrottled(budgets) || t('the key works');
}

function formatThrottled(budgets: readonly ScopeBudget[]): string {
  const isThrottled = budgets.some(({ budget }) => budget.blockedUntil !== undefined && budget.nextFreeInMs > 0);
  return isThrottled ? t('throttled') : '';
}
