import {
  type TreePosition,
  type QueryChange,
  type SavedItem,
  type SavedQuery,
  type SavedTree,
  type SavedFolder,
  claimFreeName,
} from './savedItem.ts';
import { copyBoard, type SavedBoard } from './board.ts';
import { findLocation, findItem, findSelectedItems, findSelected, allIds, walk } from './walk.ts';
import { formatFile } from './file/formatBlock.ts';

// Pure edits of a tree. An unknown id changes nothing, since another window may have removed the item meanwhile.

/** Adds items whose ids are not yet in the tree. If the folder no longer exists, they are added at the top. */
export function addItems(tree: SavedTree, items: SavedTree, { folder, before }: TreePosition): SavedTree {
  if (items.length === 0) return tree;
  const hasFolder = folder !== undefined && findItem(tree, folder)?.kind === 'folder';
  return mapFolder(tree, hasFolder ? folder : undefined, siblings => insertBefore(siblings, items, before));
}

export function renameItem(tree: SavedTree, id: string, name: string): SavedTree {
  return mapItems(tree, item => (item.id === id && item.name !== name ? { ...item, name } : item));
}

/** Changes the note of an item; an empty text removes it. */
export function changeNote(tree: SavedTree, id: string, note: string): SavedTree {
  return mapItems(tree, item => {
    if (item.id !== id) return item;
    const { note: _previousNote, ...itemWithoutNote } = item;
    return note.trim() === '' ? itemWithoutNote : { ...itemWithoutNote, note };
  });
}

export function changeQuery(tree: SavedTree, id: string, change: QueryChange): SavedTree {
  return mapItems(tree, item => (item.id === id && item.kind === 'query' ? applyChange(item, change) : item));
}

/** Changes the layout of a folder. Fields that another version wrote are preserved. */
export function changeBoard(tree: SavedTree, id: string, board: SavedBoard): SavedTree {
  const setBoard = (folder: SavedFolder): SavedFolder => ({ ...folder, board: { ...folder.board, ...board } });
  return mapItems(tree, item => (item.id === id && item.kind === 'folder' ? setBoard(item) : item));
}

/** Inserts a copy with new ids after each item. `copyName` returns the name of the n-th copy; a copy of a copy is numbered after it. */
export function duplicateItems(
  tree: SavedTree,
  ids: readonly string[],
  newId: () => string,
  copyName: (name: string, n: number) => string,
): SavedTree {
  return findSelectedItems(tree, ids).reduce((next, item) => {
    const existing = findLocation(next, item.id);
    if (!existing) return next;
    const { folder, siblings } = existing;
    const [itemWithNewIds = item] = withFreshIds([item], allIds(next), newId);
    const base = item.name.replace(/ copy(?: \d+)?$/, '');
    const name = claimFreeName(n => copyName(base, n), new Set(siblings.map(sibling => sibling.name)), new Map());
    const copy = { ...itemWithNewIds, name };
    const nextSibling = siblings[siblings.findIndex(({ id }) => id === item.id) + 1];
    return addItems(next, [copy], { folder, before: nextSibling?.id });
  }, tree);
}

/** Whether the target is the top level, or a folder that is not one of the items or inside one of them. */
export function canMove(tree: SavedTree, ids: readonly string[], { folder }: TreePosition): boolean {
  if (folder === undefined) return true;
  const target = findLocation(tree, folder);
  return target?.item.kind === 'folder' && ![...target.path, folder].some(id => ids.includes(id));
}

/** Moves items together, in display order. If `before` is one of them, they move to its position. */
export function moveItems(tree: SavedTree, ids: readonly string[], position: TreePosition): SavedTree {
  const movedItems = findSelectedItems(tree, ids);
  if (movedItems.length === 0 || !canMove(tree, ids, position)) return tree;
  const removedIds = new Set(movedItems.map(({ id }) => id));
  const target = position.folder === undefined ? undefined : findItem(tree, position.folder);
  const siblings = target?.kind === 'folder' ? target.items : tree;
  const index = siblings.findIndex(({ id }) => id === position.before);
  const nextSibling = index < 0 ? undefined : siblings.slice(index).find(({ id }) => !removedIds.has(id));
  const remainingTree = mapItems(tree, item => (removedIds.has(item.id) ? undefined : item));
  return addItems(remainingTree, movedItems, { folder: position.folder, before: nextSibling?.id });
}

/** Applies a change to a query; empty and undefined fields are removed. */
function applyChange(query: SavedQuery, change: QueryChange): SavedQuery {
  const merged = { ...query, ...change, query: change.query ?? query.query };
  const isEmpty = (part: unknown): boolean => part === undefined || (Array.isArray(part) && part.length === 0);
  return Object.fromEntries(Object.entries(merged).filter(([, part]) => !isEmpty(part))) as unknown as SavedQuery;
}

/** Updates the name of a connection in the queries that use it. */
export function renameConnection(tree: SavedTree, oldName: string, newName: string): SavedTree {
  return mapItems(tree, item =>
    item.kind === 'query' && usesConnection(item, oldName) ? applyChange(item, { connection: newName }) : item,
  );
}

/** Whether the query uses that connection, ignoring case. */
export function usesConnection({ connection }: Pick<SavedQuery, 'connection'>, name: string): boolean {
  return connection?.trim().toLowerCase() === name.trim().toLowerCase();
}

