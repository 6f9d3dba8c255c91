import * as vscode from 'vscode';
import { datasets } from '../../core/catalogue.ts';
import type { Connection } from '../../core/connection.ts';
import type { Connections } from '../../service/connections.ts';
import type { QueryService } from '../../service/queryService.ts';
import type { RunBoard } from '../runBoard.ts';
import { displayZone } from '../settings.ts';
import { scopeSentence, lastRequestSentence, type ScopeBudget } from '../words/budget.ts';
import { connectionDescription, connectionStateText } from '../words/connection.ts';

/** A line of the view; commands of its menu get it. What is known of the connection may change while the menu is open. */
export interface ConnectionNode {
  readonly kind: 'connection';
  readonly id: string;
}

export interface ConnectionsTreeDeps {
  readonly connections: Pick<Connections, 'list' | 'byId' | 'active' | 'onDidChange'>;
  readonly service: Pick<QueryService, 'budgetOf'>;
  readonly board: Pick<RunBoard, 'lastRequest' | 'onDidChange'>;
  readonly logError: (error: unknown) => void;
}

/** The view Connections: each service with what is known of its key and what is left of its budget. */
export class ConnectionsTree implements vscode.TreeDataProvider<ConnectionNode> {
  readonly #deps: ConnectionsTreeDeps;
  readonly #changed = new vscode.EventEmitter<ConnectionNode[] | undefined>();
  readonly #endings: readonly (() => void)[];
  #nodes: ConnectionNode[] = [];
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ConnectionsTreeDeps) {
    this.#deps = deps;
    const refresh = (): void => this.refresh();
    this.#endings = [deps.connections.onDidChange(refresh), deps.board.onDidChange(refresh)];
  }

  /** Each line by itself where they are the same: a menu that is open loses its line when all are read anew. */
  refresh(): void {
    const ids = this.#deps.connections.list().map(({ id }) => id);
    const areSame = ids.length > 0 && ids.join('\n') === this.#nodes.map(({ id }) => id).join('\n');
    this.#changed.fire(areSame ? this.#nodes : undefined);
  }

  getChildren(node?: ConnectionNode): ConnectionNode[] {
    if (node) return [];
    this.#nodes = this.#deps.connections.list().map(({ id }) => ({ kind: 'connection', id }));
    return this.#nodes;
  }

  async getTreeItem({ id }: ConnectionNode): Promise<vscode.TreeItem> {
    const connection = this.#deps.connections.byId(id);
    // Removed a moment ago: the lines are read anew.
    if (!connection) return new vscode.TreeItem('');
    const isActive = this.#deps.connections.active()?.id === connection.id;
    const budgets = await this.#budgetsOf(connection);
    const item = new vscode.TreeItem(connection.name);
    item.id = connection.id;
    item.iconPath = iconOf(connection, isActive);
    item.description = connectionDescription(connection, budgets);
    item.contextValue = `connection.${connection.service}${isActive ? '.active' : ''}`;
    item.tooltip = this.#tooltip(connection, budgets);
    item.accessibilityInformation = {
      label: [
        connection.name,
        ...(isActive ? [vscode.l10n.t('queries go here')] : []),
        connectionStateText(connection, budgets),
        ...budgets.map(scopeSentence),
      ].join(', '),
    };
    return item;
  }

  dispose(): void {
    for (const end of this.#endings) end();
    this.#changed.dispose();
  }

  /** Empty where the budget cannot be told: without a key, or while the sandbox does not run. */
  async #budgetsOf(connection: Connection): Promise<ScopeBudget[]> {
    try {
      const all = await Promise.all(
        datasets.map(async dataset => ({ dataset, budget: await this.#deps.service.budgetOf(connection, dataset) })),
      );
      return all.flatMap(({ dataset, budget }) => (budget ? [{ dataset, budget }] : []));
    } catch (error) {
      this.#deps.logError(error);
      return [];
    }
  }

  #tooltip(connection: Connection, budgets: readonly ScopeBudget[]): vscode.MarkdownString {
    const { t } = vscode.l10n;
    const last = this.#deps.board.lastRequest(connection);
    const lines = [
      connection.service === 'sandbox' ? t('Sample data on this machine') : connection.baseUrl,
      connectionStateText(connection, budgets),
      ...budgets.map(scopeSentence),
      ...(last ? [t('Last request: {0}', lastRequestSentence(last, displayZone()))] : []),
    ];
    const tooltip = new vscode.MarkdownString();
    tooltip.appendMarkdown('**').appendText(connection.name).appendMarkdown('**  ').appendText(connection.keyPrefix);
    for (const line of lines) tooltip.appendMarkdown('\n\n').appendText(line);
    return tooltip;
  }
}

function iconOf({ state }: Connection, isActive: boolean): vscode.ThemeIcon {
  if (state === 'rejected' || state === 'forbidden')
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return new vscode.ThemeIcon(isActive ? 'circle-filled' : 'circle-outline');
}
