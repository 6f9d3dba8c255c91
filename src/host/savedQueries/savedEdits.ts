import {
  addItems,
  canMove,
  moveItems,
  removeItems,
  restoreItems,
  type Removed,
  withFreshIds,
} from '../../core/savedQueries/edit.ts';
import type { TreePosition, SavedItem, SavedTree } from '../../core/savedQueries/savedItem.ts';
import { allIds, selection } from '../../core/savedQueries/walk.ts';
import { byStore } from './queryStores.ts';
import type { SavedEntry, QueryStore } from './queryStore.ts';

/** A position in a store. */
export interface StorePosition extends TreePosition {
  readonly store: QueryStore;
}

/** Whether the items can be moved there: a folder cannot be moved into itself. */
export function canMoveTo(entries: readonly SavedEntry[], { store, ...place }: StorePosition): boolean {
  const ids = byStore(entries).get(store);
  return ids === undefined || canMove(store.tree(), ids, place);
}

/**
 * Moves items, also between stores. They are added to the target first, so that a failure loses nothing. Returns a function that undoes the
 * moves between stores; undefined if there were none.
 */
export async function moveTo(
  entries: readonly SavedEntry[],
  { store: target, ...place }: StorePosition,
  newId: () => string,
): Promise<(() => Promise<void>) | undefined> {
  const undone: (() => Promise<void>)[] = [];
  for (const [store, ids] of byStore(entries)) {
    if (store === target) {
      await store.edit(tree => moveItems(tree, ids, place));
      continue;
    }
    const selected = selection(store.tree(), ids);
    // Snoozes are personal, so they are not written to a shared file.
    const items = target.kind === 'workspace' ? selected.map(withoutSnooze) : selected;
    let copies: readonly string[] = [];
    await target.edit(tree => {
      const fresh = withFreshIds(items, allIds(tree), newId);
      copies = fresh.map(({ id }) => id);
      return addItems(tree, fresh, place);
    });
    const textIn = (tree: SavedTree): string => JSON.stringify(selection(tree, copies));
    const moved = textIn(target.tree());
    undone.push(await deleteItems(entries.filter(entry => entry.store === store)), async () =>
      // If a copy was changed since the move, the copies stay there as well.
      target.edit(tree => (textIn(tree) === moved ? removeItems(tree, copies).tree : tree)),
    );
  }
  return undone.length > 0 ? inTurn(undone) : undefined;
}

function inTurn(steps: readonly (() => Promise<void>)[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await step();
  };
}

function withoutSnooze(item: SavedItem): SavedItem {
  if (item.kind === 'folder') return { ...item, items: item.items.map(withoutSnooze) };
  return item.alerts ? { ...item, alerts: item.alerts.map(alert => ({ ...alert, snoozedUntil: undefined })) } : item;
}

/** Deletes items. Returns a function that restores them. */
export async function deleteItems(entries: readonly SavedEntry[]): Promise<() => Promise<void>> {
  const undone: (() => Promise<void>)[] = [];
  for (const [store, ids] of byStore(entries)) {
    let last: Removed = { items: [] };
    await store.edit(tree => {
      const { tree: rest, removed } = removeItems(tree, ids);
      last = removed;
      return rest;
    });
    const removed = last;
    undone.push(async () => store.edit(tree => restoreItems(tree, removed)));
  }
  return inTurn(undone);
}