/** Replaces each item by the result of `change`; undefined removes it. Returns the same tree if nothing changed. */
function mapItems(tree: SavedTree, change: (item: SavedItem) => SavedItem | undefined): SavedTree {
  const next = tree.flatMap(item => {
    const changed = change(item);
    if (!changed) return [];
    return [changed.kind === 'folder' ? replaceItems(changed, mapItems(changed.items, change)) : changed];
  });
  return isSame(tree, next) ? tree : next;
}

/** Changes the content of a folder (undefined: the top level). Returns the same tree if the folder does not exist. */
function mapFolder(tree: SavedTree, folder: string | undefined, change: (items: SavedTree) => SavedTree): SavedTree {
  if (folder === undefined) return change(tree);
  const next = tree.map(item => {
    if (item.kind !== 'folder') return item;
    return replaceItems(item, item.id === folder ? change(item.items) : mapFolder(item.items, folder, change));
  });
  return isSame(tree, next) ? tree : next;
}

function insertBefore(items: SavedTree, added: SavedTree, before: string | undefined): SavedTree {
  const index = items.findIndex(({ id }) => id === before);
  return items.toSpliced(index < 0 ? items.length : index, 0, ...added);
}

function replaceItems(folder: SavedFolder, items: SavedTree): SavedFolder {
  return items === folder.items ? folder : { ...folder, items };
}

function isSame(tree: SavedTree, next: SavedTree): boolean {
  return tree.length === next.length && next.every((item, index) => item === tree[index]);
}

/** Removed items with their positions, so that they can be restored. */
export interface RemovedItems {
  readonly items: readonly RemovedItem[];
}

interface RemovedItem {
  readonly item: SavedItem;
  readonly folder: string | undefined;
  /** The ids of the following siblings, the next one first. The item is restored before the first of them that still exists. */
  readonly followers: readonly string[];
}

/** Removes items; folders are removed with their content. */
export function removeItems(
  tree: SavedTree,
  ids: readonly string[],
): { readonly tree: SavedTree; readonly removed: RemovedItems } {
  const items = findSelected(tree, ids).map(({ item, folder, siblings }) => {
    return { item, folder, followers: siblings.slice(siblings.indexOf(item) + 1).map(({ id }) => id) };
  });
  const removedIds = new Set(items.map(({ item }) => item.id));
  return { tree: mapItems(tree, item => (removedIds.has(item.id) ? undefined : item)), removed: { items } };
}

/** Restores removed items that are not in the tree, as close to their old position as possible. */
export function restoreItems(tree: SavedTree, { items }: RemovedItems): SavedTree {
  return items.reduceRight((next, { item, folder, followers }) => {
    return restore(next, item, { folder, before: findFirstSibling(next, folder, followers) });
  }, tree);
}

function restore(tree: SavedTree, item: SavedItem, position: TreePosition): SavedTree {
  const existing = findItem(tree, item.id);
  if (item.kind === 'query') return existing ? tree : addItems(tree, [item], position);
  const withFolder = existing ? tree : addItems(tree, [{ ...item, items: [] }], position);
  // An existing folder keeps the items that another window has added to it.
  const parent = existing && existing.kind !== 'folder' ? undefined : item.id;
  return item.items.reduce((next, inner) => restore(next, inner, { folder: parent }), withFolder);
}

function findFirstSibling(tree: SavedTree, folder: string | undefined, ids: readonly string[]): string | undefined {
  const target = folder === undefined ? undefined : findItem(tree, folder);
  const siblings = new Set((target?.kind === 'folder' ? target.items : tree).map(({ id }) => id));
  return ids.find(id => siblings.has(id));
}

/** Returns copies of the items in which ids that are already used are replaced by new ones. */
export function withFreshIds(items: SavedTree, existingIds: ReadonlySet<string>, newId: () => string): SavedItem[] {
  const usedIds = new Set(existingIds);
  const copyItem = (item: SavedItem): SavedItem => {
    const id = usedIds.has(item.id) ? newId() : item.id;
    usedIds.add(id);
    if (item.kind === 'query') return { ...item, id };
    const items = item.items.map(copyItem);
    if (!item.board) return { ...item, id, items };
    const ids = walk(items).map(({ item: copy }) => copy.id);
    const copies = new Map(walk(item.items).map(({ item: original }, index) => [original.id, ids[index] ?? '']));
    return { ...item, id, items, board: copyBoard(item.board, copies) };
  };
  return items.map(copyItem);
}

/** Adds items at the end. An id or name that is already used is replaced by a new one, such as "Morning 2". */
export function importItems(tree: SavedTree, items: SavedTree, newId: () => string): SavedTree {
  const usedNames = new Set(tree.map(({ name }) => name));
  const numbers = new Map<string, number>();
  const added = withFreshIds(items, allIds(tree), newId).map(item => {
    const { name } = item;
    return { ...item, name: claimFreeName(n => (n === 1 ? name : `${name} ${n}`), usedNames, numbers) };
  });
  return [...tree, ...added];
}

/** Formats all trees as one queries file, which `parseQueriesFile` can read. */
export function formatQueriesFile(trees: readonly SavedTree[]): string {
  let copyCount = 0;
  const items = withFreshIds(trees.flat(), new Set(), () => `copy-${(copyCount += 1)}`);
  return formatFile(items, { eol: '\n', indent: '  ' });
}
