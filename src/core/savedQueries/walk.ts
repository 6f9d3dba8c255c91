import type { SavedItem, SavedQuery, SavedTree } from './savedItem.ts';
import { formatInstant } from '../time/instant.ts';
import { resolveQuery, type Query } from '../query/query.ts';

/** An item and its position in the tree. `folder` is undefined at the top. */
export interface ItemLocation {
  readonly item: SavedItem;
  readonly folder: string | undefined;
  /** The items of that folder, including this one. */
  readonly siblings: SavedTree;
  /** The ids of the folders around the item, the outermost first. */
  readonly path: readonly string[];
}

/** The maximum nesting depth, small enough for recursion. */
export const maxDepth = 50;

/** Returns all items in display order, each folder before its content. */
export function walk(tree: SavedTree, path: readonly string[] = []): ItemLocation[] {
  return tree.flatMap(item => [
    { item, folder: path.at(-1), siblings: tree, path },
    ...(item.kind === 'folder' ? walk(item.items, [...path, item.id]) : []),
  ]);
}

export function findLocation(tree: SavedTree, id: string): ItemLocation | undefined {
  return walk(tree).find(({ item }) => item.id === id);
}

export function findItem(tree: SavedTree, id: string): SavedItem | undefined {
  return findLocation(tree, id)?.item;
}

/** Returns the queries of all folders in display order. */
export function allQueries(tree: SavedTree): SavedQuery[] {
  return walk(tree).flatMap(({ item }) => (item.kind === 'query' ? [item] : []));
}

export function allIds(tree: SavedTree): Set<string> {
  return new Set(walk(tree).map(({ item }) => item.id));
}

/** Returns the items with these ids in display order, without those whose folder is also selected. */
export function findSelected(tree: SavedTree, ids: readonly string[]): ItemLocation[] {
  const idSet = new Set(ids);
  return walk(tree).filter(({ item, path }) => idSet.has(item.id) && !path.some(folder => idSet.has(folder)));
}

/** Like `findSelected`, but returns only the items. */
export function findSelectedItems(tree: SavedTree, ids: readonly string[]): SavedItem[] {
  return findSelected(tree, ids).map(({ item }) => item);
}

/**
 * Returns which elements can stay where they are when a list is reordered: the longest increasing subsequence. `oldIndexes[i]` is the previous
 * index of the element that is now at index i; undefined for a new element.
 */
export function findStableElements(oldIndexes: readonly (number | undefined)[]): boolean[] {
  // Patience sorting: `tails[n]` is the index of the smallest last element of an ascending run of n + 1 elements.
  const tails: number[] = [];
  const previous = new Array<number | undefined>(oldIndexes.length);
  for (const [index, oldIndex] of oldIndexes.entries()) {
    if (oldIndex === undefined) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((oldIndexes[tails[middle] as number] as number) < oldIndex) low = middle + 1;
      else high = middle;
    }
    previous[index] = tails[low - 1];
    tails[low] = index;
  }
  const stays = new Array<boolean>(oldIndexes.length).fill(false);
  for (let index = tails.at(-1); index !== undefined; index = previous[index]) stays[index] = true;
  return stays;
}

/**
 * Returns the query with its range fixed to the hours that it meant at `instant` (UTC milliseconds): "last 24 hours" becomes the 24
 * hours before that instant. Returns the same query if the hours are equal.
 */
export function fixRangeAt(query: Query, instant: number, now: number): Query {
  const [then, atPresent] = [instant, now].map(ms => resolveQuery(query, ms));
  if (!then?.ok || !atPresent?.ok) return query;
  const { start, end } = then.value;
  if (start === atPresent.value.start && end === atPresent.value.end) return query;
  return { ...query, range: `${formatInstant(start)}..${formatInstant(end)}` };
}

/**
 * Filters a tree by words. Keeps queries that have every word in their name, range or dataset's title, and the folders around them. A
 * folder that has every word in its name keeps all its content. Returns the same tree for an empty text.
 */
export function filterTree(tree: SavedTree, text: string, titleOf: (dataset: string) => string): SavedTree {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return tree;
  return tree.flatMap(item => filterItem(item, words, titleOf));
}

function filterItem(item: SavedItem, words: readonly string[], titleOf: (dataset: string) => string): SavedItem[] {
  if (item.kind === 'query') {
    const { dataset, range } = item.query;
    return hasAllWords(`${item.name}\n${titleOf(dataset)}\n${range}`, words) ? [item] : [];
  }
  if (hasAllWords(item.name, words)) return [item];
  // The folder's name also matches for its content: "morning stress" finds Stress in the folder Morning.
  const remainingWords = words.filter(word => !fold(item.name).includes(word));
  const items = item.items.flatMap(inner => filterItem(inner, remainingWords, titleOf));
  return items.length > 0 ? [{ ...item, items }] : [];
}

function hasAllWords(text: string, words: readonly string[]): boolean {
  const plain = fold(text);
  return words.every(word => plain.includes(word));
}

/** Removes case and accents, so that "mes" finds "més". */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
