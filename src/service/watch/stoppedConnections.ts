import type { FailureReason } from '../../core/errors.ts';
import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';

/** The reason why queries of a connection are no longer run. */
export interface StoppedConnection {
  readonly connectionId: string;
  readonly reason: Extract<FailureReason, 'noKey' | 'keyRejected' | 'forbidden'>;
  /** Set if the service accepts the key, but not for this dataset. */
  readonly dataset?: string;
}

/** The connections whose key does not work. Hourly requests would only be rejected again. */
export class StoppedConnections {
  readonly #stops = new Map<string, StoppedConnection>();
  readonly #resumeCounts = new Map<string, number>();

  /** Returns how often the connection was resumed. A run from before the last time may have used the old key, so its failure is ignored. */
  getResumeCount({ connectionId }: Pick<WatchedQuery, 'connectionId'>): number {
    return this.#resumeCounts.get(connectionId) ?? 0;
  }

  /** Stops the connection of a query after a failure. Returns undefined if the failure does not require that, or if it is already stopped. */
  add({ connectionId, query: { dataset } }: WatchedQuery, reason: string): StoppedConnection | undefined {
    const stop = createStop(connectionId, dataset, reason);
    if (!stop || this.#stops.has(getStopKey(stop))) return undefined;
    this.#stops.set(getStopKey(stop), stop);
    return stop;
  }

  has({ connectionId, query: { dataset } }: WatchedQuery): boolean {
    return this.#stops.has(getStopKey({ connectionId })) || this.#stops.has(getStopKey({ connectionId, dataset }));
  }

  /** Resumes a connection with a new key or new permissions. Returns whether it, or one of its datasets, was stopped. */
  resume(connectionId: string): boolean {
    this.#resumeCounts.set(connectionId, this.getResumeCount({ connectionId }) + 1);
    const connectionStops = [...this.#stops].filter(([, stop]) => stop.connectionId === connectionId);
    for (const [name] of connectionStops) this.#stops.delete(name);
    return connectionStops.length > 0;
  }
}

function createStop(connectionId: string, dataset: string, reason: string): StoppedConnection | undefined {
  if (reason === 'forbidden') return { connectionId, reason, dataset };
  return reason === 'noKey' || reason === 'keyRejected' ? { connectionId, reason } : undefined;
}

function getStopKey({ connectionId, dataset }: Pick<StoppedConnection, 'connectionId' | 'dataset'>): string {
  return JSON.stringify([connectionId, dataset]);
}
