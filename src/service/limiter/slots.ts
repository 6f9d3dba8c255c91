import type { Limit } from '../../core/query/catalogue.ts';
import type { ScopeState, Slot } from './keyState.ts';
import type { Unanswered } from './limiter.ts';

/** No window is taken to be longer. */
const longestMs = 24 * 3_600_000;
/**
 * No block is taken to be longer than this or a window: a damaged file must not close a scope. As long as a 429 may ask for, and
 * some more.
 */
const longestBlockMs = 130_000;
/**
 * So many slots of a scope are kept, and a higher limit counts as this one: each is some 110 bytes of a file that is read, checked and
 * written anew at each request. Of a product that asks for days or years at once nobody sends as many in a window.
 */
export const mostSlots = 1_000;
/** A window that waits and is not heard of for so long is gone. */
const unheardMs = 3_000;

/**
 * A request may wait before a busy service until that looks at it, also after we went away, and counts from then on. The
 * service works off within seconds what it works off at all; one that let a request time out is so far behind that only
 * the longest a request can be in flight is certain.
 */
const graceMs = 5_000;

/** Until when a request, given up at `at`, may still come to be counted (UTC ms). */
export function countedBy(outcome: Unanswered, sentAt: number, at: number, leaseMs: number): number {
  return outcome === 'timedOut' ? Math.max(at + graceMs, sentAt + leaseMs) : at + graceMs;
}

/** Somebody waits for its answer. */
export function isInFlight({ flying, lost }: Slot): boolean {
  return flying && lost !== true;
}

/**
 * A window in milliseconds as we keep it: longer by what two readings of one clock may differ while it is being corrected
 * (the kernel slews by at most 500 ppm) and by their rounding.
 */
export function windowMsOf(limit: Limit): number {
  const ms = limit.seconds * 1000;
  return Math.ceil(ms + ms / 2000) + 1;
}

/** The requests a window has room for, as far as is known. */
export function allowedBy(scope: ScopeState, limit: Limit): number {
  return Math.min(limit.requests, mostSlots, scope.learned?.requests ?? Infinity);
}

/**
 * Forgets what is over, and brings stamps from the future (the clock was set back) to where they can do no harm.
 * `leaseMs`: the longest a request can be in flight.
 */
export function tidy(scope: ScopeState, now: number, limit: Limit, leaseMs: number): void {
  const windowMs = (scope.windowMs = Math.min(longestMs, Math.max(scope.windowMs, windowMsOf(limit))));
  for (const slot of scope.slots) slot.at = Math.min(slot.at, slot.flying ? now + leaseMs : now);
  scope.slots = scope.slots.filter(({ at }) => at + windowMs > now);
  // The newest free last.
  if (scope.slots.length > mostSlots) scope.slots = scope.slots.toSorted((a, b) => a.at - b.at).slice(-mostSlots);
  scope.blockedUntil = Math.min(scope.blockedUntil, now + Math.max(windowMsOf(limit) + 1_000, longestBlockMs));
  const heard = Object.entries(scope.seen).filter(([, at]) => now - at <= unheardMs);
  scope.seen = Object.fromEntries(heard.map(([window, at]) => [window, Math.min(at, now)]));
  scope.tickets = scope.tickets.filter(({ window }) => scope.seen[window] !== undefined);
}

/** When each slot that is taken frees (UTC ms), the first to free first; for one in flight that is the earliest guess. */
export function slotEnds(scope: ScopeState, now: number, limit: Limit): number[] {
  const windowMs = windowMsOf(limit);
  return scope.slots
    .map(slot => (isInFlight(slot) ? Math.min(slot.at, now) : slot.at) + windowMs)
    .filter(end => end > now)
    .sort((a, b) => a - b);
}

/**
 * When each of the next `count` requests may start: one window after the *answer* to an earlier one. The server noted that
 * one before it answered, and a later one reaches it after it was sent, so no difference of travelling times can put one
 * request too many into the server's window. Those behind requests in flight are the earliest guess.
 */
export function nextStarts(scope: ScopeState, now: number, limit: Limit, count: number): number[] {
  const windowMs = windowMsOf(limit);
  const allowed = allowedBy(scope, limit);
  const ends = slotEnds(scope, now, limit);
  const busy = ends.length;
  const starts: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const start = Math.max(now, scope.blockedUntil, ends[busy + position - allowed] ?? now);
    starts.push(start);
    ends.push(start + windowMs);
  }
  return starts;
}

/** How many slots are taken. */
export function takenOf({ slots }: ScopeState, now: number, limit: Limit): number {
  return slots.filter(({ at, flying }) => flying || at + windowMsOf(limit) > now).length;
}

/** For a window after a block, one request at a time feels its way: others may use the key too, and a 429 is not repeated. */
export function isCautious(scope: ScopeState, now: number, limit: Limit): boolean {
  return scope.blockedUntil > 0 && scope.blockedUntil + windowMsOf(limit) > now;
}
