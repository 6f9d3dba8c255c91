import type { SavedFolder, SavedItem, SavedTree } from './savedItem.ts';

/** Replaces each item by what `change` makes of it; undefined takes it out. The same tree where nothing changed. */
export function mapItems(tree: SavedTree, change: (item: SavedItem) => SavedItem | undefined): SavedTree {
  const next = tree.flatMap(item => {
    const changed = change(item);
    if (!changed) return [];
    return [changed.kind === 'folder' ? withItems(changed, mapItems(changed.items, change)) : changed];
  });
  return isSame(tree, next) ? tree : next;
}

/** Puts the content of a folder (none: the top) through `change`. The same tree where there is no such folder. */
export function mapFolder(
  tree: SavedTree,
  folder: string | undefined,
  change: (items: SavedTree) => SavedTree,
): SavedTree {
  if (folder === undefined) return change(tree);
  const next = tree.map(item => {
    if (item.kind !== 'folder') return item;
    return withItems(item, item.id === folder ? change(item.items) : mapFolder(item.items, folder, change));
  });
  return isSame(tree, next) ? tree : next;
}

export function insertBefore(items: SavedTree, added: SavedTree, before: string | undefined): SavedTree {
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
