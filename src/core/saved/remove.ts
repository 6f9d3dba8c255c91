import { mapItems } from './change.ts';
import { addItems } from './edit.ts';
import type { Place, SavedItem, SavedTree } from './savedItem.ts';
import { findItem, selected } from './walk.ts';

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

function restore(tree: SavedTree, item: SavedItem, place: Place): SavedTree {
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
