import type { SavedItem, SavedQuery, SavedTree } from './savedItem.ts';
import { formatInstant } from '../time/instant.ts';
import { resolveQuery, type Query } from '../query/query.ts';

/** An item and its position; `folder` is undefined at the top. */
export interface Found {
  readonly item: SavedItem;
  readonly folder: string | undefined;
  /** The items of that folder, including this one. */
  readonly siblings: SavedTree;
  /** Ids of the folders around it, the outermost first. */
  readonly path: readonly string[];
}

/** The most levels of entries: more than anybody uses, and few enough for recursion. */
export const deepestEntry = 50;

/** All items, folders before their content, in the order shown. */
export function walk(tree: SavedTree, path: readonly string[] = []): Found[] {
  return tree.flatMap(item => [
    { item, folder: path.at(-1), siblings: tree, path },
    ...(item.kind === 'folder' ? walk(item.items, [...path, item.id]) : []),
  ]);
}

export function find(tree: SavedTree, id: string): Found | undefined {
  return walk(tree).find(({ item }) => item.id === id);
}

export function findItem(tree: SavedTree, id: string): SavedItem | undefined {
  return find(tree, id)?.item;
}

/** The queries of all folders, in the order shown. */
export function allQueries(tree: SavedTree): SavedQuery[] {
  return walk(tree).flatMap(({ item }) => (item.kind === 'query' ? [item] : []));
}

export function allIds(tree: SavedTree): Set<string> {
  return new Set(walk(tree).map(({ item }) => item.id));
}

/** The items with these ids in display order, without those inside one of the folders. */
export function selected(tree: SavedTree, ids: readonly string[]): Found[] {
  const wanted = new Set(ids);
  return walk(tree).filter(({ item, path }) => wanted.has(item.id) && !path.some(folder => wanted.has(folder)));
}

/** As `selected`, only the items. */
export function selection(tree: SavedTree, ids: readonly string[]): SavedItem[] {
  return selected(tree, ids).map(({ item }) => item);
}

/**
 * Which elements stay where they are when a list is reordered: the longest subsequence that keeps its order. `before[i]` is the earlier
 * index of the element that is now the i-th; undefined for a new one.
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
 * The query with the instants that its range meant at `at` (UTC milliseconds): yesterday, "last 24 hours" meant other hours than now. The
 * same query where they are equal.
 */
export function asOf(query: Query, at: number, now: number): Query {
  const [then, today] = [at, now].map(moment => resolveQuery(query, moment));
  if (!then?.ok || !today?.ok) return query;
  const { start, end } = then.value;
  if (start === today.value.start && end === today.value.end) return query;
  return { ...query, range: `${formatInstant(start)}..${formatInstant(end)}` };
}

/**
 * Filters a tree by words: keeps queries that have every word in their name, range or dataset's title, with their folders; a folder with
 * every word in its name keeps its content. The same tree for an empty text.
 */
export function filterTree(tree: SavedTree, text: string, titleOf: (dataset: string) => string): SavedTree {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return tree;
  return tree.flatMap(item => filterItem(item, words, titleOf));
}

function filterItem(item: SavedItem, words: readonly string[], titleOf: (dataset: string) => string): SavedItem[] {
  if (item.kind === 'query') {
    const { dataset, range } = item.query;
    return hasAll(`${item.name}\n${titleOf(dataset)}\n${range}`, words) ? [item] : [];
  }
  if (hasAll(item.name, words)) return [item];
  // The folder's name counts for its content too: "morning stress".
  const rest = words.filter(word => !folded(item.name).includes(word));
  const items = item.items.flatMap(inner => filterItem(inner, rest, titleOf));
  return items.length > 0 ? [{ ...item, items }] : [];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const plain = folded(text);
  return words.every(word => plain.includes(word));
}

/** Ignores case and accents: "mes" finds "més". */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
