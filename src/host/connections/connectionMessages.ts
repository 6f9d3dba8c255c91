import { t } from '@vscode/l10n';
import type { Connection, ConnectionState } from '../../core/connections/connection.ts';
import { budgetText, type ScopeBudget } from '../query/budgetMessages.ts';

/** What is known of a key, in a word or two; empty where it works. */
export function stateWord(state: ConnectionState): string {
  return { unchecked: t('unchecked'), works: '', rejected: t('key rejected'), forbidden: t('no access') }[state];
}

/** What the data of the service inside VS Code is called everywhere, its connection and any that is like it. */
export function sampleDataName(): string {
  return t('Sample Data');
}

/** The name, and that it is Sample Data where it is and the name does not say so. */
export function connectionLabel({ name, service }: Pick<Connection, 'name' | 'service'>): string {
  const sample = sampleDataName();
  return service === 'sandbox' && name !== sample ? `${name}, ${sample}` : name;
}

/** `ps_live_3f…  8/10 · 3/3`, or what is wrong with the key instead of the budget. */
export function connectionDescription(connection: Connection, budgets: readonly ScopeBudget[]): string {
  const { name, service, keyPrefix } = connection;
  const parts = service !== 'sandbox' ? [keyPrefix] : name === sampleDataName() ? [] : [sampleDataName()];
  return [...parts, connection.state === 'unchecked' ? stateWord('unchecked') : '', keyText(connection, budgets)]
    .filter(Boolean)
    .join('  ');
}

/** `8/10 · 3/3`, or what is wrong with the key: the view and the status bar say the same. */
export function keyText({ state }: Pick<Connection, 'state'>, budgets: readonly ScopeBudget[]): string {
  const trouble = state === 'unchecked' ? '' : stateWord(state);
  return trouble || throttledText(budgets) || budgetText(budgets);
}

/** A sentence on the key: unchecked, works, rejected, throttled. */
export function connectionStateText({ state, service }: Connection, budgets: readonly ScopeBudget[]): string {
  if (service === 'sandbox') return t('made up on this machine; its key is made when it starts');
  return stateWord(state) || throttledText(budgets) || t('the key works');
}

function throttledText(budgets: readonly ScopeBudget[]): string {
  const isThrottled = budgets.some(({ budget }) => budget.blockedUntil !== undefined && budget.nextFreeInMs > 0);
  return isThrottled ? t('throttled') : '';
}
