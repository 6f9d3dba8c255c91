import * as vscode from 'vscode';
import { datasets } from '../core/catalogue.ts';
import type { Archive } from '../service/archive.ts';
import type { Connections } from '../service/connections.ts';
import type { QueryService } from '../service/queryService.ts';
import { commands } from './ids.ts';
import { budgetText, budgetTooltip, type ScopeBudget } from './words/budget.ts';

export interface BudgetStatusDeps {
  readonly connections: Pick<Connections, 'active' | 'onDidChange'>;
  readonly service: Pick<QueryService, 'budgetOf'>;
  readonly archive: Pick<Archive, 'size'>;
  readonly logError: (error: unknown) => void;
}

const refreshMs = 1000;

/**
 * What is left of the active connection's budget: shown while something runs, waits or is spent, and gone when the budget is
 * whole again. Warning colour only while something waits.
 */
export class BudgetStatus {
  readonly #deps: BudgetStatusDeps;
  readonly #item: vscode.StatusBarItem;
  #timer: NodeJS.Timeout | undefined;
  readonly #stopListening: () => void;
  #running = 0;

  constructor(deps: BudgetStatusDeps) {
    this.#deps = deps;
    this.#item = vscode.window.createStatusBarItem('gridData.budget', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = vscode.l10n.t('Grid Data request budget');
    this.#item.command = commands.showBudget;
    this.#stopListening = deps.connections.onDidChange(() => this.#watch());
  }

  /** The same function, but the budget is shown from the beginning of each of its runs on. */
  count<A extends unknown[], T>(run: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    return async (...args) => {
      this.#running++;
      this.#watch();
      try {
        return await run(...args);
      } finally {
        this.#running--;
        this.#watch();
      }
    };
  }

  /** What is left of the active connection's budget; empty without one. */
  async budgets(): Promise<ScopeBudget[]> {
    const connection = this.#deps.connections.active();
    if (!connection) return [];
    const all = await Promise.all(
      datasets.map(async dataset => ({ dataset, budget: await this.#deps.service.budgetOf(connection, dataset) })),
    );
    return all.flatMap(({ dataset, budget }) => (budget ? [{ dataset, budget }] : []));
  }

  dispose(): void {
    this.#stopListening();
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#update().catch((error: unknown) => {
      // A figure that may be wrong is worse than none.
      this.#item.hide();
      this.#deps.logError(error);
    });
  }

  async #update(): Promise<void> {
    const connection = this.#deps.connections.active();
    const budgets = await this.budgets();
    const spent = budgets.some(({ budget }) => budget.left < budget.allowed || budget.waiting > 0);
    if (!connection || (this.#running === 0 && !spent)) {
      this.#item.hide();
      return;
    }
    this.#item.text = budgetText(budgets);
    this.#item.tooltip = budgetTooltip(connection, budgets, await this.#deps.archive.size());
    const waits = budgets.some(({ budget }) => budget.waiting > 0);
    this.#item.backgroundColor = waits ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#watch(), refreshMs);
  }
}
