import * as v from 'valibot';
import { publicationMs } from '../freshness.ts';

/** So long a window has the turn: a request, its retries and the wait for the budget are mostly over sooner. Then it is taken for dead. */
const turnMs = 300_000;

/** Which window asks for a query within an hour. Instants are UTC milliseconds by the service's clock. */
export const askedSchema = v.object({
  /** The hour of the last turn, counted since 1970. */
  hour: v.number(),
  /** Until when that turn lasts; 0 once it is over. */
  until: v.number(),
  /** It cost a request and brought nothing. */
  failed: v.boolean(),
});
export type Asked = v.InferOutput<typeof askedSchema>;

/** What a window may do: ask for what is due, only look at what is kept, or come back later. */
export type Turn = 'ask' | 'look' | 'wait';

/**
 * One window at a time asks, and after a request that failed none does within the hour: what the archive cannot know must
 * not cost a request in each window. `asked` is the one given where the turn needs no note.
 */
export function takeTurn(
  asked: Asked | undefined,
  now: number,
): { readonly turn: Turn; readonly asked: Asked | undefined } {
  const hour = hourOf(now);
  if (asked) {
    // One that lasts far longer than a turn is from a clock that was wrong; those of two windows may differ a little.
    if (asked.until > now && asked.until <= now + 2 * turnMs) return { turn: 'wait', asked };
    if (asked.hour === hour && asked.failed) return { turn: 'look', asked };
  }
  return { turn: 'ask', asked: { hour, until: now + turnMs, failed: false } };
}

export function endTurn(now: number, failed: boolean): Asked {
  return { hour: hourOf(now), until: 0, failed };
}

function hourOf(now: number): number {
  return Math.floor(now / publicationMs);
}
