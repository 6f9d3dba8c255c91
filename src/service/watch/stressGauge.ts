import { latestStress, type LatestStress, type Reading } from '../../core/watch/reading.ts';
import { Emitter } from '../emitter.ts';

/** The newest value of the stress index that each watched query brought. */
export class StressGauge {
  readonly #latest = new Map<string, LatestStress>();
  readonly #changed = new Emitter<string>();
  /** After each change of a query's value, with the query's id. */
  readonly onDidChange = this.#changed.event;

  /** Undefined before the first run, and for queries without the index. Its hour says how old it is. */
  of(queryId: string): LatestStress | undefined {
    return this.#latest.get(queryId);
  }

  /** A value of the same hour replaces the one before: the provider corrects what it published. */
  take(queryId: string, reading: Reading): void {
    const before = this.#latest.get(queryId);
    const latest = latestStress(reading);
    if (!latest || (before && (before.hour > latest.hour || isSame(before, latest)))) return;
    this.#latest.set(queryId, latest);
    this.#changed.fire(queryId);
  }

  drop(queryId: string): void {
    if (this.#latest.delete(queryId)) this.#changed.fire(queryId);
  }
}

function isSame(one: LatestStress, other: LatestStress): boolean {
  return one.hour === other.hour && one.value === other.value;
}
