import type { Limit } from '../../core/query/catalogue.ts';
import { maxBlockMs, maxSlots, maxWindowMs, type ScopeState, type Slot } from './keyState.ts';
import type { Unanswered } from './limiter.ts';

/** A waiting window that has not renewed its requests for so long is gone. */
const silentMs = 3_000;

/**
 * A busy service may process and count a request only after we gave it up. It does so within seconds, if at all; one that
 * let a request time out is so far behind that only the longest time in flight is certain.
 */
const graceMs = 5_000;

/** Until when a request that was given up at `at` may still be counted (UTC ms). */
export function countedBy(outcome: Unanswered, sentAt: number, at: number, leaseMs: number): number {
  return outcome === 'timedOut' ? Math.max(at + graceMs, sentAt + leaseMs) : at + graceMs;
}

/** Whether its window still waits for its response. */
export function isInFlight({ flying, lost }: Slot): boolean {
  return flying && lost !== true;
}

/**
 * The length of a window in milliseconds, with a margin: two readings of one clock may differ while it is being corrected
 * (the kernel slews by at most 500 ppm), and are rounded.
 */
export function windowMsOf(limit: Limit): number {
  const ms = limit.seconds * 1000;
  return Math.ceil(ms + ms / 2000) + 1;
}

/** The requests that a window has room for. */
export function allowedBy(limit: Limit): number {
  return Math.min(limit.requests, maxSlots);
}

/**
 * Removes what is over, and limits instants in the future (the clock was set back) so that they do no harm.
 * `leaseMs`: the longest a request can be in flight.
 */
export function expireSlots(scope: ScopeState, now: number, limit: Limit, leaseMs: number): void {
  const windowMs = (scope.windowMs = Math.min(maxWindowMs, Math.max(scope.windowMs, windowMsOf(limit))));
  for (const slot of scope.slots) slot.at = Math.min(slot.at, slot.flying ? now + leaseMs : now);
  scope.slots = scope.slots.filter(({ at }) => at + windowMs > now);
  // The newest are needed: they are freed last.
  if (scope.slots.length > maxSlots) scope.slots = scope.slots.toSorted((a, b) => a.at - b.at).slice(-maxSlots);
  scope.blockedUntil = Math.min(scope.blockedUntil, now + Math.max(windowMsOf(limit) + 1_000, maxBlockMs));
  const living = Object.entries(scope.seen).filter(([, at]) => now - at <= silentMs);
  scope.seen = Object.fromEntries(living.map(([window, at]) => [window, Math.min(at, now)]));
  scope.tickets = scope.tickets.filter(({ window }) => scope.seen[window] !== undefined);
}

/** When each taken slot becomes free (UTC ms), ascending; for one in flight the earliest possible time. */
export function slotEnds(scope: ScopeState, now: number, limit: Limit): number[] {
  const windowMs = windowMsOf(limit);
  return scope.slots
    .map(slot => (isInFlight(slot) ? Math.min(slot.at, now) : slot.at) + windowMs)
    .filter(end => end > now)
    .sort((a, b) => a - b);
}

/**
 * When each of the next `count` requests may start: one window after the *response* to an earlier one. The server counted that
 * one before it answered, and a later one reaches it after it was sent, so no difference of network delays can put one request
 * too many into the server's window. Those after requests in flight are the earliest possible times.
 */
export function nextStarts(scope: ScopeState, now: number, limit: Limit, count: number): number[] {
  const windowMs = windowMsOf(limit);
  const allowed = allowedBy(limit);
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

/** For one window after a block, requests are sent one at a time: others may use the key too, and a second 429 is to be avoided. */
export function isCautious(scope: ScopeState, now: number, limit: Limit): boolean {
  return scope.blockedUntil > 0 && scope.blockedUntil + windowMsOf(limit) > now;
}
