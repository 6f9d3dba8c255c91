import type { QueryChange, SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import type { SavedQueriesPort, WatchedItem } from '../../../../src/host/watch/savedQueriesPort.ts';
import { Emitter } from '../../../../src/service/emitter.ts';

/** Connection choices that find no connection. */
export const noConnections = { find: () => undefined, approveConnection: async () => Promise.resolve() };

/** An alert for high values of the stress index. */
export const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };

/** Creates an item with a query of the stress index. */
export function createWatchedItem(
  id: string,
  fields: Partial<SavedQuery> = {},
  store: WatchedItem['store'] = 'personal',
): WatchedItem {
  const query = { dataset: 'gridStress', range: 'last 24 hours', interval: '1h', params: {}, timeZone: 'UTC' };
  return { id, store, query: { kind: 'query', id, name: id, query, ...fields } };
}

/** Saved queries in memory. */
export class FakeQueries implements SavedQueriesPort {
  items: readonly WatchedItem[];
  readonly #changed = new Emitter();
  readonly onDidChange = this.#changed.event;

  constructor(...items: WatchedItem[]) {
    this.items = items;
  }

  async settle(): Promise<void> {
    return Promise.resolve();
  }

  all(): readonly WatchedItem[] {
    return this.items;
  }

  async change(id: string, change: (query: SavedQuery) => QueryChange): Promise<void> {
    this.set(
      ...this.items.map(item => {
        if (item.id !== id) return item;
        const query = { ...item.query, ...change(item.query), query: item.query.query };
        return { ...item, query };
      }),
    );
    return Promise.resolve();
  }

  set(...items: WatchedItem[]): void {
    this.items = items;
    this.#changed.fire();
  }
}
