import type { Told } from '../../core/watch/told.ts';

/** Remembers what all windows know together of each query that is kept fresh. */
export interface ToldStore {
  /**
   * Reads what is known, and keeps what `change` makes of it. No other window comes between the two, so that what `change`
   * found untold is for this window to tell. `change` may be called several times; the outcome of the last counts. Never
   * rejects but with what `change` throws.
   */
  update<T>(name: string, change: (told: Told) => Changed<T>): Promise<T>;
}

export interface Changed<T> {
  /** What it was given, where nothing has changed. */
  readonly told: Told;
  readonly value: T;
}
