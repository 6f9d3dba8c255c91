import { datasetById } from '../query/catalogue.ts';
import type { SavedItem, SavedTree } from './savedItem.ts';

/**
 * What a person finds by typing: queries that have every word in their name, range or dataset's title, with the folders
 * they are in; a folder with every word in its name stays whole. The same tree for an empty text.
 */
export function filterTree(
  tree: SavedTree,
  text: string,
  titleOf: (dataset: string) => string = dataset => datasetById(dataset)?.title ?? dataset,
): SavedTree {
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
  // A folder's name counts for what is in it, too: "morning stress".
  const rest = words.filter(word => !folded(item.name).includes(word));
  const items = item.items.flatMap(inner => filterItem(inner, rest, titleOf));
  return items.length > 0 ? [{ ...item, items }] : [];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const plain = folded(text);
  return words.every(word => plain.includes(word));
}

/** Without capitals and accents: "més" is found by "mes". */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
