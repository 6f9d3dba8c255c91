import * as vscode from 'vscode';
import { datasets } from '../../core/query/catalogue.ts';
import type { Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import type { RequestPricing } from '../../service/query/requestPricing.ts';
import type { ActiveRuns } from './activeRuns.ts';
import type { ScopeBudget } from './budgetMessages.ts';

export interface BudgetsDeps {
  readonly connections: Pick<Connections, 'list' | 'onDidChange'>;
  readonly pricing: Pick<RequestPricing, 'getBudget'>;
  readonly activeRuns: Pick<ActiveRuns, 'list' | 'onDidChange'>;
  readonly logError: (error: unknown) => void;
}

/** The interval between readings while a budget is in use, since its countdown shows seconds. */
const busyIntervalMs = 1000;
/** The interval between readings while no budget is in use. Only another window can change it then. */
const idleIntervalMs = 5000;

/**
 * The remaining budget of each connection. It is read once for everything that displays it, so that the status bar and the
 * view never show different numbers.
 */
export class Budgets {
  readonly #deps: BudgetsDeps;
  readonly #didRead = new Emitter();
  /** Fires after each reading. */
  readonly onDidRead = this.#didRead.event;
  readonly #subscriptions: vscode.Disposable;
  #budgets: ReadonlyMap<string, readonly ScopeBudget[]> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isOutdated = false;
  #disposed = false;

  constructor(deps: BudgetsDeps) {
    this.#deps = deps;
    this.#subscriptions = vscode.Disposable.from(
      deps.connections.onDidChange(() => this.#refresh()),
      deps.activeRuns.onDidChange(() => this.#refresh()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#refresh();
      }),
    );
    this.#refresh();
  }

  /** Returns the latest reading; empty if there is none, such as without a key or while the sandbox is stopped. */
  of({ id }: Pick<Connection, 'id'>): readonly ScopeBudget[] {
    return this.#budgets.get(id) ?? [];
  }

  dispose(): void {
    this.#disposed = true;
    this.#subscriptions.dispose();
    clearTimeout(this.#timer);
  }

  /** Reads now, and again if something changes during the reading, so that an older figure never replaces a newer one. */
  #refresh(): void {
    clearTimeout(this.#timer);
    this.#isOutdated = true;
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#isOutdated && !this.#disposed) {
      this.#isOutdated = false;
      const connections = this.#deps.connections.list();
      this.#budgets = new Map(
        await Promise.all(
          connections.map(async connection => [connection.id, await this.#readBudgets(connection)] as const),
        ),
      );
      this.#didRead.fire();
    }
    this.#isReading = false;
    this.#scheduleRefresh();
  }

  /** Reads the budgets of a connection; none if that fails, rather than outdated ones. */
  async #readBudgets(connection: Connection): Promise<ScopeBudget[]> {
    try {
      const readings = await Promise.all(
        datasets.map(async dataset => ({ dataset, budget: await this.#deps.pricing.getBudget(connection, dataset) })),
      );
      return readings.flatMap(({ dataset, budget }) => (budget ? [{ dataset, budget }] : []));
    } catch (error) {
      this.#deps.logError(error);
      return [];
    }
  }

  #scheduleRefresh(): void {
    clearTimeout(this.#timer);
    // Without a connection there is nothing to read; adding one triggers a reading.
    if (this.#disposed || this.#deps.connections.list().length === 0) return;
    const isBusy = this.#deps.activeRuns.list.length > 0 || [...this.#budgets.values()].flat().some(isInUse);
    this.#timer = setTimeout(
      () => {
        // An idle window without focus reads again when it gets the focus.
        if (isBusy || vscode.window.state.focused) this.#refresh();
      },
      isBusy ? busyIntervalMs : idleIntervalMs,
    );
  }
}

/** Whether requests have been spent or wait for the budget. */
export function isInUse({ budget }: ScopeBudget): boolean {
  return budget.left < budget.allowed || budget.waiting > 0;
}
