import type { WatchedQuery } from '../../core/watch/watchedQuery.ts';
import type { Stopped } from './watchEvents.ts';

/** The connections whose key does not work: asking again every hour would only be refused again. */
export class Stops {
  readonly #stops = new Map<string, Stopped>();
  readonly #eras = new Map<string, number>();

  /** Changes with each `resume`: a run that began before may have used the old key, and says nothing of the new one. */
  eraOf({ connectionId }: Pick<WatchedQuery, 'connectionId'>): number {
    return this.#eras.get(connectionId) ?? 0;
  }

  /** Notes why the query cannot go on; undefined where that is no reason to stop, or is known. */
  add({ connectionId, query: { dataset } }: WatchedQuery, reason: string): Stopped | undefined {
    const stop = stopOf(connectionId, dataset, reason);
    if (!stop || this.#stops.has(nameOf(stop))) return undefined;
    this.#stops.set(nameOf(stop), stop);
    return stop;
  }

  has({ connectionId, query: { dataset } }: WatchedQuery): boolean {
    return this.#stops.has(nameOf({ connectionId })) || this.#stops.has(nameOf({ connectionId, dataset }));
  }

  /** The connection has another key, or may do more. Whether it, or a dataset of it, was stopped. */
  resume(connectionId: string): boolean {
    this.#eras.set(connectionId, this.eraOf({ connectionId }) + 1);
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
