import {
  copyNameIn,
  type TreePosition,
  type QueryChange,
  type SavedItem,
  type SavedQuery,
  type SavedTree,
  type SavedFolder,
} from './savedItem.ts';
import { find, findItem, selection, selected } from './walk.ts';

// What happens to a tree. An id that is not there changes nothing: another window may have removed it meanwhile.

/** Their ids must not be in the tree. Where the place's folder is gone, they go to the top. */
export function addItems(tree: SavedTree, items: SavedTree, { folder, before }: TreePosition): SavedTree {
  if (items.length === 0) return tree;
  const isThere = folder !== undefined && findItem(tree, folder)?.kind === 'folder';
  return mapFolder(tree, isThere ? folder : undefined, siblings => insertBefore(siblings, items, before));
}

export function renameItem(tree: SavedTree, id: string, name: string): SavedTree {
  return mapItems(tree, item => (item.id === id && item.name !== name ? { ...item, name } : item));
}

export function changeQuery(tree: SavedTree, id: string, change: QueryChange): SavedTree {
  return mapItems(tree, item => (item.id === id && item.kind === 'query' ? changed(item, change) : item));
}

/** Copies with ids of their own, each right after its original; `copyName` makes a name of the first, the second copy. */
export function duplicateItems(
  tree: SavedTree,
  ids: readonly string[],
  newId: () => string,
  copyName?: (name: string, n: number) => string,
): SavedTree {
  return selection(tree, ids).reduce((next, item) => {
    const found = find(next, item.id);
    if (!found) return next;
    const { folder, siblings } = found;
    const copy = { ...withNewIds(item, newId), name: copyNameIn(siblings, item.name, copyName) };
    const after = siblings[siblings.findIndex(({ id }) => id === item.id) + 1];
    return addItems(next, [copy], { folder, before: after?.id });
  }, tree);
}

/** A folder cannot go into itself, nor into a folder in it; an item cannot go into what is no folder. */
export function canMove(tree: SavedTree, ids: readonly string[], { folder }: TreePosition): boolean {
  if (folder === undefined) return true;
  const target = find(tree, folder);
  return target?.item.kind === 'folder' && ![...target.path, folder].some(id => ids.includes(id));
}

/** Moves them together, in the order they are shown in. Where `before` is one of them, they go where it stood. */
export function moveItems(tree: SavedTree, ids: readonly string[], place: TreePosition): SavedTree {
  const moved = selection(tree, ids);
  if (moved.length === 0 || !canMove(tree, ids, place)) return tree;
  const gone = new Set(moved.map(({ id }) => id));
  const target = place.folder === undefined ? undefined : findItem(tree, place.folder);
  const siblings = target?.kind === 'folder' ? target.items : tree;
  const at = siblings.findIndex(({ id }) => id === place.before);
  const before = at < 0 ? undefined : siblings.slice(at).find(({ id }) => !gone.has(id));
  const rest = mapItems(tree, item => (gone.has(item.id) ? undefined : item));
  return addItems(rest, moved, { folder: place.folder, before: before?.id });
}

function changed(query: SavedQuery, change: QueryChange): SavedQuery {
  const all = { ...query, ...change, query: change.query ?? query.query };
  const { kind, id, name, connection, keepFresh, alerts } = all;
  return {
    kind,
    id,
    name,
    query: all.query,
    ...(connection !== undefined && { connection }),
    ...(keepFresh !== undefined && { keepFresh }),
    ...(alerts !== undefined && alerts.length > 0 && { alerts }),
  };
}

/** The same with other ids, also of what is in it. */
export function withNewIds(item: SavedItem, newId: () => string): SavedItem {
  if (item.kind === 'query') return { ...item, id: newId() };
  return { ...item, id: newId(), items: item.items.map(inner => withNewIds(inner, newId)) };
}

/** Queries that name a connection name it by its new name. */
export function renameConnection(tree: SavedTree, before: string, after: string): SavedTree {
  return mapItems(tree, item =>
    item.kind === 'query' && namesConnection(item, before) ? changed(item, { connection: after }) : item,
  );
}

