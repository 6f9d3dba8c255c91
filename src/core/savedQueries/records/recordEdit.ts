import { longestOrder, walk, type Found, deepestEntry } from '../walk.ts';
import type { SavedTree, SavedItem } from '../savedItem.ts';
import { recordFields, placeOf, itemOf } from './fields.ts';
import { isAlive, type Field, type Gone, type ItemRecord, type Records, type Stamp } from './records.ts';

/**
 * The records whose tree is `after`. Only changed fields are written, so that concurrent changes of other fields stay. `now` in UTC
 * milliseconds.
 */
export function editRecords(records: Records, after: SavedTree, stamp: Stamp, now: number): Records {
  const before = byId(treeOf(records));
  const wanted = byId(after);
  const next = new Map(records);
  for (const [id, found] of wanted) {
    const record = records.get(id);
    // A removed folder that is shown for its content, or a restored item: all its fields are written anew.
    const known = record && isAlive(record) ? record.fields : new Map<string, Field>();
    const fields = changedFields(record, known, recordFields(found.item), stamp);
    if (fields.size > 0) next.set(id, { ...record, fields: new Map([...(record?.fields ?? []), ...fields]) });
  }
  for (const [id, place] of changedPlaces(records, before, after, wanted)) {
    const record = next.get(id);
    next.set(id, { ...record, fields: new Map([...(record?.fields ?? []), ['place', { stamp, value: place }]]) });
  }
  for (const id of before.keys()) {
    const record = records.get(id);
    if (!wanted.has(id) && record) next.set(id, { fields: record.fields, gone: goneNow(record, now) });
  }
  return next;
}

function byId(tree: SavedTree): Map<string, Found> {
  return new Map([...walk(tree)].map(found => [found.item.id, found]));
}

function changedFields(
  record: ItemRecord | undefined,
  known: ReadonlyMap<string, Field>,
  wanted: ReadonlyMap<string, unknown>,
  stamp: Stamp,
): Map<string, Field> {
  const changed = new Map<string, Field>();
  for (const [name, value] of wanted) {
    const field = known.get(name);
    if (!field || JSON.stringify(field.value) !== JSON.stringify(value)) changed.set(name, { stamp, value });
  }
  for (const [name, { value }] of record?.fields ?? []) {
    const isOurs = /^(?:connection|keepFresh|view|board|alert:.*)$/s.test(name);
    if (isOurs && value !== null && !wanted.has(name)) changed.set(name, { stamp, value: null });
  }
  return changed;
}

function goneNow({ fields, gone }: ItemRecord, now: number): Gone {
  const seen = new Map([...(gone?.seen ?? []), ...[...fields].map(([name, { stamp }]) => [name, stamp] as const)]);
  return { at: now, seen };
}

/** The places of moved and new items: as few as the new order allows. */
function changedPlaces(
  records: Records,
  before: ReadonlyMap<string, Found>,
  after: SavedTree,
  wanted: ReadonlyMap<string, Found>,
): [id: string, place: readonly [string, number]][] {
  const lists: [folder: string, items: SavedTree][] = [['', after]];
  for (const { item } of wanted.values()) if (item.kind === 'folder') lists.push([item.id, item.items]);
  const oldIndex = new Map([...before.keys()].map((id, index) => [id, index]));
  return lists.flatMap(([folder, items]) => {
    const known = items.map(({ id }) => {
      const record = records.get(id);
      if (
        !record ||
        !isAlive(record) ||
        !record.fields.has('place') ||
        before.get(id)?.folder !== (folder || undefined)
      )
        return undefined;
      const [parent, order] = placeOf(record.fields);
      return parent === folder ? { index: oldIndex.get(id) ?? 0, order } : undefined;
    });
    const stays = longestOrder(known.map(place => place?.index));
    const orders = newOrders(known.map((place, index) => (stays[index] ? place?.order : undefined)));
    return items.flatMap(({ id }, index): [string, readonly [string, number]][] => {
      const order = orders[index] as number;
      return stays[index] && known[index]?.order === order ? [] : [[id, [folder, order]]];
    });
  });
}

/** Fills in missing numbers between their neighbours; renumbers all where there is no room left. */
function newOrders(known: readonly (number | undefined)[]): number[] {
  const orders: number[] = [];
  let at = 0;
  while (at < known.length) {
    const order = known[at];
    if (order !== undefined) {
      orders.push(order);
      at += 1;
      continue;
    }
    let end = at;
    while (end < known.length && known[end] === undefined) end += 1;
    const [low, high, count] = [known[at - 1], known[end], end - at];
    for (let n = 1; n <= count; n += 1) orders.push(between(low, high, n, count));
    at = end;
  }
  const hasRoom = orders.every((order, index) => {
    const previous = orders[index - 1];
    const isNew = known[index] === undefined || known[index - 1] === undefined;
    return previous === undefined || (isNew ? previous < order : previous <= order);
  });
  return hasRoom ? orders : orders.map((_, index) => index + 1);
}

function between(low: number | undefined, high: number | undefined, n: number, count: number): number {
  if (low === undefined) return high === undefined ? n : high - count - 1 + n;
  return high === undefined ? low + n : low + ((high - low) * n) / (count + 1);
}

/**
 * The tree of the records, which depends on nothing else. A folder that was removed while another window put something into it stays for
 * that content. Items of unknown folders are at the top, and so is one of the folders that windows moved into each other at the same time.
 */
export function treeOf(records: Records): SavedTree {
  const parents = parentsOf(records);
  const children = Map.groupBy(parents.keys(), id => parents.get(id));
  const contentOf = (folder: string): SavedItem[] => {
    const ids = (children.get(folder) ?? []).sort((a, b) => compare(records, a, b));
    return ids.map(id => {
      const item = itemOf(id, new Map([...(records.get(id)?.fields ?? [])].map(([name, { value }]) => [name, value])));
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
    // Its folders are shown, also removed ones.
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
 * Records the depth of an item and of the folders around it. In a cycle of folders, the one that was moved last goes to the top; so does
 * an item that would be too deep.
 */
function settleDepth(records: Records, parents: Map<string, string>, depths: Map<string, number>, id: string): void {
  const path = new Set<string>();
  let next = id;
  while (next !== '' && !depths.has(next) && !path.has(next)) {
    path.add(next);
    next = parents.get(next) ?? '';
  }
  if (path.has(next)) {
    const cycle = [...path].slice([...path].indexOf(next));
    const movedLast = cycle.reduce((a, b) => (placeKey(records, a) > placeKey(records, b) ? a : b));
    parents.set(movedLast, '');
    settleDepth(records, parents, depths, id);
    return;
  }
  for (const one of [...path].reverse()) {
    const depth = (depths.get(parents.get(one) ?? '') ?? 0) + 1;
    if (depth > deepestEntry) parents.set(one, '');
    depths.set(one, depth > deepestEntry ? 1 : depth);
  }
}

function compare(records: Records, a: string, b: string): number {
  const [one, other] = [a, b].map(id => placeOf(records.get(id)?.fields ?? new Map())[1]) as [number, number];
  if (one !== other) return one - other;
  return placeKey(records, a) < placeKey(records, b) ? -1 : 1;
}

/** Orders items by when their place was written, then by id. */
function placeKey(records: Records, id: string): string {
  return `${records.get(id)?.fields.get('place')?.stamp ?? ''} ${id}`;
}
