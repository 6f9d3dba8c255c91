import { findStableElements, walk, type ItemLocation, maxDepth } from '../walk.ts';
import type { SavedTree, SavedItem } from '../savedItem.ts';
import type { ItemRecord, Records, Stamp } from './records.ts';
import { parseItem, serializeItem } from './storedItem.ts';

/**
 * Returns the records whose tree is `tree`. Only changed items get a new record, so that concurrent changes of other items are not
 * overwritten. `now` is in UTC milliseconds.
 */
export function editRecords(records: Records, tree: SavedTree, stamp: Stamp, now: number): Records {
  const previousItems = indexById(buildTree(records));
  const itemsById = indexById(tree);
  const next = new Map(records);
  for (const [id, { folder, order }] of computePositions(records, tree, itemsById)) {
    const previousRecord = records.get(id);
    const item = itemsById.get(id)?.item as SavedItem;
    // A restored item, or a removed folder that still shows its content, gets a new record.
    const isUnmoved =
      previousRecord?.removedAt === undefined && previousRecord?.folder === folder && previousRecord.order === order;
    if (isUnmoved && isSameItem(previousRecord.item, item)) continue;
    next.set(id, { stamp, folder, order, item: parseItem(id, serializeItem(item)) ?? item });
  }
  for (const id of previousItems.keys()) {
    const record = records.get(id);
    if (!itemsById.has(id) && record) next.set(id, { ...record, stamp, removedAt: now });
  }
  return next;
}

function indexById(tree: SavedTree): Map<string, ItemLocation> {
  return new Map(walk(tree).map(location => [location.item.id, location]));
}

function isSameItem(a: SavedItem, b: SavedItem): boolean {
  return a === b || JSON.stringify(serializeItem(a)) === JSON.stringify(serializeItem(b));
}

/** Returns the folder and order of each item. As few items as possible get a new order. */
function computePositions(
  records: Records,
  tree: SavedTree,
  itemsById: ReadonlyMap<string, ItemLocation>,
): Map<string, Pick<ItemRecord, 'folder' | 'order'>> {
  const lists: [folder: string, items: SavedTree][] = [['', tree]];
  for (const { item } of itemsById.values()) if (item.kind === 'folder') lists.push([item.id, item.items]);
  return new Map(
    lists.flatMap(([folder, items]) => {
      const previousOrders = items.map(({ id }) => {
        const record = records.get(id);
        return record?.removedAt === undefined && record?.folder === folder ? record.order : undefined;
      });
      const stays = findStableElements(previousOrders);
      const orders = fillOrders(previousOrders.map((order, index) => (stays[index] ? order : undefined)));
      return items.map(({ id }, index) => [id, { folder, order: orders[index] as number }] as const);
    }),
  );
}

/** Fills in missing order numbers between their neighbors, or renumbers all if floating-point precision is exhausted. */
function fillOrders(knownOrders: readonly (number | undefined)[]): number[] {
  const orders: number[] = [];
  for (let filledCount = 0; filledCount < knownOrders.length; filledCount = orders.length) {
    const nextKnown = knownOrders.findIndex((order, index) => index >= filledCount && order !== undefined);
    const end = nextKnown < 0 ? knownOrders.length : nextKnown;
    const low = knownOrders[filledCount - 1];
    const high = knownOrders[end];
    const count = end - filledCount;
    const start = low ?? (high ?? count + 1) - count - 1;
    const distance = low === undefined || high === undefined ? 1 : (high - low) / (count + 1);
    for (let position = 1; position <= count; position += 1) orders.push(start + position * distance);
    if (high !== undefined) orders.push(high);
  }
  const hasRoom = orders.every((order, index) => index === 0 || (orders[index - 1] as number) < order);
  return hasRoom ? orders : orders.map((_, index) => index + 1);
}

/**
 * Builds the tree, which depends only on the records. A folder that was removed while another window added an item to it stays visible for
 * that item. Items of unknown folders are at the top. If two windows move folders into each other at the same time, one of the folders moves
 * to the top.
 */
export function buildTree(records: Records): SavedTree {
  const parents = findParents(records);
  const children = Map.groupBy(parents.keys(), id => parents.get(id));
  const listContent = (folder: string): SavedItem[] => {
    const content = (children.get(folder) ?? []).flatMap(id => records.get(id) ?? []);
    content.sort((a, b) => a.order - b.order || (isEarlier(a, b) ? -1 : 1));
    return content.map(({ item }) => (item.kind === 'folder' ? { ...item, items: listContent(item.id) } : item));
  };
  return listContent('');
}

/** Returns the folder of each visible item; "" at the top. */
function findParents(records: Records): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [remainingId, { removedAt }] of records) {
    if (removedAt !== undefined) continue;
    // The folders around the item are visible too, even removed ones.
    for (let id = remainingId; id !== '' && !parents.has(id); id = parents.get(id) ?? '') {
      const folder = records.get(id)?.folder ?? '';
      parents.set(id, records.get(folder)?.item.kind === 'folder' ? folder : '');
    }
  }
  const depths = new Map<string, number>();
  for (const id of [...parents.keys()].sort()) limitDepth(records, parents, depths, id);
  return parents;
}

/**
 * Computes the depth of an item and of the folders around it. The folder of a cycle that was written last moves to the top; so does an
 * item that would be too deep.
 */
function limitDepth(records: Records, parents: Map<string, string>, depths: Map<string, number>, id: string): void {
  const path = new Set<string>();
  let ancestor = id;
  while (ancestor !== '' && !depths.has(ancestor) && !path.has(ancestor)) {
    path.add(ancestor);
    ancestor = parents.get(ancestor) ?? '';
  }
  if (path.has(ancestor)) {
    const cycle = [...path].slice([...path].indexOf(ancestor)).flatMap(itemId => records.get(itemId) ?? []);
    const latest = cycle.reduce((a, b) => (isEarlier(a, b) ? b : a));
    parents.set(latest.item.id, '');
    limitDepth(records, parents, depths, id);
    return;
  }
  for (const itemId of [...path].reverse()) {
    const depth = (depths.get(parents.get(itemId) ?? '') ?? 0) + 1;
    if (depth > maxDepth) parents.set(itemId, '');
    depths.set(itemId, depth > maxDepth ? 1 : depth);
  }
}

function isEarlier(a: ItemRecord, b: ItemRecord): boolean {
  return a.stamp === b.stamp ? a.item.id < b.item.id : a.stamp < b.stamp;
}