/** Whether the query names that connection, in whatever case. */
export function namesConnection({ connection }: Pick<SavedQuery, 'connection'>, name: string): boolean {
  return connection?.trim().toLowerCase() === name.trim().toLowerCase();
}

/** Replaces each item by what `change` makes of it; undefined takes it out. The same tree where nothing changed. */
function mapItems(tree: SavedTree, change: (item: SavedItem) => SavedItem | undefined): SavedTree {
  const next = tree.flatMap(item => {
    const changed = change(item);
    if (!changed) return [];
    return [changed.kind === 'folder' ? withItems(changed, mapItems(changed.items, change)) : changed];
  });
  return isSame(tree, next) ? tree : next;
}

/** Puts the content of a folder (none: the top) through `change`. The same tree where there is no such folder. */
function mapFolder(tree: SavedTree, folder: string | undefined, change: (items: SavedTree) => SavedTree): SavedTree {
  if (folder === undefined) return change(tree);
  const next = tree.map(item => {
    if (item.kind !== 'folder') return item;
    return withItems(item, item.id === folder ? change(item.items) : mapFolder(item.items, folder, change));
  });
  return isSame(tree, next) ? tree : next;
}

function insertBefore(items: SavedTree, added: SavedTree, before: string | undefined): SavedTree {
  const found = before === undefined ? -1 : items.findIndex(({ id }) => id === before);
  const at = found < 0 ? items.length : found;
  return [...items.slice(0, at), ...added, ...items.slice(at)];
}

function withItems(folder: SavedFolder, items: SavedTree): SavedFolder {
  return items === folder.items ? folder : { ...folder, items };
}

function isSame(tree: SavedTree, next: SavedTree): boolean {
  return tree.length === next.length && next.every((item, index) => item === tree[index]);
}

/** What was taken out, and where it stood: enough to put it back. */
export interface Removed {
  readonly items: readonly RemovedItem[];
}

interface RemovedItem {
  readonly item: SavedItem;
  readonly folder: string | undefined;
  /** Ids of the siblings after it, the next one first: the first that is still there says where it belongs. */
  readonly followers: readonly string[];
}

/** Takes items out, folders with all that is in them. */
export function removeItems(
  tree: SavedTree,
  ids: readonly string[],
): { readonly tree: SavedTree; readonly removed: Removed } {
  const items = selected(tree, ids).map(({ item, folder, siblings }) => {
    return { item, folder, followers: siblings.slice(siblings.indexOf(item) + 1).map(({ id }) => id) };
  });
  const gone = new Set(items.map(({ item }) => item.id));
  return { tree: mapItems(tree, item => (gone.has(item.id) ? undefined : item)), removed: { items } };
}

/** Puts back what was removed and is not there (again), as near to its old place as that still exists. */
export function restoreItems(tree: SavedTree, { items }: Removed): SavedTree {
  return items.reduceRight((next, { item, folder, followers }) => {
    return restore(next, item, { folder, before: firstIn(next, folder, followers) });
  }, tree);
}

function restore(tree: SavedTree, item: SavedItem, place: TreePosition): SavedTree {
  const found = findItem(tree, item.id);
  if (item.kind === 'query') return found ? tree : addItems(tree, [item], place);
  const withFolder = found ? tree : addItems(tree, [{ ...item, items: [] }], place);
  // What another window did in the folder meanwhile stays.
  const parent = found && found.kind !== 'folder' ? undefined : item.id;
  return item.items.reduce((next, inner) => restore(next, inner, { folder: parent }), withFolder);
}

function firstIn(tree: SavedTree, folder: string | undefined, ids: readonly string[]): string | undefined {
  const target = folder === undefined ? undefined : findItem(tree, folder);
  const siblings = new Set((target?.kind === 'folder' ? target.items : tree).map(({ id }) => id));
  return ids.find(id => siblings.has(id));
}
