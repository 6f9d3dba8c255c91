import fc from 'fast-check';
import {
  addItems,
  changeBoard,
  changeQuery,
  duplicateItems,
  moveItems,
  renameItem,
  removeItems,
} from '../../../../src/core/savedQueries/edit.ts';
import type { TreePosition, SavedFolder, SavedQuery, SavedTree } from '../../../../src/core/savedQueries/savedItem.ts';
import { walk, type ItemLocation } from '../../../../src/core/savedQueries/walk.ts';

/** Creates a query. Only the id matters, unless a test sets other fields. */
export function createQuery(id: string, fields: Partial<SavedQuery> = {}): SavedQuery {
  const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };
  return { kind: 'query', id, name: `Query ${id}`, query, ...fields };
}

export function createFolder(id: string, items: SavedTree = [], name = `Folder ${id}`): SavedFolder {
  return { kind: 'folder', id, name, items };
}

/** Formats the ids of the tree, with the items of folders in parentheses: "a f(b c)". */
export function formatTree(tree: SavedTree): string {
  return tree.map(item => (item.kind === 'query' ? item.id : `${item.id}(${formatTree(item.items)})`)).join(' ');
}

/** Returns a function that returns "n1", "n2" and so on. */
export function createIdGenerator(prefix = 'n'): () => string {
  let n = 0;
  return () => `${prefix}${(n += 1)}`;
}

/** An action of the user. Its numbers select among the items that exist at that time. */
export interface TreeEdit {
  readonly kind: 'add' | 'addFolder' | 'rename' | 'change' | 'watch' | 'move' | 'remove' | 'duplicate';
  readonly target: number;
  readonly position: number;
  readonly text: string;
}

export const treeEdits: fc.Arbitrary<TreeEdit> = fc.record({
  kind: fc.constantFrom<TreeEdit['kind'][]>(
    'add',
    'add',
    'addFolder',
    'rename',
    'change',
    'watch',
    'move',
    'move',
    'remove',
    'duplicate',
  ),
  target: fc.nat(1000),
  position: fc.nat(1000),
  // There are few names, so that some are equal.
  text: fc.constantFrom('Wind', 'Stress', 'Ödön "q" \\', 'Month /* to date', '{}', 'a, b'),
});

export function applyTreeEdit(
  tree: SavedTree,
  { kind, target, position, text }: TreeEdit,
  newId: () => string,
): SavedTree {
  const locations = walk(tree);
  const selected = locations[target % Math.max(1, locations.length)];
  const destination = getPosition(locations, position);
  if (kind === 'add') return addItems(tree, [createQuery(newId(), { name: text })], destination);
  if (kind === 'addFolder') return addItems(tree, [createFolder(newId(), [], text)], destination);
  if (!selected) return tree;
  const { id } = selected.item;
  if (kind === 'rename') return renameItem(tree, id, text);
  if (kind === 'move')
    return moveItems(tree, [id, locations[(target + position) % locations.length]?.item.id ?? id], destination);
  if (kind === 'remove') return removeItems(tree, [id]).tree;
  if (kind === 'change' && selected.item.kind === 'folder') {
    const queries = walk(selected.item.items).map(({ item }) => item.id);
    return changeBoard(tree, id, { orientation: target % 2, groups: [{ size: 0.4, queries }, { queries: [text] }] });
  }
  if (kind === 'duplicate') return duplicateItems(tree, [id], newId, copyName);
  if (kind === 'watch') {
    const alert = {
      id: `a${position % 3}`,
      kind: 'condition',
      condition: `wind_mw > ${target}`,
      on: position % 2 === 0,
    } as const;
    const analysis = { derive: [{ name: text, formula: 'wind_mw + 1 MW' }], resample: 'month' } as const;
    const alertChange = { keepFresh: target % 2 === 0, alerts: position % 5 === 0 ? [] : [alert] };
    return changeQuery(tree, id, {
      ...alertChange,
      analysis: target % 3 === 0 ? undefined : analysis,
      display: target % 4 === 0 ? undefined : { selectedColumn: text },
    });
  }
  const params: Record<string, string> = target % 3 === 0 ? { components: text } : {};
  const query = {
    dataset: 'gridStress',
    range: `last ${(target % 40) + 1} days`,
    interval: '1h',
    params,
    timeZone: 'UTC',
  };
  return changeQuery(tree, id, { query, connection: position % 3 === 0 ? undefined : text });
}

function getPosition(locations: readonly ItemLocation[], index: number): TreePosition {
  const sibling = locations[index % Math.max(1, locations.length)];
  if (!sibling || index % 7 === 0) return {};
  if (sibling.item.kind === 'folder' && index % 2 === 0) return { folder: sibling.item.id };
  return { folder: sibling.folder, before: sibling.item.id };
}

export function copyName(name: string, n: number): string {
  return n === 1 ? `${name} copy` : `${name} copy ${n}`;
}
