import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ArchiveSize } from '../archive/lazyArchive.ts';
import { isSpent, type Budgets } from '../query/budgets.ts';
import { commands } from '../ids.ts';
import { showStatusBarText } from '../messages/messages.ts';
import { waitsForBudget, type ActiveRuns } from '../query/activeRuns.ts';
import { displayZone } from '../settings.ts';
import { budgetTooltip, spokenBudget, type BudgetFacts } from '../query/budgetMessages.ts';
import { keyText } from '../connections/connectionMessages.ts';

export interface BudgetStatusDeps {
  readonly connections: Pick<Connections, 'active'>;
  readonly budgets: Pick<Budgets, 'of' | 'onDidRead'>;
  readonly activeRuns: Pick<ActiveRuns, 'list' | 'lastRequest' | 'onDidChange'>;
  readonly archiveSize: Pick<ArchiveSize, 'bytes' | 'outdated'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logError: (error: unknown) => void;
}

/** Creates the status bar item of the budget, still hidden. */
function createBudgetItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('gridData.budget', vscode.StatusBarAlignment.Right, 100);
  item.name = t('Grid Data request budget');
  item.command = commands.showBudget;
  return item;
}

/**
 * Shows the remaining budget of the active connection in the status bar while requests run, wait or count against the budget,
 * in this or another window. It has the warning colour only while requests wait.
 */
export class BudgetStatus {
  readonly #deps: BudgetStatusDeps;
  readonly #item: vscode.StatusBarItem;
  readonly #subscriptions: vscode.Disposable;
  /** The displayed content, serialized for comparison; undefined while the item is hidden. */
  #shown: string | undefined;
  #disposed = false;

  constructor(deps: BudgetStatusDeps, item = createBudgetItem()) {
    this.#deps = deps;
    this.#item = item;
    this.#subscriptions = vscode.Disposable.from(
      deps.budgets.onDidRead(() => void this.#update().catch(deps.logError)),
      deps.activeRuns.onDidChange(change => {
        if (change === 'done' || change === 'failed') deps.archiveSize.outdated();
      }),
    );
  }

  /** Returns the budget of the active connection and related figures; undefined without a connection. */
  async facts(): Promise<BudgetFacts | undefined> {
    const { connections, archiveSize } = this.#deps;
    const archiveBytes = await archiveSize.bytes();
    const connection = connections.active();
    if (!connection) return undefined;
    const { budgets, activeRuns } = this.#deps;
    return { connection, budgets: budgets.of(connection), archiveBytes, last: activeRuns.lastRequest(connection) };
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscriptions.dispose();
    this.#item.dispose();
  }

  async #update(): Promise<void> {
    if (!this.#isWorthShowing()) {
      this.#shown = undefined;
      this.#item.hide();
      return;
    }
    if (this.#shown === undefined) this.#deps.archiveSize.outdated();
    const facts = await this.facts();
    // Checked again, because the budget may be unused by now.
    if (facts && this.#isWorthShowing()) this.#show(facts);
  }

  #isWorthShowing(): boolean {
    const { connections, budgets, activeRuns } = this.#deps;
    const connection = connections.active();
    const known = connection ? budgets.of(connection) : [];
    return known.length > 0 && (known.some(isSpent) || activeRuns.list.length > 0);
  }

  #show(facts: BudgetFacts): void {
    const { activeRuns, clock } = this.#deps;
    const waits =
      facts.budgets.some(({ budget }) => budget.waiting > 0) ||
      activeRuns.list.some(run => waitsForBudget(run, clock.now()));
    const text = keyText(facts.connection, facts.budgets);
    const tooltip = budgetTooltip(facts, displayZone());
    const spoken = spokenBudget(facts);
    const shown = JSON.stringify([text, tooltip.value, spoken, waits]);
    if (shown === this.#shown || this.#disposed) return;
    this.#shown = shown;
    const color = waits ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    showStatusBarText(this.#item, { icon: waits ? 'watch' : 'pulse', text, tooltip, spoken, color });
  }
}
