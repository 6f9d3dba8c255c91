import type { SavedItem, SavedQuery, SavedTree } from './savedItem.ts';

/** An item and where it is: in which folder (none: at the top). */
export interface Found {
  readonly item: SavedItem;
  readonly folder: string | undefined;
  /** The items of that folder, this one among them. */
  readonly siblings: SavedTree;
  /** Ids of the folders around it, the outermost first. */
  readonly path: readonly string[];
}

/** Levels of entries, queries and folders alike: deeper than anybody sorts, and far from where recursion ends. */
export const deepestEntry = 50;

/** All items, folders before their content, in the order shown. */
export function* walk(tree: SavedTree, path: readonly string[] = []): Generator<Found> {
  for (const item of tree) {
    yield { item, folder: path.at(-1), siblings: tree, path };
    if (item.kind === 'folder') yield* walk(item.items, [...path, item.id]);
  }
}

export function find(tree: SavedTree, id: string): Found | undefined {
  for (const found of walk(tree)) if (found.item.id === id) return found;
  return undefined;
}

export function findItem(tree: SavedTree, id: string): SavedItem | undefined {
  return find(tree, id)?.item;
}

/** The id of the folder an item is in; undefined at the top. */
export function folderOf(tree: SavedTree, id: string): string | undefined {
  return find(tree, id)?.folder;
}

/** The queries of all folders, in the order shown. */
export function allQueries(tree: SavedTree): SavedQuery[] {
  return [...walk(tree)].flatMap(({ item }) => (item.kind === 'query' ? [item] : []));
}

export function allIds(tree: SavedTree): Set<string> {
  return new Set([...walk(tree)].map(({ item }) => item.id));
}

/** The items of these ids in the order shown, without those that are in one of the folders anyway. */
export function selected(tree: SavedTree, ids: readonly string[]): Found[] {
  const wanted = new Set(ids);
  return [...walk(tree)].filter(({ item, path }) => wanted.has(item.id) && !path.some(folder => wanted.has(folder)));
}

/** As `selected`, only the items. */
export function selection(tree: SavedTree, ids: readonly string[]): SavedItem[] {
  return selected(tree, ids).map(({ item }) => item);
}
