import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { allQueries, filterTree } from '../../core/savedQueries/walk.ts';
import type { SavedItem, SavedQuery, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { Emitter } from '../../service/emitter.ts';
import { isOpenEnded, listActiveAlerts } from '../../core/watch/watchedQuery.ts';
import { commands } from '../ids.ts';
import { createMarkdown, createTreeItem } from '../messages/messages.ts';
import { listQueries, type QueryStores } from './queryStores.ts';
import { entryId, type SavedEntry, type QueryStore } from './queryStore.ts';
import { findDataset } from '../../core/query/catalogue.ts';
import { datasetTitle } from '../messages/catalogue.ts';
import {
  formatQueryCount,
  formatDescription,
  formatTooltipLines,
  toSpokenText,
  type QueryStatus,
} from './savedMessages.ts';
import { displayZone } from '../settings.ts';

/** Up to this many matches, a filter expands all folders. With more, they stay collapsed, so that typing stays fast. */
const maxExpandedMatches = 200;

/** A node of the view, which its menu commands get as an argument. */
export type SavedNode =
  | { readonly kind: 'store'; readonly store: QueryStore }
  | ({ readonly kind: 'item' } & SavedEntry);

export interface SavedTreeDeps {
  readonly stores: QueryStores;
  readonly getStatus: (entry: SavedEntry<SavedQuery>) => QueryStatus;
}

/** The Saved Queries view: folders and queries in the user's order, by store if there are several. */
export class SavedQueriesTreeDataProvider implements vscode.TreeDataProvider<SavedNode> {
  readonly #deps: SavedTreeDeps;
  readonly #changed = new Emitter<SavedNode[] | undefined>();
  /** The query nodes that VS Code has got since the last full refresh. */
  readonly #queryNodes = new Map<string, SavedNode>();
  /** Whether an item is the first or the last of its siblings, by id. */
  readonly #endPositions = new Map<string, readonly ('first' | 'last')[]>();
  readonly #filtered = new Map<SavedTree, SavedTree>();
  #filter = '';
  #isExpanded = false;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: SavedTreeDeps) {
    this.#deps = deps;
  }

  get filter(): string {
    return this.#filter;
  }

  /** Shows only items that have every word of the text. An empty text removes the filter. */
  setFilter(text: string): void {
    this.#filter = text.trim();
    const matches = this.#deps.stores
      .list()
      .flatMap(store => allQueries(filterTree(store.tree(), this.#filter, datasetTitle)));
    this.#isExpanded = this.#filter !== '' && matches.length <= maxExpandedMatches;
    this.refresh();
  }

  refresh(): void {
    this.#filtered.clear();
    this.#queryNodes.clear();
    this.#endPositions.clear();
    this.#changed.fire(undefined);
  }

  /** Updates the texts of the nodes without refreshing the whole tree, so that an open menu keeps its node. */
  refreshStatus(): void {
    if (this.#queryNodes.size > 0) this.#changed.fire([...this.#queryNodes.values()]);
  }

  getChildren(node?: SavedNode): SavedNode[] {
    if (node?.kind === 'store') return this.#createNodes(node.store, this.#filteredTree(node.store));
    if (node) return node.item.kind === 'folder' ? this.#createNodes(node.store, node.item.items) : [];
    // VS Code asks for the first time when the view becomes visible.
    void this.#deps.stores.load();
    const stores = this.#deps.stores.list();
    const [only] = stores;
    if (stores.length === 1 && only) return this.#createNodes(only, this.#filteredTree(only));
    // An empty tree shows the welcome content.
    if (stores.every(store => this.#filteredTree(store).length === 0)) return [];
    return stores
      .filter(store => this.#filter === '' || this.#filteredTree(store).length > 0)
      .map(store => ({ kind: 'store', store }));
  }

  getParent(node: SavedNode): SavedNode | undefined {
    if (node.kind === 'store') return undefined;
    const { store } = node;
    const folder = this.#deps.stores.find(entryId(node))?.folder;
    const item =
      folder === undefined ? undefined : this.#deps.stores.find(entryId({ store, item: { id: folder } }))?.item;
    if (item) return { kind: 'item', store, item };
    return this.#deps.stores.list().length > 1 ? { kind: 'store', store } : undefined;
  }

  getTreeItem(node: SavedNode): vscode.TreeItem {
    const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
    if (node.kind === 'store') {
      const item = createTreeItem(node.store.name, Expanded);
      item.id = this.#createNodeId(node.store.key);
      item.iconPath = new vscode.ThemeIcon(node.store.kind === 'personal' ? 'account' : 'root-folder');
      item.contextValue = [`savedStore.${node.store.kind}`, ...getEmptyContext(allQueries(node.store.tree()))].join(
        '.',
      );
      return item;
    }
    const { item: saved } = node;
    const isFolder = saved.kind === 'folder';
    const item = createTreeItem(saved.name, isFolder ? (this.#isExpanded ? Expanded : Collapsed) : None);
    item.id = this.#createNodeId(entryId(node));
    const ends = this.#endPositions.get(entryId(node)) ?? [];
    if (saved.kind === 'folder') {
      const queries = listQueries(saved);
      item.contextValue = ['savedFolder', ...getEmptyContext(queries), ...ends].join('.');
      item.iconPath = vscode.ThemeIcon.Folder;
      item.accessibilityInformation = {
        label: t('{0}, folder with {1}', saved.name, formatQueryCount(queries.length)),
      };
      return item;
    }
    item.command = { command: commands.openSavedQuery, title: t('Open'), arguments: [node] };
    const status = this.#deps.getStatus({ store: node.store, item: saved });
    item.contextValue = [...getQueryContext(saved, status.now), ...ends].join('.');
    item.iconPath = getQueryIcon(saved, status.lastRun?.outcome.kind === 'failed');
    item.description = formatDescription(saved, status, displayZone());
    item.accessibilityInformation = { label: `${saved.name}, ${toSpokenText(item.description)}` };
    return item;
  }

  /** Adds the tooltip on hover, with the range resolved at that time. */
  resolveTreeItem(item: vscode.TreeItem, node: SavedNode): vscode.TreeItem {
    if (node.kind === 'store') return item;
    const { store, item: saved } = node;
    const noteLines = saved.note === undefined ? [] : [saved.note];
    const lines =
      saved.kind === 'folder'
        ? []
        : formatTooltipLines(saved, this.#deps.getStatus({ store, item: saved }), displayZone());
    const allLines = [...noteLines, ...lines];
    if (allLines.length > 0) item.tooltip = createMarkdown(allLines, { heading: saved.name });
    return item;
  }

  #createNodes(store: QueryStore, items: SavedTree): SavedNode[] {
    const ends = { first: items[0], last: items.at(-1) } as const;
    return items.map(item => {
      const node: SavedNode = { kind: 'item', store, item };
      const id = entryId({ store, item });
      if (item.kind === 'query') this.#queryNodes.set(id, node);
      // While a filter hides siblings, the first and the last are unknown.
      if (this.#filter === '')
        this.#endPositions.set(
          id,
          (['first', 'last'] as const).filter(end => ends[end] === item),
        );
      return node;
    });
  }

  #filteredTree(store: QueryStore): SavedTree {
    const tree = store.tree();
    if (this.#filter === '') return tree;
    const filtered = this.#filtered.get(tree) ?? filterTree(tree, this.#filter, datasetTitle);
    this.#filtered.set(tree, filtered);
    return filtered;
  }

  /** Returns a tree item id that differs while filtering, so that VS Code keeps the expanded state with and without the filter separately. */
  #createNodeId(id: string): string {
    return this.#filter === '' ? id : `${this.#filter}\n${id}`;
  }
}

/** Returns the context value `empty` for a folder or store without queries; menus depend on it. */
function getEmptyContext(queries: readonly unknown[]): readonly string[] {
  return queries.length === 0 ? ['empty'] : [];
}

/**
 * Returns the parts of a query's context value, on which menus depend: `savedQuery`, then, if they apply, `open` (new hours will come),
 * `fresh` (refreshes hourly), `alerts` (has alerts) and `live` (has active alerts).
 */
function getQueryContext(query: SavedQuery, now: number): readonly string[] {
  const { keepFresh = false, alerts = [] } = query;
  const marks = {
    open: isOpenEnded(query.query, now),
    fresh: keepFresh,
    alerts: alerts.length > 0,
    live: listActiveAlerts(query).length > 0,
  };
  return ['savedQuery', ...Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []))];
}

function getQueryIcon({ query }: SavedItem & { readonly kind: 'query' }, hasFailed: boolean): vscode.ThemeIcon {
  if (hasFailed) return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  return new vscode.ThemeIcon(findDataset(query.dataset)?.icon ?? 'graph-line');
}
