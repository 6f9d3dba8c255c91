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

/** A query of which only the id counts, unless a test says more. */
export function aQuery(id: string, more: Partial<SavedQuery> = {}): SavedQuery {
  const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };
  return { kind: 'query', id, name: `Query ${id}`, query, ...more };
}

export function aFolder(id: string, items: SavedTree = [], name = `Folder ${id}`): SavedFolder {
  return { kind: 'folder', id, name, items };
}

/** The tree's ids, folders with what is in them in brackets: "a f(b c)". */
export function shape(tree: SavedTree): string {
  return tree.map(item => (item.kind === 'query' ? item.id : `${item.id}(${shape(item.items)})`)).join(' ');
}

/** "n1", "n2", … */
export function counter(prefix = 'n'): () => string {
  let n = 0;
  return () => `${prefix}${(n += 1)}`;
}

/** Something a person does: numbers choose among the items that are there then. */
export interface Step {
  readonly what: 'add' | 'addFolder' | 'rename' | 'change' | 'watch' | 'move' | 'remove' | 'duplicate';
  readonly which: number;
  readonly where: number;
  readonly text: string;
}

export const steps: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom<Step['what'][]>(
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
  which: fc.nat(1000),
  where: fc.nat(1000),
  // Few names, so that some are equal.
  text: fc.constantFrom('Wind', 'Stress', 'Ödön "q" \\', 'Month /* to date', '{}', 'a, b'),
});

export function perform(tree: SavedTree, { what, which, where, text }: Step, newId: () => string): SavedTree {
  const all = walk(tree);
  const chosen = all[which % Math.max(1, all.length)];
  const place = placeAt(all, where);
  if (what === 'add') return addItems(tree, [aQuery(newId(), { name: text })], place);
  if (what === 'addFolder') return addItems(tree, [aFolder(newId(), [], text)], place);
  if (!chosen) return tree;
  const { id } = chosen.item;
  if (what === 'rename') return renameItem(tree, id, text);
  if (what === 'move') return moveItems(tree, [id, all[(which + where) % all.length]?.item.id ?? id], place);
  if (what === 'remove') return removeItems(tree, [id]).tree;
  if (what === 'change' && chosen.item.kind === 'folder') {
    const queries = walk(chosen.item.items).map(({ item }) => item.id);
    return changeBoard(tree, id, { orientation: which % 2, groups: [{ size: 0.4, queries }, { queries: [text] }] });
  }
  if (what === 'duplicate') return duplicateItems(tree, [id], newId, copyName);
  if (what === 'watch') {
    const alert = {
      id: `a${where % 3}`,
      kind: 'condition',
      condition: `wind_mw > ${which}`,
      on: where % 2 === 0,
    } as const;
    const analysis = { derive: [{ name: text, formula: 'wind_mw + 1 MW' }], resample: 'month' } as const;
    const watched = { keepFresh: which % 2 === 0, alerts: where % 5 === 0 ? [] : [alert] };
    return changeQuery(tree, id, {
      ...watched,
      analysis: which % 3 === 0 ? undefined : analysis,
      display: which % 4 === 0 ? undefined : { chosen: text },
    });
  }
  const params: Record<string, string> = which % 3 === 0 ? { components: text } : {};
  const query = {
    dataset: 'gridStress',
    range: `last ${(which % 40) + 1} days`,
    interval: '1h',
    params,
    timeZone: 'UTC',
  };
  return changeQuery(tree, id, { query, connection: where % 3 === 0 ? undefined : text });
}

function placeAt(all: readonly ItemLocation[], where: number): TreePosition {
  const near = all[where % Math.max(1, all.length)];
  if (!near || where % 7 === 0) return {};
  if (near.item.kind === 'folder' && where % 2 === 0) return { folder: near.item.id };
  return { folder: near.folder, before: near.item.id };
}

export function copyName(name: string, n: number): string {
  return n === 1 ? `${name} copy` : `${name} copy ${n}`;
}
