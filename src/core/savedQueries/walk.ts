import type { SavedItem, SavedQuery, SavedTree } from './savedItem.ts';
import { formatInstant } from '../time/instant.ts';
import { resolveQuery, type Query } from '../query/query.ts';

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

/**
 * Which elements stay where they are when a list is put into another order: the most of them that keep their order.
 * `before[i]` is where the element that is now the i-th was; undefined for one that is new.
 */
export function longestOrder(before: readonly (number | undefined)[]): boolean[] {
  // Patience sorting: `tails[n]` is the index of the smallest last element of an ascending run of n + 1 elements.
  const tails: number[] = [];
  const previous = new Array<number | undefined>(before.length);
  for (const [index, place] of before.entries()) {
    if (place === undefined) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((before[tails[middle] as number] as number) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  }
  const stays = new Array<boolean>(before.length).fill(false);
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stays[index] = true;
  return stays;
}

/**
 * A query with the hours it stood for at `at` (UTC milliseconds): "last 24 hours" of yesterday are others than those of now.
 * As it was written, where they are the same.
 */
export function asOf(
  query: Query,
  at: number,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Query {
  const [then, today] = [at, now].map(moment => resolveQuery(query, moment, timeZone));
  if (!then?.ok || !today?.ok) return query;
  const { start, end } = then.value;
  if (start === today.value.start && end === today.value.end) return query;
  return { ...query, range: `${formatInstant(start)}..${formatInstant(end)}` };
}
