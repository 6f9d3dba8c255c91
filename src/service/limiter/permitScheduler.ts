import type { Limit } from '../../core/query/catalogue.ts';
import { dayMs } from '../../shared/durations.ts';
import { getScope, type KeyState, type ScopeState, type Slot } from './keyState.ts';
import type { Budget, RequestOutcome, KeyRefusal, Priority } from './limiter.ts';
import {
  getAllowed,
  getCountedUntil,
  expireSlots,
  isCautious,
  isInFlight,
  computeStarts,
  listSlotEnds,
} from './slots.ts';

/** The maximum interval at which waiting windows read the state, since another window may free a slot. */
export const pollMs = 500;

/** The window and the scope for which permits are scheduled, with the current time (UTC ms). */
export interface SchedulerContext {
  readonly scope: string;
  readonly window: string;
  readonly limit: Limit;
  readonly now: number;
  /** The maximum time in flight, in milliseconds. */
  readonly leaseMs: number;
}

/** How long a stored rejection is trusted before a request checks it again, so that a damaged file does not block a key permanently. */
const trustedRejectionMs = dayMs;

/** How the service rejected the key, and when (UTC ms). */
export interface Refusal {
  readonly refusal: KeyRefusal;
  readonly at: number;
}

export interface ScheduledPermits {
  readonly refused: Refusal | undefined;
  /** Ids of the requests that may be sent. */
  readonly granted: readonly string[];
  /** The earliest start of each other request of the window (UTC ms). */
  readonly starts: ReadonlyMap<string, number>;
}

/** Updates the window's queued requests in the state. Requests that may be sent become slots in flight. */
export function schedulePermits(
  state: KeyState,
  unsharedContext: SchedulerContext,
  waiting: readonly WaitingRequest[],
): ScheduledPermits {
  const context = applyShare(state, unsharedContext);
  const { now, limit, leaseMs, window } = context;
  const scope = getScope(state, context.scope);
  expireSlots(scope, now, limit, leaseMs);
  const refused = findRefusal(state, context);
  updateQueue(scope, window, refused ? [] : waiting, now);
  // The queue is ordered by priority, then by turn, then by arrival.
  const queue = scope.tickets.toSorted((a, b) => getRank(a) - getRank(b) || a.turn - b.turn);
  const startTimes = computeStarts(scope, now, limit, queue.length);
  const isOneAtATime = isCautious(scope, now, limit);
  const granted: string[] = [];
  const starts = new Map<string, number>();
  for (const [index, request] of queue.entries()) {
    if (request.window !== window) continue;
    const { id, turn } = request;
    const start = startTimes[index] ?? now;
    const mustWait = isOneAtATime && (index > 0 || scope.slots.some(slot => isInFlight(slot) && slot.at > now));
    if (start > now || mustWait) {
      starts.set(id, start > now ? start : now + pollMs);
      continue;
    }
    scope.tickets = scope.tickets.filter(queued => queued !== request);
    scope.slots.push({ id, window, turn, sentAt: now, at: now + leaseMs, flying: true });
    granted.push(id);
  }
  return { refused, granted, starts };
}

/** Releases the permit of a request that ended at `endedAt`, which may be a little before `now` of the context. */
export function releasePermit(
  state: KeyState,
  unsharedContext: SchedulerContext,
  id: string,
  outcome: RequestOutcome,
  endedAt: number,
): void {
  const context = applyShare(state, unsharedContext);
  const { now, limit, window, leaseMs } = context;
  const scope = getScope(state, context.scope);
  const heldSlot = scope.slots.find(slot => slot.id === id);
  scope.slots = scope.slots.filter(slot => slot !== heldSlot);
  // The slot is unknown if the state was lost meanwhile.
  const { turn = 0, sentAt } = heldSlot ?? {};
  const completedSlot: Slot = { id, window, turn, sentAt, at: endedAt, flying: false };
  const isLastAllowed = typeof outcome === 'object' && 'throttledUntil' in outcome && outcome.isCounted;
  if (outcome === 'counted' || isLastAllowed) scope.slots.push(completedSlot);
  else if (outcome === 'abandoned' || outcome === 'timedOut')
    scope.slots.push({
      ...completedSlot,
      at: getCountedUntil(outcome, sentAt ?? endedAt, endedAt, leaseMs),
      flying: true,
      lost: true,
    });
  expireSlots(scope, now, limit, leaseMs);
  if (typeof outcome === 'string') return;
  if ('throttledUntil' in outcome) scope.blockedUntil = Math.max(scope.blockedUntil, outcome.throttledUntil);
  else if (outcome.refused === 'keyRejected') {
    state.rejected = true;
    state.rejectedAt = endedAt;
  } else {
    scope.forbidden = true;
    scope.forbiddenAt = endedAt;
  }
}

