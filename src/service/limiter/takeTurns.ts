import type { Limit } from '../../core/catalogue.ts';
import { scopeOf, type KeyState, type ScopeState, type Slot } from './keyState.ts';
import { answered, throttled, tidyLessons } from './lessons.ts';
import type { Budget, Outcome, Refusal } from './limiter.ts';
import { allowedBy, countedBy, isCautious, isInFlight, nextStarts, slotEnds, tidy } from './slots.ts';
import { inOrder, renewTickets, type Waiting } from './tickets.ts';

/** What one window does may change what others may: who waits looks again at least so often. */
export const pollMs = 500;

/** The scope as one window meets it. */
export interface Place {
  readonly scope: string;
  readonly window: string;
  readonly limit: Limit;
  readonly now: number;
  /** The longest a request can be in flight, in milliseconds. */
  readonly leaseMs: number;
}

/** A refusal is believed for a day, then one request looks whether it still holds: a damaged file must not end the use of a key. */
const refusalMs = 24 * 3_600_000;

/** What the service said of the key, and when (UTC ms). */
export interface Refused {
  readonly refusal: Refusal;
  readonly at: number;
}

export interface Turn {
  readonly refused: Refused | undefined;
  /** Tickets that became slots. */
  readonly granted: readonly string[];
  /** For each ticket of the window that waits on, when it may start at the earliest (UTC ms). */
  readonly starts: ReadonlyMap<string, number>;
}

/** One window's turn at the state: its tickets are renewed, and those whose turn it is become slots in flight. */
export function takeTurn(state: KeyState, given: Place, waiting: readonly Waiting[]): Turn {
  const place = shareOf(state, given);
  const { now, limit, leaseMs, window } = place;
  const scope = scopeOf(state, place.scope);
  tidyAll(scope, place);
  const refused = refusedIn(state, place);
  renewTickets(scope, window, refused ? [] : waiting, now);
  const order = inOrder(scope.tickets);
  const times = nextStarts(scope, now, limit, order.length);
  const oneAtATime = isCautious(scope, now, limit);
  const granted: string[] = [];
  const starts = new Map<string, number>();
  for (const [position, ticket] of order.entries()) {
    if (ticket.window !== window) continue;
    const start = times[position] ?? now;
    const held = oneAtATime && (position > 0 || scope.slots.some(slot => isInFlight(slot) && slot.at > now));
    if (start > now || held) {
      starts.set(ticket.id, start > now ? start : now + pollMs);
      continue;
    }
    const { id, turn } = ticket;
    scope.tickets = scope.tickets.filter(other => other !== ticket);
    scope.slots.push({ id, window, turn, sentAt: now, at: now + leaseMs, flying: true });
    granted.push(ticket.id);
  }
  return { refused, granted, starts };
}

/** A request is over. `at`: when, which may be a little before `place.now`. */
export function giveBack(state: KeyState, given: Place, id: string, outcome: Outcome, at: number): void {
  const place = shareOf(state, given);
  const { now, limit, window, leaseMs } = place;
  const scope = scopeOf(state, place.scope);
  const known = scope.slots.find(slot => slot.id === id);
  scope.slots = scope.slots.filter(slot => slot !== known);
  // Not known where the state was lost meanwhile.
  const { turn = 0, sentAt } = known ?? {};
  const answer: Slot = { id, window, turn, sentAt, at, flying: false };
  if (outcome === 'counted') scope.slots.push(answer);
  else if (outcome === 'abandoned' || outcome === 'timedOut')
    scope.slots.push({ ...answer, at: countedBy(outcome, sentAt ?? at, at, leaseMs), flying: true, lost: true });
  tidyAll(scope, place);
  if (outcome === 'counted') answered(scope, answer, limit);
  if (typeof outcome === 'string') return;
  if ('throttledUntil' in outcome) throttled(scope, now, limit, outcome.throttledUntil, sentAt);
  else if (outcome.refused === 'keyRejected') [state.rejected, state.rejectedAt] = [true, at];
  else [scope.forbidden, scope.forbiddenAt] = [true, at];
}

export function forgiveAll(state: KeyState): void {
  state.rejected = false;
  for (const scope of Object.values(state.scopes)) scope.forbidden = false;
}

/** `count`: how many requests somebody thinks of. */
export function budgetIn(state: KeyState, given: Omit<Place, 'window'>, count = 1): Budget {
  const place = shareOf(state, given);
  const { now, limit } = place;
  const scope = scopeOf(state, place.scope);
  tidyAll(scope, place);
  const allowed = allowedBy(scope, limit);
  const waiting = scope.tickets.length;
  const starts = nextStarts(scope, now, limit, waiting + Math.max(allowed, count));
  const next = starts[waiting] ?? now;
  const last = count > 0 ? starts[waiting + count - 1] : now;
  const slotEnd = slotEnds(scope, now, limit)[0];
  return {
    left: starts.slice(waiting, waiting + allowed).filter(start => start <= now).length,
    nextFreeInMs: next - now,
    lastStartsInMs: (last ?? now) - now,
    nextSlotInMs: slotEnd === undefined ? undefined : slotEnd - now,
    allowed,
    waiting,
    blockedUntil: scope.blockedUntil > now ? scope.blockedUntil : undefined,
    learnedUntil: scope.learned?.until,
    refusal: refusedIn(state, place)?.refusal,
  };
}

/** Windows that do not know of each other take half of the limit each: two are as many as most people have. */
function shareOf<T extends Omit<Place, 'window'>>(state: KeyState, place: T): T {
  const { limit } = place;
  return state.alone ? { ...place, limit: { ...limit, requests: Math.max(1, Math.floor(limit.requests / 2)) } } : place;
}

function tidyAll(scope: ScopeState, { now, limit, leaseMs }: Omit<Place, 'window'>): void {
  tidy(scope, now, limit, leaseMs);
  tidyLessons(scope, now);
}

function refusedIn(state: KeyState, place: Pick<Place, 'scope' | 'now'>): Refused | undefined {
  const { forbidden, forbiddenAt } = scopeOf(state, place.scope);
  if (!state.rejected && !forbidden) return undefined;
  const at = state.rejected ? state.rejectedAt : forbiddenAt;
  // Said too long ago, of a time to come (the clock was set back), or by nobody knows when.
  if (at === undefined || at > place.now || at + refusalMs < place.now) return undefined;
  return { refusal: state.rejected ? 'keyRejected' : 'forbidden', at };
}
