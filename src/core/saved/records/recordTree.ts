import type { SavedItem, SavedTree } from '../savedItem.ts';
import { itemOf, placeOf } from './fields.ts';
import { isAlive, type ItemRecord, type Records } from './records.ts';

/**
 * The tree that records stand for; the same from the same records, whoever merged them. A folder that was removed while
 * somebody put something into it stays for that. What lies in a folder nobody knows is shown at the top, and so is one
 * folder of those that windows put into each other at once.
 */
export function treeOf(records: Records): SavedTree {
  const children = new Map<string, string[]>();
  for (const [id, parent] of parentsOf(records)) children.set(parent, [...(children.get(parent) ?? []), id]);
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
  const show = (id: string, record: ItemRecord): void => {
    if (parents.has(id)) return;
    const [folder] = placeOf(record.fields);
    const parent = records.get(folder);
    const isFolder = parent !== undefined && !parent.fields.has('query');
    parents.set(id, isFolder ? folder : '');
    if (isFolder) show(folder, parent);
  };
  for (const [id, record] of records) if (isAlive(record)) show(id, record);
  for (const id of [...parents.keys()].sort()) openCircle(records, parents, id);
  return parents;
}

/** Where a way upwards comes back to where it began: the folder that was moved last goes to the top. */
function openCircle(records: Records, parents: Map<string, string>, id: string): void {
  const way = [id];
  for (let next = parents.get(id) ?? ''; next !== ''; next = parents.get(next) ?? '') {
    if (next === id) {
      const last = way.reduce((a, b) => (placeStamp(records, a) > placeStamp(records, b) ? a : b));
      parents.set(last, '');
      return;
    }
    // A circle further up, without this one in it: its own turn comes.
    if (way.includes(next)) return;
    way.push(next);
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
