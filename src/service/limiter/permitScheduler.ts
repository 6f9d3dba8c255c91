import type { Limit } from '../../core/query/catalogue.ts';
import { scopeOf, type KeyState, type ScopeState, type Slot, type QueuedRequest } from './keyState.ts';
import type { Budget, RequestOutcome, KeyRefusal, Priority } from './limiter.ts';
import { allowedBy, countedBy, isCautious, isInFlight, nextStarts, slotEnds, tidy, takenOf } from './slots.ts';

/** What one window does may change what others may: who waits looks again at least so often. */
export const pollMs = 500;

/** The scope as one window meets it. */
export interface QueuePosition {
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
  readonly refusal: KeyRefusal;
  readonly at: number;
}

export interface ScheduledPermits {
  readonly refused: Refused | undefined;
  /** Tickets that became slots. */
  readonly granted: readonly string[];
  /** For each ticket of the window that waits on, when it may start at the earliest (UTC ms). */
  readonly starts: ReadonlyMap<string, number>;
}

/** One window's turn at the state: its tickets are renewed, and those whose turn it is become slots in flight. */
export function schedulePermits(state: KeyState, given: QueuePosition, waiting: readonly Waiting[]): ScheduledPermits {
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
export function giveBack(state: KeyState, given: QueuePosition, id: string, outcome: RequestOutcome, at: number): void {
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

export function clearAllRejections(state: KeyState): void {
  state.rejected = false;
  for (const scope of Object.values(state.scopes)) scope.forbidden = false;
}

/** `count`: how many requests somebody thinks of. */
export function budgetIn(state: KeyState, given: Omit<QueuePosition, 'window'>, count = 1): Budget {
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
function shareOf<T extends Omit<QueuePosition, 'window'>>(state: KeyState, place: T): T {
  const { limit } = place;
  return state.alone ? { ...place, limit: { ...limit, requests: Math.max(1, Math.floor(limit.requests / 2)) } } : place;
}

function tidyAll(scope: ScopeState, { now, limit, leaseMs }: Omit<QueuePosition, 'window'>): void {
  tidy(scope, now, limit, leaseMs);
  tidyLessons(scope, now);
}

function refusedIn(state: KeyState, place: Pick<QueuePosition, 'scope' | 'now'>): Refused | undefined {
  const { forbidden, forbiddenAt } = scopeOf(state, place.scope);
  if (!state.rejected && !forbidden) return undefined;
  const at = state.rejected ? state.rejectedAt : forbiddenAt;
  // Said too long ago, of a time to come (the clock was set back), or by nobody knows when.
  if (at === undefined || at > place.now || at + refusalMs < place.now) return undefined;
  return { refusal: state.rejected ? 'keyRejected' : 'forbidden', at };
}

/*
 * A 429 although not all slots are taken has one of two reasons: the service allows fewer than documented, or somebody else
 * (a script) uses the same key. Fewer requests of ours help in both, but the first lasts and the second passes, and while
 * it does, what is left for us by chance says nothing of the limit. Hence:
 * - One such 429 changes nothing: we wait as long as it says and feel our way. Only a second one, met by a request sent
 *   after the first, is a lesson. (Of ten requests in flight together many may be refused; that is one event.) And only
 *   one met while nothing else is in flight, since of the others nobody knows yet what becomes of them.
 * - Where nobody else uses the key, the requests let through until that 429 are the limit. Never fewer, since we hold a slot
 *   for longer than the server does.
 * - A limit is not taken to be lower than what the service was seen to let through a while ago, nor none: who gets a 429
 *   with fewer taken shares the key.
 * - The lower limit counts for ten windows, and when the service surprises us again soon after, for twice as long as the
 *   last time, an hour at most. So a limit that is really lower is tried once an hour in the end, and a script slows us down
 *   for about as long again as it runs, at most.
 */

const hourMs = 3_600_000;
/** What happened is of interest for so many windows. */
const windowsKept = 10;

/** Forgets what is over, and brings stamps from the future (the clock was set back) to where they can do no harm. */
function tidyLessons(scope: ScopeState, now: number): void {
  const keptMs = windowsKept * scope.windowMs;
  scope.surprises = scope.surprises.filter(at => at <= now && at + keptMs > now);
  scope.passed = scope.passed.filter(({ at }) => at <= now && at + keptMs > now);
  const { learned, lesson } = scope;
  if (learned && (learned.until <= now || learned.requests < 1)) scope.learned = null;
  else if (learned) learned.until = Math.min(learned.until, now + hourMs);
  if (lesson && lesson.until + keptMs <= now) scope.lesson = null;
  else if (lesson) scope.lesson = { from: Math.min(lesson.from, now), until: Math.min(lesson.until, now + hourMs) };
}

/** A request was answered: notes how many the service let through in the window that ends with it, as far as is certain. */
function answered(scope: ScopeState, answer: Slot, limit: Limit): void {
  const since = answer.at - limit.seconds * 1000;
  // The server counted each of them after it was sent and before its answer came.
  const isWithin = ({ sentAt = -Infinity, at, flying }: Slot) =>
    !flying && sentAt > since && sentAt <= at && at <= answer.at;
  const requests = scope.slots.filter(isWithin).length;
  if (requests === 0) return;
  scope.passed = [...scope.passed.filter(other => other.requests > requests), { at: answer.at, requests }];
}

/** The server refused a request, sent at `sentAt`, until then; all instants are UTC milliseconds. */
function throttled(scope: ScopeState, now: number, limit: Limit, until: number, sentAt = now): void {
  scope.blockedUntil = Math.max(scope.blockedUntil, until);
  const taken = takenOf(scope, now, limit);
  const allowed = allowedBy(scope, limit);
  if (taken === 0 || taken >= allowed) return;
  if (sentAt > (scope.surprises.at(-1) ?? -Infinity)) scope.surprises.push(now);
  const isClear = !scope.slots.some(({ flying, at }) => flying && at > now);
  if (!isClear || (scope.surprises.length < 2 && !scope.lesson)) return;
  const requests = scope.passed.reduce((most, one) => Math.max(most, one.requests), taken);
  if (requests < allowed) learn(scope, now, requests);
}

function learn(scope: ScopeState, now: number, requests: number): void {
  const { learned, lesson } = scope;
  // What was learned was still too many: the same lesson, corrected.
  if (learned) {
    scope.learned = { ...learned, requests };
    return;
  }
  const ms = Math.min(hourMs, lesson ? 2 * (lesson.until - lesson.from) : windowsKept * scope.windowMs);
  scope.lesson = { from: now, until: now + ms };
  scope.learned = { requests, until: now + ms };
}

export interface Waiting {
  readonly id: string;
  readonly priority: Priority;
}

/**
 * Makes the window's tickets those of its waiting requests, and says that the window lives. A new ticket's turn is the one
 * after the window's last, and no earlier than those of the requests that count now: windows take turns however much each of
 * them asks for, and one that found all slots free stands back until the others have had as many.
 */
function renewTickets(scope: ScopeState, window: string, waiting: readonly Waiting[], now: number): void {
  const ids = new Set(waiting.map(({ id }) => id));
  scope.tickets = scope.tickets.filter(ticket => ticket.window !== window || ids.has(ticket.id));
  const known = new Set(scope.tickets.map(({ id }) => id));
  const last = { person: lastTurn(scope, window, 'person'), background: lastTurn(scope, window, 'background') };
  for (const { id, priority } of waiting) {
    if (known.has(id)) continue;
    last[priority] += 1;
    scope.tickets.push({ id, window, priority, turn: last[priority] });
  }
  scope.seen[window] = now;
}

function lastTurn({ slots, tickets }: ScopeState, window: string, priority: Priority): number {
  const all = [...slots, ...tickets.filter(ticket => ticket.priority === priority)];
  const own = all.filter(one => one.window === window);
  if (own.length > 0) return own.reduce((last, { turn }) => Math.max(last, turn), -Infinity);
  return all.length > 0 ? all.reduce((first, { turn }) => Math.min(first, turn), Infinity) - 1 : 0;
}

/** Who goes first: persons, then by turn, then who came first. */
function inOrder(tickets: readonly QueuedRequest[]): QueuedRequest[] {
  return [...tickets].sort((a, b) => rankOf(a) - rankOf(b) || a.turn - b.turn);
}

/** The lower goes first. */
export function rankOf({ priority }: Pick<Waiting, 'priority'>): number {
  return priority === 'person' ? 0 : 1;
}
