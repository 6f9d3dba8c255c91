import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Clock } from '../../core/ports.ts';
import type { Connections } from '../../service/connections/connections.ts';
import type { ArchiveSize } from '../archive/lazyArchive.ts';
import { isInUse, type Budgets } from '../query/budgets.ts';
import { commands } from '../ids.ts';
import { createMarkdown, showStatusBarText } from '../messages/messages.ts';
import { waitsForBudget, type ActiveRuns } from '../query/activeRuns.ts';
import { displayZone } from '../settings.ts';
import {
  describeBudgets,
  describeBudgetWithCountdown,
  describeLastRequest,
  type BudgetFacts,
} from '../query/budgetMessages.ts';
import { formatSize } from '../messages/numbers.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import { formatBudgetOrProblem } from '../connections/connectionMessages.ts';

export interface BudgetStatusDeps {
  readonly connections: Pick<Connections, 'active'>;
  readonly budgets: Pick<Budgets, 'of' | 'onDidRead'>;
  readonly activeRuns: Pick<ActiveRuns, 'list' | 'lastRequest' | 'onDidChange'>;
  readonly archiveSize: Pick<ArchiveSize, 'bytes' | 'invalidate'>;
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
 * in this or another window. It has the warning color only while requests wait.
 */
export class BudgetStatus {
  readonly #deps: BudgetStatusDeps;
  readonly #item: vscode.StatusBarItem;
  readonly #subscriptions: vscode.Disposable;
  /** The displayed content, serialized for comparison; undefined while the item is hidden. */
  #displayed: string | undefined;
  #disposed = false;

  constructor(deps: BudgetStatusDeps, item = createBudgetItem()) {
    this.#deps = deps;
    this.#item = item;
    this.#subscriptions = vscode.Disposable.from(
      deps.budgets.onDidRead(() => void this.#update().catch(deps.logError)),
      deps.activeRuns.onDidChange(change => {
        if (change === 'done' || change === 'failed') deps.archiveSize.invalidate();
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
    if (!this.#shouldShow()) {
      this.#displayed = undefined;
      this.#item.hide();
      return;
    }
    if (this.#displayed === undefined) this.#deps.archiveSize.invalidate();
    const facts = await this.facts();
    // Checked again, because the budget may be unused by now.
    if (facts && this.#shouldShow()) this.#show(facts);
  }

  #shouldShow(): boolean {
    const { connections, budgets, activeRuns } = this.#deps;
    const connection = connections.active();
    const connectionBudgets = connection ? budgets.of(connection) : [];
    return connectionBudgets.length > 0 && (connectionBudgets.some(isInUse) || activeRuns.list.length > 0);
  }

  #show(facts: BudgetFacts): void {
    const { activeRuns, clock } = this.#deps;
    const isWaiting =
      facts.budgets.some(({ budget }) => budget.waiting > 0) ||
      activeRuns.list.some(run => waitsForBudget(run, clock.now()));
    const text = formatBudgetOrProblem(facts.connection, facts.budgets);
    const tooltip = createBudgetTooltip(facts, displayZone());
    const spoken = describeBudgets(facts);
    const displayed = JSON.stringify([text, tooltip.value, spoken, isWaiting]);
    if (displayed === this.#displayed || this.#disposed) return;
    this.#displayed = displayed;
    const color = isWaiting ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    showStatusBarText(this.#item, { icon: isWaiting ? 'watch' : 'pulse', text, tooltip, spoken, color });
  }
}

/** Creates the tooltip: the key, the budget of each scope, the last request and the size of the archive. */
export function createBudgetTooltip(facts: BudgetFacts, zone: DisplayZone): vscode.MarkdownString {
  const { connection, budgets, archiveBytes, last } = facts;
  const lines = budgets.map(describeBudgetWithCountdown);
  if (last) lines.push(t('Last request: {0}', describeLastRequest(last, zone)));
  lines.push(t('Archive: {0}', formatSize(archiveBytes)));
  return createMarkdown([`${connection.name}  ${connection.keyPrefix}`, ...lines]);
}
