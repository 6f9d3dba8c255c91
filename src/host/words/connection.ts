import * as vscode from 'vscode';
import type { Connection, ConnectionState } from '../../core/connection.ts';
import type { ScopeBudget } from './budget.ts';
import { duration } from './numbers.ts';

/** What is known of a key, in a word or two; empty where it works. */
export function stateWord(state: ConnectionState): string {
  const { t } = vscode.l10n;
  switch (state) {
    case 'unchecked':
      return t('unchecked');
    case 'works':
      return '';
    case 'rejected':
      return t('key rejected');
    case 'forbidden':
      return t('no access');
  }
}

/** The name, and that its data is made up where it is. */
export function connectionLabel({ name, service }: Pick<Connection, 'name' | 'service'>): string {
  return service === 'sandbox' ? vscode.l10n.t('{0}, sample data', name) : name;
}

/** `ps_live_3f…  8/10 · 3/3`, or what is wrong with the key instead of the budget. */
export function connectionDescription(connection: Connection, budgets: readonly ScopeBudget[]): string {
  const trouble = stateWord(connection.state);
  const left = budgets.map(({ budget }) => `${budget.left}/${budget.allowed}`).join(' · ');
  const parts = connection.service === 'sandbox' ? [vscode.l10n.t('sample data')] : [connection.keyPrefix];
  return [...parts, trouble || throttledText(budgets) || left].filter(Boolean).join('  ');
}

/** A sentence on the key: unchecked, works, rejected, throttled for so long. */
export function connectionStateText({ state, service }: Connection, budgets: readonly ScopeBudget[]): string {
  const { t } = vscode.l10n;
  if (service === 'sandbox') return t('sample data, its key is made when it starts');
  return stateWord(state) || throttledText(budgets) || t('the key works');
}

function throttledText(budgets: readonly ScopeBudget[]): string {
  const longest = Math.max(
    0,
    ...budgets.map(({ budget }) => (budget.blockedUntil === undefined ? 0 : budget.nextFreeInMs)),
  );
  return longest > 0 ? vscode.l10n.t('throttled for {0}', duration(longest)) : '';
}
