import { t } from '@vscode/l10n';
import type { SavedFolder, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { type QueryStores, collectQueries } from './queryStores.ts';
import type { SavedQueriesView } from './savedQueriesView.ts';
import type { StorePosition } from './savedEdits.ts';
import { UnavailableError } from '../inputError.ts';
import { entryId, type SavedEntry } from './queryStore.ts';
import { pickEntries } from './savedPrompts.ts';
import type { SavedNode } from './savedQueriesTreeDataProvider.ts';

/** The argument of the keybindings in package.json. It means the selection of the view. */
const keyboardArgument = 'selection';

export interface TreeSelectionDeps {
  readonly stores: QueryStores;
  readonly view: Pick<SavedQueriesView, 'keyboardNodes'>;
}

/** Resolves the items that a command acts on: those of a context menu, those selected in the view, or those that the user picks. */
export class TreeSelection {
  readonly #deps: TreeSelectionDeps;

  constructor(deps: TreeSelectionDeps) {
    this.#deps = deps;
  }

  /** Returns one item. Returns undefined if the user cancels. */
  async resolveItem(argument: unknown, placeholder: string): Promise<SavedEntry | undefined> {
    const nodes = await this.#resolveNodes(argument, undefined);
    if (nodes) return this.#currentEntries(nodes)[0];
    return (await pickEntries(this.#deps.stores.items(), placeholder, 'one'))[0];
  }

  /** Returns one query. Returns undefined if the user cancels or the node is a folder. */
  async resolveQuery(argument: unknown, placeholder: string): Promise<SavedEntry<SavedQuery> | undefined> {
    const nodes = await this.#resolveNodes(argument, undefined);
    if (nodes) return this.#currentEntries(nodes).find(isQuery);
    return (await pickEntries(this.#deps.stores.queries(), placeholder, 'one'))[0];
  }

  /** Returns one folder. Returns undefined if the user cancels or the node is a query. */
  async resolveFolder(argument: unknown, placeholder: string): Promise<SavedEntry<SavedFolder> | undefined> {
    const nodes = await this.#resolveNodes(argument, undefined);
    if (nodes) return this.#currentEntries(nodes).find(isFolder);
    return (await pickEntries(this.#deps.stores.items().filter(isFolder), placeholder, 'one'))[0];
  }

  async resolveItems(argument: unknown, selection: unknown, placeholder: string): Promise<readonly SavedEntry[]> {
    const nodes = await this.#resolveNodes(argument, selection);
    return nodes ? this.#currentEntries(nodes) : pickEntries(this.#deps.stores.items(), placeholder, 'several');
  }

  /** Returns queries, including queries in folders. Not called if Enter is pressed on a folder, because VS Code then expands the folder. */
  async resolveQueries(argument: unknown, selection: unknown): Promise<readonly SavedEntry<SavedQuery>[]> {
    const { stores } = this.#deps;
    if (typeof argument === 'string' && argument !== keyboardArgument) {
      await stores.settle();
      const entry = stores.find(argument);
      if (!entry) throw new UnavailableError(t('This saved query no longer exists.'));
      return collectQueries([entry]);
    }
    const nodes = await this.#resolveNodes(argument, selection);
    if (!nodes) return pickEntries(stores.queries(), t('Select queries to run'), 'several');
    const entries = nodes.flatMap(node =>
      node.kind === 'store' ? node.store.tree().map(item => ({ store: node.store, item })) : [node],
    );
    const queries = collectQueries(entries);
    return this.#currentEntries(queries.map(entry => ({ kind: 'item', ...entry }))).filter(isQuery);
  }

  /** Returns the position for a new item: in the folder or store of the node, or next to the query. Returns undefined without a node. */
  async resolvePosition(argument: unknown): Promise<StorePosition | undefined> {
    const [node] = (await this.#resolveNodes(argument, undefined)) ?? [];
    if (node?.kind === 'store') return { store: node.store };
    if (!node) return undefined;
    if (node.item.kind === 'folder') return { store: node.store, folder: node.item.id };
    return { store: node.store, folder: this.#deps.stores.find(entryId(node))?.folder };
  }

  /** Returns the current items of the nodes, which may have changed while a menu was open. Throws UnavailableError if all were deleted. */
  #currentEntries(nodes: readonly SavedNode[]): SavedEntry[] {
    const itemNodes = nodes.filter(node => node.kind === 'item');
    const entries = itemNodes.flatMap(node => this.#deps.stores.find(entryId(node)) ?? []);
    if (itemNodes.length > 0 && entries.length === 0)
      throw new UnavailableError(t('This saved query no longer exists.'));
    return entries;
  }

  /** Returns the nodes that the command was called with. Returns undefined if there are none, for example from the Command Palette. */
  async #resolveNodes(argument: unknown, selection: unknown): Promise<readonly SavedNode[] | undefined> {
    await this.#deps.stores.settle();
    if (argument === keyboardArgument) return this.#deps.view.keyboardNodes();
    if (!isNode(argument)) return undefined;
    return Array.isArray(selection) ? selection.filter(isNode) : [argument];
  }
}

function isQuery(entry: SavedEntry): entry is SavedEntry<SavedQuery> {
  return entry.item.kind === 'query';
}

function isFolder(entry: SavedEntry): entry is SavedEntry<SavedFolder> {
  return entry.item.kind === 'folder';
}

/** Returns the title and the note of a report on a node of the view. Returns undefined for any other argument. */
export function getReportHead(
  argument: unknown,
): { readonly title: string; readonly note?: string | undefined } | undefined {
  if (!isNode(argument)) return undefined;
  if (argument.kind === 'store') return { title: argument.store.name };
  const { kind, name, note } = argument.item;
  // The note of a query appears in its own section.
  return { title: name, ...(kind === 'folder' && { note }) };
}

/** Whether the argument is a node of the view. Extensions and keybindings may pass any value. */
function isNode(argument: unknown): argument is SavedNode {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || !('store' in argument))
    return false;
  return argument.kind === 'store' || (argument.kind === 'item' && 'item' in argument);
}
