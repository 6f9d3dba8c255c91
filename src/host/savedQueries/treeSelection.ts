import { t } from '@vscode/l10n';
import type { SavedFolder, SavedQuery } from '../../core/savedQueries/savedItem.ts';
import { type QueryStores, queriesOf } from './queryStores.ts';
import type { SavedQueriesView } from './savedQueriesView.ts';
import type { StorePosition } from './savedEdits.ts';
import { UnavailableError } from '../inputError.ts';
import { entryId, type SavedEntry } from './queryStore.ts';
import { pickEntries } from './savedPrompts.ts';
import type { SavedNode } from './savedQueriesTreeDataProvider.ts';

/** The argument of our keys: they mean what the view has selected. */
const fromKeyboard = 'selection';

export interface TreeSelectionDeps {
  readonly stores: QueryStores;
  readonly view: Pick<SavedQueriesView, 'keyboardNodes'>;
}

/** The items that a command acts on: those of a menu, those selected by keyboard, or those that the person then picks. */
export class TreeSelection {
  readonly #deps: TreeSelectionDeps;

  constructor(deps: TreeSelectionDeps) {
    this.#deps = deps;
  }

  /** One item; undefined where the person left. */
  async one(argument: unknown, placeholder: string): Promise<SavedEntry | undefined> {
    const given = await this.#given(argument, undefined);
    if (given) return this.#asNow(given)[0];
    return (await pickEntries(this.#deps.stores.items(), placeholder, 'one'))[0];
  }

  /** One query; undefined where the person left, or it is a folder's line. */
  async query(argument: unknown, placeholder: string): Promise<SavedEntry<SavedQuery> | undefined> {
    const given = await this.#given(argument, undefined);
    if (given) return this.#asNow(given).find(isQuery);
    return (await pickEntries(this.#deps.stores.queries(), placeholder, 'one'))[0];
  }

  /** One folder; undefined where the person left, or it is a query's line. */
  async folder(argument: unknown, placeholder: string): Promise<SavedEntry<SavedFolder> | undefined> {
    const given = await this.#given(argument, undefined);
    if (given) return this.#asNow(given).find(isFolder);
    return (await pickEntries(this.#deps.stores.items().filter(isFolder), placeholder, 'one'))[0];
  }

  async several(argument: unknown, selection: unknown, placeholder: string): Promise<readonly SavedEntry[]> {
    const given = await this.#given(argument, selection);
    return given ? this.#asNow(given) : pickEntries(this.#deps.stores.items(), placeholder, 'several');
  }

  /** Queries, those in folders too. Enter does not come here for a folder: VS Code opens it. */
  async queriesToRun(argument: unknown, selection: unknown): Promise<readonly SavedEntry<SavedQuery>[]> {
    const { stores } = this.#deps;
    if (typeof argument === 'string' && argument !== fromKeyboard) {
      await stores.settle();
      const found = stores.find(argument);
      if (!found) throw new UnavailableError(t('This saved query no longer exists.'));
      return queriesOf([found]);
    }
    const given = await this.#given(argument, selection);
    if (!given) return pickEntries(stores.queries(), t('Select queries to run'), 'several');
    const entries = given.flatMap(node =>
      node.kind === 'store' ? node.store.tree().map(item => ({ store: node.store, item })) : [node],
    );
    const queries = queriesOf(entries);
    return this.#asNow(queries.map(entry => ({ kind: 'item', ...entry }))).filter(isQuery);
  }

  /** Where something new goes: into the folder or store of the line, or beside the query. Undefined without a line. */
  async placeOf(argument: unknown): Promise<StorePosition | undefined> {
    const [node] = (await this.#given(argument, undefined)) ?? [];
    if (node?.kind === 'store') return { store: node.store };
    if (!node) return undefined;
    if (node.item.kind === 'folder') return { store: node.store, folder: node.item.id };
    return { store: node.store, folder: this.#deps.stores.find(entryId(node))?.folder };
  }

  /** The current items of the lines, since a menu may have been open for a while. Throws InputError if none is left. */
  #asNow(nodes: readonly SavedNode[]): SavedEntry[] {
    const shown = nodes.filter(node => node.kind === 'item');
    const found = shown.flatMap(node => this.#deps.stores.find(entryId(node)) ?? []);
    if (shown.length > 0 && found.length === 0) throw new UnavailableError(t('This saved query no longer exists.'));
    return found;
  }

  /** Undefined where the command was called from nowhere in particular. */
  async #given(argument: unknown, selection: unknown): Promise<readonly SavedNode[] | undefined> {
    await this.#deps.stores.settle();
    if (argument === fromKeyboard) return this.#deps.view.keyboardNodes();
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

/** What a line of the view is called, and the note of a folder; undefined for anything else. */
export function headOfLine(
  argument: unknown,
): { readonly title: string; readonly note?: string | undefined } | undefined {
  if (!isNode(argument)) return undefined;
  if (argument.kind === 'store') return { title: argument.store.name };
  const { kind, name, note } = argument.item;
  // That of a query stands in its section.
  return { title: name, ...(kind === 'folder' && { note }) };
}

/** A line of our view; anything else an extension or keybinding may pass is not. */
function isNode(argument: unknown): argument is SavedNode {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || !('store' in argument))
    return false;
  return argument.kind === 'store' || (argument.kind === 'item' && 'item' in argument);
}
