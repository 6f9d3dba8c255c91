import { insertBefore, mapFolder, mapItems } from './change.ts';
import { copyNameIn } from './names.ts';
import type { Place, QueryChange, SavedItem, SavedQuery, SavedTree } from './savedItem.ts';
import { find, findItem, selection } from './walk.ts';

// What happens to a tree. An id that is not there changes nothing: another window may have removed it meanwhile.

/** Their ids must not be in the tree. Where the place's folder is gone, they go to the top. */
export function addItems(tree: SavedTree, items: SavedTree, { folder, before }: Place): SavedTree {
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
export function canMove(tree: SavedTree, ids: readonly string[], { folder }: Place): boolean {
  if (folder === undefined) return true;
  const target = find(tree, folder);
  return target?.item.kind === 'folder' && ![...target.path, folder].some(id => ids.includes(id));
}

/** Moves them together, in the order they are shown in. Where `before` is one of them, they go where it stood. */
export function moveItems(tree: SavedTree, ids: readonly string[], place: Place): SavedTree {
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
    ...{ kind, id, name, query: all.query },
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
