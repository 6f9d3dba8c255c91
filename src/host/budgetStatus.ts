import * as vscode from 'vscode';
import { datasets } from '../core/catalogue.ts';
import type { Connection } from '../core/connection.ts';
import type { Clock } from '../core/ports.ts';
import type { Connections } from '../service/connections.ts';
import type { QueryService } from '../service/queryService.ts';
import type { ArchiveSize } from './archiveSize.ts';
import { commands } from './ids.ts';
import { waitsForBudget, type RunBoard } from './runBoard.ts';
import { displayZone } from './settings.ts';
import { budgetText, budgetTooltip, spokenBudget, type BudgetFacts, type ScopeBudget } from './words/budget.ts';

export interface BudgetStatusDeps {
  readonly connections: Pick<Connections, 'active' | 'onDidChange'>;
  readonly service: Pick<QueryService, 'budgetOf'>;
  readonly board: Pick<RunBoard, 'runs' | 'lastRequest' | 'onDidChange'>;
  readonly archiveSize: Pick<ArchiveSize, 'bytes' | 'outdated'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logError: (error: unknown) => void;
}

/** While it is shown its seconds count down. */
const shownMs = 1000;
/** While the budget is whole only another window can change that; who looks at this one sees it soon enough. */
const hiddenMs = 5000;

/** An item for the budget, not shown yet. */
function createBudgetItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('gridData.budget', vscode.StatusBarAlignment.Right, 100);
  item.name = vscode.l10n.t('Grid Data request budget');
  item.command = commands.showBudget;
  return item;
}

/**
 * What is left of the active connection's budget: shown while something runs, waits or is spent, in this window or another,
 * and gone when the budget is whole again. Warning colour only while something waits.
 */
export class BudgetStatus {
  readonly #deps: BudgetStatusDeps;
  readonly #item: vscode.StatusBarItem;
  readonly #endings: readonly (() => void)[];
  #timer: NodeJS.Timeout | undefined;
  /** What the item shows, as one text; undefined while it is hidden. */
  #shown: string | undefined;
  #updating = false;
  #again = false;
  #disposed = false;

  constructor(deps: BudgetStatusDeps, item = createBudgetItem()) {
    this.#deps = deps;
    this.#item = item;
    const focus = vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) this.#watch();
    });
    this.#endings = [
      deps.connections.onDidChange(() => this.#watch()),
      deps.board.onDidChange(change => {
        if (change === 'ended') deps.archiveSize.outdated();
        this.#watch();
      }),
      () => void focus.dispose(),
    ];
    this.#lookAgain(hiddenMs);
  }

  /** All there is to know of the active connection's budget; undefined without one. */
  async facts(): Promise<BudgetFacts | undefined> {
    const connection = this.#deps.connections.active();
    return connection && this.#factsOf(connection, await this.#budgetsOf(connection));
  }

  dispose(): void {
    this.#disposed = true;
    for (const end of this.#endings) end();
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  /** Looks now. What changes during a look is seen by one more, so that an old figure never replaces a newer one. */
  #watch(): void {
    clearTimeout(this.#timer);
    this.#again = true;
    if (!this.#updating) void this.#updateAll();
  }

  async #updateAll(): Promise<void> {
    this.#updating = true;
    while (this.#again && !this.#disposed) {
      this.#again = false;
      try {
        await this.#update();
      } catch (error) {
        // A figure that may be wrong is worse than none.
        this.#hide();
        this.#deps.logError(error);
        this.#lookAgain(hiddenMs);
      }
    }
    this.#updating = false;
  }

  async #update(): Promise<void> {
    const { connections, board, clock, archiveSize } = this.#deps;
    const connection = connections.active();
    const budgets = connection ? await this.#budgetsOf(connection) : [];
    const { runs } = board;
    const waits =
      budgets.some(({ budget }) => budget.waiting > 0) || runs.some(run => waitsForBudget(run, clock.now()));
    const spent = budgets.some(({ budget }) => budget.left < budget.allowed);
    if (!connection || budgets.length === 0 || !(waits || spent || runs.length > 0)) {
      this.#hide();
      // Without a connection there is nothing to look for before there is one.
      if (connection) this.#lookAgain(runs.length > 0 ? shownMs : hiddenMs);
      return;
    }
    if (this.#shown === undefined) archiveSize.outdated();
    this.#show(await this.#factsOf(connection, budgets), waits);
    this.#lookAgain(shownMs);
  }

  #show(facts: BudgetFacts, waits: boolean): void {
    const text = budgetText(facts.budgets, waits);
    const tooltip = budgetTooltip(facts, displayZone());
    const label = spokenBudget(facts);
    const shown = JSON.stringify([text, tooltip.value, label, waits]);
    if (shown === this.#shown || this.#disposed) return;
    this.#shown = shown;
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label };
    this.#item.backgroundColor = waits ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  #hide(): void {
    this.#shown = undefined;
    this.#item.hide();
  }

  #lookAgain(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#disposed) return;
    this.#timer = setTimeout(() => {
      // A window that nobody looks at, with nothing to show, looks again when it has the focus.
      if (this.#shown !== undefined || this.#deps.board.runs.length > 0 || vscode.window.state.focused) this.#watch();
    }, ms);
  }

  async #budgetsOf(connection: Connection): Promise<ScopeBudget[]> {
    const all = await Promise.all(
      datasets.map(async dataset => ({ dataset, budget: await this.#deps.service.budgetOf(connection, dataset) })),
    );
    return all.flatMap(({ dataset, budget }) => (budget ? [{ dataset, budget }] : []));
  }

  async #factsOf(connection: Connection, budgets: readonly ScopeBudget[]): Promise<BudgetFacts> {
    const { archiveSize, board } = this.#deps;
    return { connection, budgets, archiveBytes: await archiveSize.bytes(), last: board.lastRequest(connection) };
  }
}
