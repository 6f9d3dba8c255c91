import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { commands, contextKeys, views } from '../ids.ts';
import type { ErrorBoundary } from '../messages/errorBoundary.ts';
import { createInputBox, createTreeView } from '../messages/messages.ts';
import { setContext } from '../workbench.ts';
import { type QueryStore, entryId, type SavedEntry } from './queryStore.ts';
import type { QueryStores } from './queryStores.ts';
import { SavedQueriesTreeDataProvider, type SavedNode, type SavedTreeDeps } from './savedQueriesTreeDataProvider.ts';
import type { Deletions } from './deletions.ts';
import { canMoveTo, type StorePosition } from './savedEdits.ts';

export interface SavedQueriesViewDeps extends SavedTreeDeps {
  readonly boundary: ErrorBoundary;
  readonly newId: () => string;
  readonly deletions: Pick<Deletions, 'move'>;
}

/** The Saved Queries view with its filter and selection. */
export class SavedQueriesView {
  readonly #tree: SavedQueriesTreeDataProvider;
  readonly #stores: QueryStores;
  readonly #view: vscode.TreeView<SavedNode>;
  readonly #registered: vscode.Disposable;

  constructor(deps: SavedQueriesViewDeps) {
    this.#stores = deps.stores;
    this.#tree = new SavedQueriesTreeDataProvider(deps);
    this.#view = createTreeView(views.savedQueries, {
      treeDataProvider: this.#tree,
      dragAndDropController: new SavedDragAndDropController(deps),
      canSelectMany: true,
      showCollapseAll: true,
    });
    this.#registered = vscode.Disposable.from(
      this.#view,
      deps.stores.onDidChange(() => this.refresh()),
      deps.boundary.register(commands.filterSavedQueries, async () => this.#promptFilter()),
      deps.boundary.register(commands.clearSavedFilter, async () => this.#setFilter('')),
    );
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  get onDidChangeVisibility(): vscode.Event<unknown> {
    return this.#view.onDidChangeVisibility;
  }

  /** Updates the displayed status of the queries, which themselves have not changed. */
  refreshStatus(): void {
    this.#tree.refreshStatus();
  }

  refresh(): void {
    this.#tree.refresh();
    this.#updateMessage();
    const { hasSaved, hasWatched, hasAlerts } = contextKeys;
    void setContext(
      hasSaved,
      this.#stores.mayContain(() => true),
    );
    void setContext(
      hasWatched,
      this.#stores.mayContain(item => item.kind === 'query' && item.keepFresh === true),
    );
    void setContext(
      hasAlerts,
      this.#stores.mayContain(item => item.kind === 'query' && (item.alerts ?? []).length > 0),
    );
  }

  /**
   * Returns the nodes that a keybinding applies to. Arrow keys move the focus rather than the selection, and VS Code exposes only the
   * selection to extensions. So, unless several nodes are selected, the selection of the focused node is toggled twice to find it. Selecting
   * only that node instead would open it, like a click.
   */
  async keyboardNodes(): Promise<readonly SavedNode[]> {
    if (this.#view.selection.length > 1) return this.#view.selection;
    const previousSelection = this.#view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    const after = this.#view.selection;
    await vscode.commands.executeCommand('list.toggleSelection');
    return after.length < previousSelection.length
      ? previousSelection
      : after.filter(node => !previousSelection.includes(node));
  }

  /**
   * Reveals a new item if the view is visible. This is not awaited, since VS Code rejects or never settles the promise if the tree changes
   * meanwhile.
   */
  show(store: QueryStore, id: string): void {
    const entry = this.#stores.find(`${store.key}/${id}`);
    if (!entry || !this.#view.visible) return;
    void this.#view.reveal({ kind: 'item', ...entry }, { select: true, focus: false }).then(undefined, () => undefined);
  }

  dispose(): void {
    this.#registered.dispose();
  }

  async #promptFilter(): Promise<void> {
    const previousFilter = this.#tree.filter;
    await vscode.commands.executeCommand(`${views.savedQueries}.focus`);
    const box = createInputBox();
    box.title = t('Filter Saved Queries');
    box.placeholder = t('Part of a name, a dataset or a range');
    box.prompt = t('The view updates as you type.');
    box.value = previousFilter;
    box.onDidChangeValue(text => void this.#setFilter(text));
    await new Promise<void>(resolve => {
      let isAccepted = false;
      box.onDidAccept(() => {
        isAccepted = true;
        box.hide();
      });
      box.onDidHide(() => {
        box.dispose();
        if (!isAccepted) void this.#setFilter(previousFilter);
        resolve();
      });
      box.show();
    });
  }

  async #setFilter(text: string): Promise<void> {
    this.#tree.setFilter(text);
    this.#updateMessage();
    await setContext(contextKeys.savedFilter, this.#tree.filter !== '');
  }

  #updateMessage(): void {
    const { filter } = this.#tree;
    const isEmpty = filter !== '' && this.#tree.getChildren().length === 0;
    const sentence = isEmpty ? t("No saved queries match '{0}'.", filter) : t("Filtered by '{0}'.", filter);
    this.#view.message = filter && sentence;
  }
}

const mime = `application/vnd.code.tree.${views.savedQueries.toLowerCase()}`;

interface SavedDragDeps {
  readonly stores: QueryStores;
  readonly boundary: ErrorBoundary;
  readonly newId: () => string;
  readonly deletions: Pick<Deletions, 'move'>;
}

/** Handles drag and drop in the view: dropping on a query moves to its position, dropping on a folder or store moves into it. */
class SavedDragAndDropController implements vscode.TreeDragAndDropController<SavedNode> {
  readonly dragMimeTypes = [mime];
  readonly dropMimeTypes = [mime];
  readonly #deps: SavedDragDeps;

  constructor(deps: SavedDragDeps) {
    this.#deps = deps;
  }

  handleDrag(nodes: readonly SavedNode[], data: vscode.DataTransfer): void {
    const ids = nodes.flatMap(node => (node.kind === 'item' ? [entryId(node)] : []));
    if (ids.length > 0) data.set(mime, new vscode.DataTransferItem(JSON.stringify(ids)));
  }

  async handleDrop(target: SavedNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const { stores, boundary, newId, deletions } = this.#deps;
    try {
      const entries = parseIds(await data.get(mime)?.asString()).flatMap(id => stores.find(id) ?? []);
      const position = this.#findDropPosition(target, entries);
      if (position && canMoveTo(entries, position)) await deletions.move(entries, position, newId);
    } catch (error) {
      void boundary.report(error);
    }
  }

  #findDropPosition(target: SavedNode | undefined, entries: readonly SavedEntry[]): StorePosition | undefined {
    const { stores } = this.#deps;
    const store = target?.store ?? stores.list()[0];
    if (!store) return undefined;
    if (target?.kind !== 'item') return { store };
    if (target.item.kind === 'folder') return { store, folder: target.item.id };
    const location = stores.find(entryId(target));
    if (!location) return undefined;
    // An item that is dragged downwards takes the position of the drop target, which moves up.
    const targetIndex = location.siblings.findIndex(({ id }) => id === target.item.id);
    const firstDraggedIndex = location.siblings.findIndex(({ id }) =>
      entries.some(entry => entry.store === store && entry.item.id === id),
    );
    const nextSiblingId =
      location.siblings[firstDraggedIndex >= 0 && firstDraggedIndex < targetIndex ? targetIndex + 1 : targetIndex]?.id;
    return { store, folder: location.folder, before: nextSiblingId };
  }
}

/** Parses the dragged ids. Data of another window or extension may be anything. */
function parseIds(text: string | undefined): string[] {
  try {
    const ids: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
