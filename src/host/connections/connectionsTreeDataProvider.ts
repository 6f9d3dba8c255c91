import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasDashboard, type Connection } from '../../core/connections/connection.ts';
import type { Connections } from '../../service/connections/connections.ts';
import { Emitter } from '../../service/emitter.ts';
import type { Budgets } from '../query/budgets.ts';
import { createMarkdown, createTreeItem, createTreeView } from '../messages/messages.ts';
import type { ActiveRuns } from '../query/activeRuns.ts';
import { displayZone } from '../settings.ts';
import { describeBudget, describeLastRequest, type ScopeBudget } from '../query/budgetMessages.ts';
import { connectionDescription, describeKeyState } from './connectionMessages.ts';
import { views } from '../ids.ts';

/** A node of the view, which its menu commands get as an argument. It has only the id, since the connection may change while a menu is open. */
export interface ConnectionNode {
  readonly kind: 'connection';
  readonly id: string;
}

export interface ConnectionsTreeDeps {
  readonly connections: Pick<Connections, 'list' | 'findById' | 'active' | 'onDidChange'>;
  readonly budgets: Pick<Budgets, 'of' | 'onDidRead'>;
  readonly activeRuns: Pick<ActiveRuns, 'lastRequest'>;
}

/** The Connections view: each connection with the state of its key and the rest of its budget. */
export class ConnectionsTreeDataProvider implements vscode.TreeDataProvider<ConnectionNode> {
  readonly #deps: ConnectionsTreeDeps;
  readonly #changed = new Emitter<ConnectionNode[] | undefined>();
  readonly #subscriptions: vscode.Disposable;
  #nodes: ConnectionNode[] = [];
  /** The displayed text of all nodes, to detect changes. */
  #displayedText = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ConnectionsTreeDeps) {
    this.#deps = deps;
    this.#subscriptions = vscode.Disposable.from(
      deps.connections.onDidChange(() => this.refresh()),
      deps.budgets.onDidRead(() => {
        if (this.#createText() !== this.#displayedText) this.refresh();
      }),
    );
  }

  /** Refreshes the nodes one by one if they are the same: refreshing the whole tree would invalidate the node of an open menu. */
  refresh(): void {
    this.#displayedText = this.#createText();
    const ids = this.#deps.connections.list().map(({ id }) => id);
    const areSame = ids.length > 0 && ids.join('\n') === this.#nodes.map(({ id }) => id).join('\n');
    this.#changed.fire(areSame ? this.#nodes : undefined);
  }

  getChildren(node?: ConnectionNode): ConnectionNode[] {
    if (node) return [];
    this.#nodes = this.#deps.connections.list().map(({ id }) => ({ kind: 'connection', id }));
    return this.#nodes;
  }

  getTreeItem({ id }: ConnectionNode): vscode.TreeItem {
    const connection = this.#deps.connections.findById(id);
    // The connection was just removed; the tree is about to refresh.
    if (!connection) return createTreeItem('');
    const isActive = this.#deps.connections.active()?.id === connection.id;
    const budgets = this.#deps.budgets.of(connection);
    const item = createTreeItem(connection.name);
    item.id = connection.id;
    item.iconPath = getConnectionIcon(connection, isActive);
    item.description = connectionDescription(connection, budgets);
    const marks = [...(isActive ? ['active'] : []), ...(hasDashboard(connection) ? ['dashboard'] : [])];
    item.contextValue = ['connection', connection.service, ...marks].join('.');
    item.tooltip = this.#createTooltip(connection, budgets);
    item.accessibilityInformation = {
      label: [
        connection.name,
        ...(isActive ? [t('active')] : []),
        describeKeyState(connection, budgets),
        ...budgets.map(describeBudget),
      ].join(', '),
    };
    return item;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #createText(): string {
    const { connections, budgets } = this.#deps;
    return connections
      .list()
      .map(connection => this.#createTooltip(connection, budgets.of(connection)).value)
      .join();
  }

  #createTooltip(connection: Connection, budgets: readonly ScopeBudget[]): vscode.MarkdownString {
    const last = this.#deps.activeRuns.lastRequest(connection);
    const lines = [
      connection.service === 'sandbox' ? t('Sample Data, simulated on this machine') : connection.baseUrl,
      describeKeyState(connection, budgets),
      ...budgets.map(describeBudget),
      ...(last ? [t('Last request: {0}', describeLastRequest(last, displayZone()))] : []),
    ];
    return createMarkdown([connection.keyPrefix, ...lines], { heading: connection.name });
  }
}

function getConnectionIcon({ state }: Connection, isActive: boolean): vscode.ThemeIcon {
  if (state === 'rejected' || state === 'forbidden')
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return new vscode.ThemeIcon(isActive ? 'circle-filled' : 'circle-outline');
}

/** Registers the Connections view. */
export function registerConnectionsView(deps: ConnectionsTreeDeps): vscode.Disposable {
  const tree = new ConnectionsTreeDataProvider(deps);
  return vscode.Disposable.from(tree, createTreeView(views.connections, { treeDataProvider: tree }));
}

/** Returns the connection id of a node that a command was called with; undefined for any other argument. */
export function getNodeConnectionId(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || argument.kind !== 'connection')
    return undefined;
  return 'id' in argument && typeof argument.id === 'string' ? argument.id : undefined;
}
