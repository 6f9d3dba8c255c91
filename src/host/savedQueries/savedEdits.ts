import {
  addItems,
  canMove,
  moveItems,
  removeItems,
  restoreItems,
  type RemovedItems,
  withFreshIds,
} from '../../core/savedQueries/edit.ts';
import type { TreePosition, SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { allIds, findSelectedItems } from '../../core/savedQueries/walk.ts';
import { groupByStore } from './queryStores.ts';
import type { SavedEntry, QueryStore } from './queryStore.ts';

/** A position in a store. */
export interface StorePosition extends TreePosition {
  readonly store: QueryStore;
}

/** Whether the items can be moved there: a folder cannot be moved into itself. */
export function canMoveTo(entries: readonly SavedEntry[], { store, ...position }: StorePosition): boolean {
  const ids = groupByStore(entries).get(store);
  return ids === undefined || canMove(store.tree(), ids, position);
}

/**
 * Moves items within a store or between stores. They are added to the target first, so that a failure loses nothing. Returns a function that undoes the
 * moves between stores; undefined if there were none.
 */
export async function moveTo(
  entries: readonly SavedEntry[],
  { store: target, ...position }: StorePosition,
  newId: () => string,
): Promise<(() => Promise<void>) | undefined> {
  const undoActions: (() => Promise<void>)[] = [];
  for (const [store, ids] of groupByStore(entries)) {
    if (store === target) {
      await store.edit(tree => moveItems(tree, ids, position));
      continue;
    }
    const selected = findSelectedItems(store.tree(), ids);
    // Snoozes are personal, so they are not written to a shared file.
    const items = target.kind === 'workspace' ? selected.map(removeSnoozes) : selected;
    let copies: readonly string[] = [];
    await target.edit(tree => {
      const newItems = withFreshIds(items, allIds(tree), newId);
      copies = newItems.map(({ id }) => id);
      return addItems(tree, newItems, position);
    });
    const serializeCopies = (tree: SavedTree): string => JSON.stringify(findSelectedItems(tree, copies));
    const movedContent = serializeCopies(target.tree());
    undoActions.push(await deleteItems(entries.filter(entry => entry.store === store)), async () =>
      // If a copy was changed since the move, the copies stay there as well.
      target.edit(tree => (serializeCopies(tree) === movedContent ? removeItems(tree, copies).tree : tree)),
    );
  }
  return undoActions.length > 0 ? runInOrder(undoActions) : undefined;
}

function runInOrder(actions: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    for (const action of actions) await action();
  };
}

function removeSnoozes(item: SavedItem): SavedItem {
  if (item.kind === 'folder') return { ...item, items: item.items.map(removeSnoozes) };
  return item.alerts ? { ...item, alerts: item.alerts.map(alert => ({ ...alert, snoozedUntil: undefined })) } : item;
}

/** Deletes items. Returns a function that restores them. */
export async function deleteItems(entries: readonly SavedEntry[]): Promise<() => Promise<void>> {
  const undoActions: (() => Promise<void>)[] = [];
  for (const [store, ids] of groupByStore(entries)) {
    let last: RemovedItems = { items: [] };
    await store.edit(tree => {
      const { tree: remainingTree, removed } = removeItems(tree, ids);
      last = removed;
      return remainingTree;
    });
    const removed = last;
    undoActions.push(async () => store.edit(tree => restoreItems(tree, removed)));
  }
  return runInOrder(undoActions);
}
