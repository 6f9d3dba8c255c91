import { fileText } from './file/blockText.ts';
import { takeFree, type SavedItem, type SavedTree } from './savedItem.ts';
import { allIds } from './walk.ts';

/** The items, with other ids in place of those that are taken: for a home they come into. */
export function withFreshIds(items: SavedTree, taken: ReadonlySet<string>, newId: () => string): SavedItem[] {
  const used = new Set(taken);
  const fresh = (item: SavedItem): SavedItem => {
    const id = used.has(item.id) ? newId() : item.id;
    used.add(id);
    return item.kind === 'query' ? { ...item, id } : { ...item, id, items: item.items.map(fresh) };
  };
  return items.map(fresh);
}

/** Adds items at the end. What has an id or a name that is taken gets another ("Morning 2"): both are kept. */
export function importItems(tree: SavedTree, items: SavedTree, newId: () => string): SavedTree {
  const taken = new Set(tree.map(({ name }) => name));
  const numbers = new Map<string, number>();
  const added = withFreshIds(items, allIds(tree), newId).map(item => {
    const { name } = item;
    return { ...item, name: takeFree(n => (n === 1 ? name : `${name} ${n}`), taken, numbers) };
  });
  return [...tree, ...added];
}

/** All homes in one text, in the format of the workspace's file; read it with `parseQueriesFile`. */
export function exchangeText(trees: readonly SavedTree[]): string {
  let n = 0;
  const items = withFreshIds(trees.flat(), new Set(), () => `copy-${(n += 1)}`);
  return fileText(items, { eol: '\n', indent: '  ' });
}
