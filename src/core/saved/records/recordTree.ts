import type { SavedItem, SavedTree } from '../savedItem.ts';
import { itemOf, placeOf } from './fields.ts';
import { deepestEntry } from '../walk.ts';
import { isAlive, type ItemRecord, type Records } from './records.ts';

/**
 * The tree that records stand for; the same from the same records, whoever merged them. A folder that was removed while
 * somebody put something into it stays for that. What lies in a folder nobody knows is shown at the top, and so is one
 * folder of those that windows put into each other at once.
 */
export function treeOf(records: Records): SavedTree {
  const parents = parentsOf(records);
  const children = Map.groupBy(parents.keys(), id => parents.get(id));
  const contentOf = (folder: string): SavedItem[] => {
    const ids = (children.get(folder) ?? []).sort((a, b) => compare(records, a, b));
    return ids.map(id => {
      const item = itemOf(id, valuesOf(records.get(id)));
      return item.kind === 'folder' ? { ...item, items: contentOf(id) } : item;
    });
  };
  return contentOf('');
}

/** The folder each shown item is in; "" at the top. */
function parentsOf(records: Records): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [alive, record] of records) {
    if (!isAlive(record)) continue;
    // The folders around it are shown for its sake.
    for (let id = alive; id !== '' && !parents.has(id); id = parents.get(id) ?? '') {
      const [folder] = placeOf(records.get(id)?.fields ?? new Map());
      const parent = records.get(folder);
      parents.set(id, parent !== undefined && !parent.fields.has('query') ? folder : '');
    }
  }
  const depths = new Map<string, number>();
  for (const id of [...parents.keys()].sort()) settleDepth(records, parents, depths, id);
  return parents;
}

/**
 * Notes how deep an item and the folders around it are. Where the way upwards comes back to itself, the folder that was moved last
 * goes to the top; so does what would be too deep.
 */
function settleDepth(records: Records, parents: Map<string, string>, depths: Map<string, number>, id: string): void {
  const way = new Set<string>();
  let next = id;
  while (next !== '' && !depths.has(next) && !way.has(next)) {
    way.add(next);
    next = parents.get(next) ?? '';
  }
  if (way.has(next)) {
    const circle = [...way].slice([...way].indexOf(next));
    const key = (one: string): string => `${placeStamp(records, one)} ${one}`;
    parents.set(
      circle.reduce((a, b) => (key(a) > key(b) ? a : b)),
      '',
    );
    settleDepth(records, parents, depths, id);
    return;
  }
  for (const one of [...way].reverse()) {
    const depth = (depths.get(parents.get(one) ?? '') ?? 0) + 1;
    if (depth > deepestEntry) parents.set(one, '');
    depths.set(one, depth > deepestEntry ? 1 : depth);
  }
}

function compare(records: Records, a: string, b: string): number {
  const [one, other] = [a, b].map(id => placeOf(records.get(id)?.fields ?? new Map())[1]) as [number, number];
  if (one !== other) return one - other;
  const key = (id: string): string => `${placeStamp(records, id)} ${id}`;
  return key(a) < key(b) ? -1 : 1;
}

function placeStamp(records: Records, id: string): string {
  return records.get(id)?.fields.get('place')?.stamp ?? '';
}

export function valuesOf(record: ItemRecord | undefined): Map<string, unknown> {
  return new Map([...(record?.fields ?? [])].map(([name, { value }]) => [name, value]));
}