export function clearAllRejections(state: KeyState): void {
  state.rejected = false;
  for (const scope of Object.values(state.scopes)) scope.forbidden = false;
}

/** Computes the budget. `count`: the number of planned requests. */
export function computeBudget(state: KeyState, unsharedContext: Omit<SchedulerContext, 'window'>, count = 1): Budget {
  const context = applyShare(state, unsharedContext);
  const { now, limit, leaseMs } = context;
  const scope = getScope(state, context.scope);
  expireSlots(scope, now, limit, leaseMs);
  const allowed = getAllowed(limit);
  const waiting = scope.tickets.length;
  const starts = computeStarts(scope, now, limit, waiting + Math.max(allowed, count));
  const next = starts[waiting] ?? now;
  const last = count > 0 ? starts[waiting + count - 1] : now;
  const slotEnd = listSlotEnds(scope, now, limit)[0];
  return {
    left: starts.slice(waiting, waiting + allowed).filter(start => start <= now).length,
    nextFreeInMs: next - now,
    lastStartsInMs: (last ?? now) - now,
    nextSlotInMs: slotEnd === undefined ? undefined : slotEnd - now,
    allowed,
    waiting,
    blockedUntil: scope.blockedUntil > now ? scope.blockedUntil : undefined,
    refusal: findRefusal(state, context)?.refusal,
  };
}

/** Halves the limit of windows that cannot share the state. Three or more windows may exceed it, but are rare. */
function applyShare<T extends Omit<SchedulerContext, 'window'>>(state: KeyState, context: T): T {
  const { limit } = context;
  return state.alone
    ? { ...context, limit: { ...limit, requests: Math.max(1, Math.floor(limit.requests / 2)) } }
    : context;
}

function findRefusal(state: KeyState, { scope, now }: Pick<SchedulerContext, 'scope' | 'now'>): Refusal | undefined {
  const { forbidden, forbiddenAt } = getScope(state, scope);
  if (!state.rejected && !forbidden) return undefined;
  const rejectedAt = state.rejected ? state.rejectedAt : forbiddenAt;
  // The rejection was too long ago, in the future (the clock was set back), or at an unknown time.
  if (rejectedAt === undefined || rejectedAt > now || rejectedAt + trustedRejectionMs < now) return undefined;
  return { refusal: state.rejected ? 'keyRejected' : 'forbidden', at: rejectedAt };
}

export interface WaitingRequest {
  readonly id: string;
  readonly priority: Priority;
}

/**
 * Replaces the window's queued requests by the ones that wait now, and updates when the window was last seen. The turn of a new request follows
 * the window's last turn, or equals the lowest turn in use. So windows alternate, regardless of how many requests each has, and a window that
 * used all free slots waits until the other windows have used as many.
 */
function updateQueue(scope: ScopeState, window: string, waiting: readonly WaitingRequest[], now: number): void {
  const ids = new Set(waiting.map(({ id }) => id));
  scope.tickets = scope.tickets.filter(request => request.window !== window || ids.has(request.id));
  const queuedIds = new Set(scope.tickets.map(({ id }) => id));
  const last = { user: getLastTurn(scope, window, 'user'), background: getLastTurn(scope, window, 'background') };
  for (const { id, priority } of waiting) {
    if (queuedIds.has(id)) continue;
    last[priority] += 1;
    scope.tickets.push({ id, window, priority, turn: last[priority] });
  }
  scope.seen[window] = now;
}

function getLastTurn({ slots, tickets }: ScopeState, window: string, priority: Priority): number {
  const entries = [...slots, ...tickets.filter(request => request.priority === priority)];
  const entriesOfWindow = entries.filter(entry => entry.window === window);
  if (entriesOfWindow.length > 0) return entriesOfWindow.reduce((last, { turn }) => Math.max(last, turn), -Infinity);
  return entries.length > 0 ? entries.reduce((first, { turn }) => Math.min(first, turn), Infinity) - 1 : 0;
}

/** Returns the rank of a priority; the lowest starts first. */
export function getRank({ priority }: Pick<WaitingRequest, 'priority'>): number {
  return priority === 'user' ? 0 : 1;
}
