import {
  addItems,
  canMove,
  moveItems,
  removeItems,
  restoreItems,
  type Removed,
  withFreshIds,
} from '../../core/savedQueries/edit.ts';
import type { TreePosition, SavedItem } from '../../core/savedQueries/savedItem.ts';
import { allIds, selection } from '../../core/savedQueries/walk.ts';
import { byHome } from './queryStores.ts';
import type { SavedEntry, QueryStore } from './queryStore.ts';

/** A home, and a place in it. */
export interface StorePosition extends TreePosition {
  readonly home: QueryStore;
}

/** Whether they may go there: no folder goes into itself. */
export function canMoveTo(entries: readonly SavedEntry[], { home, ...place }: StorePosition): boolean {
  const ids = byHome(entries).get(home);
  return ids === undefined || canMove(home.tree(), ids, place);
}

/** Moves items, also from one home to another: they are there before they are gone here, so that a fault loses nothing. */
export async function moveTo(
  entries: readonly SavedEntry[],
  { home: target, ...place }: StorePosition,
  newId: () => string,
): Promise<void> {
  for (const [home, ids] of byHome(entries)) {
    if (home === target) {
      await home.edit(tree => moveItems(tree, ids, place));
      continue;
    }
    const shown = selection(home.tree(), ids);
    // What is snoozed is one person's own.
    const items = target.kind === 'workspace' ? shown.map(withoutSnooze) : shown;
    await target.edit(tree => addItems(tree, withFreshIds(items, allIds(tree), newId), place));
    await home.edit(tree => removeItems(tree, ids).tree);
  }
}

function withoutSnooze(item: SavedItem): SavedItem {
  if (item.kind === 'folder') return { ...item, items: item.items.map(withoutSnooze) };
  return item.alerts ? { ...item, alerts: item.alerts.map(alert => ({ ...alert, snoozedUntil: undefined })) } : item;
}

/** Deletes items; the answer brings them back. */
export async function deleteItems(entries: readonly SavedEntry[]): Promise<() => Promise<void>> {
  const undone: (() => Promise<void>)[] = [];
  for (const [home, ids] of byHome(entries)) {
    let last: Removed = { items: [] };
    await home.edit(tree => {
      const { tree: rest, removed } = removeItems(tree, ids);
      last = removed;
      return rest;
    });
    const removed = last;
    undone.push(async () => home.edit(tree => restoreItems(tree, removed)));
  }
  return async () => {
    for (const undo of undone) await undo();
  };
}
