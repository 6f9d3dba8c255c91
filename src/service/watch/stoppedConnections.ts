import type { FailureReason } from '../../core/errors.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';

/** Why queries of a connection are no longer run. */
export interface Stopped {
  readonly connectionId: string;
  readonly reason: Extract<FailureReason, 'noKey' | 'keyRejected' | 'forbidden'>;
  /** Where the service takes the key, but not for this dataset. */
  readonly dataset?: string;
}

/** The connections whose key does not work: a request every hour would only be refused again. */
export class StoppedConnections {
  readonly #stops = new Map<string, Stopped>();
  readonly #resumeCounts = new Map<string, number>();

  /** How often the connection was resumed: a run that began before the last time may have used the old key, and says nothing of the new one. */
  resumeCountOf({ connectionId }: Pick<WatchedQuery, 'connectionId'>): number {
    return this.#resumeCounts.get(connectionId) ?? 0;
  }

  /** Notes why the query cannot be run; undefined where that is no reason to stop, or is known. */
  add({ connectionId, query: { dataset } }: WatchedQuery, reason: string): Stopped | undefined {
    const stop = stopOf(connectionId, dataset, reason);
    if (!stop || this.#stops.has(nameOf(stop))) return undefined;
    this.#stops.set(nameOf(stop), stop);
    return stop;
  }

  has({ connectionId, query: { dataset } }: WatchedQuery): boolean {
    return this.#stops.has(nameOf({ connectionId })) || this.#stops.has(nameOf({ connectionId, dataset }));
  }

  /** The connection has another key, or may do more. Returns whether it, or a dataset of it, was stopped. */
  resume(connectionId: string): boolean {
    this.#resumeCounts.set(connectionId, this.resumeCountOf({ connectionId }) + 1);
    const own = [...this.#stops].filter(([, stop]) => stop.connectionId === connectionId);
    for (const [name] of own) this.#stops.delete(name);
    return own.length > 0;
  }
}

function stopOf(connectionId: string, dataset: string, reason: string): Stopped | undefined {
  if (reason === 'forbidden') return { connectionId, reason, dataset };
  return reason === 'noKey' || reason === 'keyRejected' ? { connectionId, reason } : undefined;
}

function nameOf({ connectionId, dataset }: Pick<Stopped, 'connectionId' | 'dataset'>): string {
  return JSON.stringify([connectionId, dataset]);
}
