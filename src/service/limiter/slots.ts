import type { Limit } from '../../core/query/catalogue.ts';
import { maxBlockMs, maxSlots, maxWindowMs, type ScopeState, type Slot } from './keyState.ts';
import type { UnansweredOutcome } from './limiter.ts';

/** The time after which a waiting window that has not renewed its requests is considered closed. */
const windowTimeoutMs = 3_000;

/**
 * How long an abandoned request may still be counted: a busy service may process it some seconds later. After a timeout, only the maximum time in
 * flight is certain.
 */
const graceMs = 5_000;

/** Returns until when a request that was given up at `endedAt` may still be counted (UTC ms). */
export function getCountedUntil(outcome: UnansweredOutcome, sentAt: number, endedAt: number, leaseMs: number): number {
  return outcome === 'timedOut' ? Math.max(endedAt + graceMs, sentAt + leaseMs) : endedAt + graceMs;
}

/** Whether the window still waits for the response. */
export function isInFlight({ flying, lost }: Slot): boolean {
  return flying && lost !== true;
}

/**
 * Returns the length of a window in milliseconds, with a margin: a clock may be slewed by up to 500 ppm while it is corrected, and its readings
 * are rounded.
 */
export function getWindowMs(limit: Limit): number {
  const ms = limit.seconds * 1000;
  return Math.ceil(ms + ms / 2000) + 1;
}

/** Returns the number of requests that a window allows. */
export function getAllowed(limit: Limit): number {
  return Math.min(limit.requests, maxSlots);
}

/**
 * Removes expired entries, and limits instants in the future (the clock was set back) so that they do no harm.
 * `leaseMs`: the maximum time in flight.
 */
export function expireSlots(scope: ScopeState, now: number, limit: Limit, leaseMs: number): void {
  const windowMs = (scope.windowMs = Math.min(maxWindowMs, Math.max(scope.windowMs, getWindowMs(limit))));
  for (const slot of scope.slots) slot.at = Math.min(slot.at, slot.flying ? now + leaseMs : now);
  scope.slots = scope.slots.filter(({ at }) => at + windowMs > now);
  // The newest slots are needed, since they are freed last.
  if (scope.slots.length > maxSlots) scope.slots = scope.slots.toSorted((a, b) => a.at - b.at).slice(-maxSlots);
  scope.blockedUntil = Math.min(scope.blockedUntil, now + Math.max(getWindowMs(limit) + 1_000, maxBlockMs));
  const activeWindows = Object.entries(scope.seen).filter(([, seenAt]) => now - seenAt <= windowTimeoutMs);
  scope.seen = Object.fromEntries(activeWindows.map(([window, seenAt]) => [window, Math.min(seenAt, now)]));
  scope.tickets = scope.tickets.filter(({ window }) => scope.seen[window] !== undefined);
}

/** Returns when each used slot becomes free (UTC ms), ascending; for a request in flight, the earliest possible time. */
export function listSlotEnds(scope: ScopeState, now: number, limit: Limit): number[] {
  const windowMs = getWindowMs(limit);
  return scope.slots
    .map(slot => (isInFlight(slot) ? Math.min(slot.at, now) : slot.at) + windowMs)
    .filter(end => end > now)
    .sort((a, b) => a - b);
}

/**
 * Returns when each of the next `count` requests may start: one window after the *response* to an earlier request. The server counted that request
 * before it responded, and receives the new one after it was sent, so that different network delays cannot exceed the server's limit. Starts
 * after requests in flight are the earliest possible times.
 */
export function computeStarts(scope: ScopeState, now: number, limit: Limit, count: number): number[] {
  const windowMs = getWindowMs(limit);
  const allowed = getAllowed(limit);
  const slotEndTimes = listSlotEnds(scope, now, limit);
  const usedCount = slotEndTimes.length;
  const starts: number[] = [];
  for (let position = 0; position < count; position += 1) {
    const start = Math.max(now, scope.blockedUntil, slotEndTimes[usedCount + position - allowed] ?? now);
    starts.push(start);
    slotEndTimes.push(start + windowMs);
  }
  return starts;
}

/** Whether requests are sent one at a time, for one window after a block: other clients may use the key too, and a second 429 should be avoided. */
export function isCautious(scope: ScopeState, now: number, limit: Limit): boolean {
  return scope.blockedUntil > 0 && scope.blockedUntil + getWindowMs(limit) > now;
}
