import type { Limit } from '../../core/query/catalogue.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { scopeOf, type KeyState, type ScopeState, type Slot } from './keyState.ts';
import type { Budget, RequestOutcome, KeyRefusal, Priority } from './limiter.ts';
import { allowedBy, countedBy, expireSlots, isCautious, isInFlight, nextStarts, slotEnds, takenOf } from './slots.ts';

/** What one window does may free a slot for another: waiting windows look at the state at least this often. */
export const pollMs = 500;

/** One window in the queue of a scope. */
export interface QueuePosition {
  readonly scope: string;
  readonly window: string;
  readonly limit: Limit;
  readonly now: number;
  /** The longest a request can be in flight, in milliseconds. */
  readonly leaseMs: number;
}

/** A refusal counts for a day, then one request finds out whether it still holds: a damaged file must not end the use of a key. */
const refusalMs = dayMs;

/** How the service refused the key, and when (UTC ms). */
export interface Refused {
  readonly refusal: KeyRefusal;
  readonly at: number;
}

export interface ScheduledPermits {
  readonly refused: Refused | undefined;
  /** Ids of the requests that may be sent. */
  readonly granted: readonly string[];
  /** For each other request of the window, when it may start at the earliest (UTC ms). */
  readonly starts: ReadonlyMap<string, number>;
}

/** Updates the window's queued requests in the state; those that may be sent become slots in flight. */
export function schedulePermits(state: KeyState, given: QueuePosition, waiting: readonly Waiting[]): ScheduledPermits {
  const position = withShare(state, given);
  const { now, limit, leaseMs, window } = position;
  const scope = scopeOf(state, position.scope);
  expire(scope, position);
  const refused = refusedIn(state, position);
  renewQueued(scope, window, refused ? [] : waiting, now);
  // By priority, then by turn, then by arrival.
  const queue = scope.tickets.toSorted((a, b) => rankOf(a) - rankOf(b) || a.turn - b.turn);
  const times = nextStarts(scope, now, limit, queue.length);
  const oneAtATime = isCautious(scope, now, limit);
  const granted: string[] = [];
  const starts = new Map<string, number>();
  for (const [index, request] of queue.entries()) {
    if (request.window !== window) continue;
    const { id, turn } = request;
    const start = times[index] ?? now;
    const isHeld = oneAtATime && (index > 0 || scope.slots.some(slot => isInFlight(slot) && slot.at > now));
    if (start > now || isHeld) {
      starts.set(id, start > now ? start : now + pollMs);
      continue;
    }
    scope.tickets = scope.tickets.filter(other => other !== request);
    scope.slots.push({ id, window, turn, sentAt: now, at: now + leaseMs, flying: true });
    granted.push(id);
  }
  return { refused, granted, starts };
}

/** A request ended, at `at`, which may be a little before `given.now`. */
export function releasePermit(
  state: KeyState,
  given: QueuePosition,
  id: string,
  outcome: RequestOutcome,
  at: number,
): void {
  const position = withShare(state, given);
  const { now, limit, window, leaseMs } = position;
  const scope = scopeOf(state, position.scope);
  const known = scope.slots.find(slot => slot.id === id);
  scope.slots = scope.slots.filter(slot => slot !== known);
  // Unknown where the state was lost meanwhile.
  const { turn = 0, sentAt } = known ?? {};
  const answer: Slot = { id, window, turn, sentAt, at, flying: false };
  if (outcome === 'counted') scope.slots.push(answer);
  else if (outcome === 'abandoned' || outcome === 'timedOut')
    scope.slots.push({ ...answer, at: countedBy(outcome, sentAt ?? at, at, leaseMs), flying: true, lost: true });
  expire(scope, position);
  if (outcome === 'counted') notePassed(scope, answer, limit);
  if (typeof outcome === 'string') return;
  if ('throttledUntil' in outcome) noteThrottled(scope, now, limit, outcome.throttledUntil, sentAt);
  else if (outcome.refused === 'keyRejected') [state.rejected, state.rejectedAt] = [true, at];
  else [scope.forbidden, scope.forbiddenAt] = [true, at];
}

export function clearAllRejections(state: KeyState): void {
  state.rejected = false;
  for (const scope of Object.values(state.scopes)) scope.forbidden = false;
}

/** `count`: how many requests are planned. */
export function budgetIn(state: KeyState, given: Omit<QueuePosition, 'window'>, count = 1): Budget {
  const position = withShare(state, given);
  const { now, limit } = position;
  const scope = scopeOf(state, position.scope);
  expire(scope, position);
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
    detectedUntil: scope.learned?.until,
    refusal: refusedIn(state, position)?.refusal,
  };
}

/** Windows that cannot share a state take half of the limit each. Three or more may exceed it: few people have so many. */
function withShare<T extends Omit<QueuePosition, 'window'>>(state: KeyState, position: T): T {
  const { limit } = position;
  return state.alone
    ? { ...position, limit: { ...limit, requests: Math.max(1, Math.floor(limit.requests / 2)) } }
    : position;
}

function expire(scope: ScopeState, { now, limit, leaseMs }: Omit<QueuePosition, 'window'>): void {
  expireSlots(scope, now, limit, leaseMs);
  expireDetection(scope, now);
}

function refusedIn(state: KeyState, { scope, now }: Pick<QueuePosition, 'scope' | 'now'>): Refused | undefined {
  const { forbidden, forbiddenAt } = scopeOf(state, scope);
  if (!state.rejected && !forbidden) return undefined;
  const at = state.rejected ? state.rejectedAt : forbiddenAt;
  // Too long ago, in the future (the clock was set back), or at an unknown time.
  if (at === undefined || at > now || at + refusalMs < now) return undefined;
  return { refusal: state.rejected ? 'keyRejected' : 'forbidden', at };
}

/*
 * A 429 while slots are free has one of two causes: the service allows fewer requests than documented, or something else
 * (a script) uses the same key. Fewer requests of ours help in both cases, but a lower limit lasts and a script ends, and
 * while it runs, what we get through by chance says nothing about the limit. Therefore:
 * - The first such 429 changes nothing: we wait as long as it says, then send one request at a time. Only a second one, met
 *   by a request that was sent after the first, lowers the limit. (Of ten requests in flight many may be refused; that is
 *   one event.) And only one met while nothing else is in flight, since the outcome of other requests is not known yet.
 * - Where nothing else uses the key, the requests let through until that 429 are the limit. Never fewer, since we hold a
 *   slot for longer than the server does.
 * - The lower limit is never 0, nor less than the service was seen to let through a while ago: whoever gets a 429 with
 *   fewer slots taken shares the key.
 * - The lower limit applies for ten windows, and after another unexpected 429 soon afterwards for twice as long as the last
 *   time, an hour at most. So a limit that is really lower is tested once an hour in the end, and a script slows us down
 *   for at most about as long again as it runs.
 */

/** How many windows the history of a scope covers. */
const windowsKept = 10;

/** Removes what is over, and limits instants in the future (the clock was set back) so that they do no harm. */
function expireDetection(scope: ScopeState, now: number): void {
  const keptMs = windowsKept * scope.windowMs;
  scope.surprises = scope.surprises.filter(at => at <= now && at + keptMs > now);
  scope.passed = scope.passed.filter(({ at }) => at <= now && at + keptMs > now);
  const { learned, lesson } = scope;
  if (learned && (learned.until <= now || learned.requests < 1)) scope.learned = null;
  else if (learned) learned.until = Math.min(learned.until, now + hourMs);
  if (lesson && lesson.until + keptMs <= now) scope.lesson = null;
  else if (lesson) scope.lesson = { from: Math.min(lesson.from, now), until: Math.min(lesson.until, now + hourMs) };
}

/** A request was answered: notes how many the service certainly let through in the window that ends with it. */
function notePassed(scope: ScopeState, answer: Slot, limit: Limit): void {
  const since = answer.at - limit.seconds * 1000;
  // The server counted each of them after it was sent and before its response came.
  const isWithin = ({ sentAt = -Infinity, at, flying }: Slot) =>
    !flying && sentAt > since && sentAt <= at && at <= answer.at;
  const requests = scope.slots.filter(isWithin).length;
  if (requests === 0) return;
  scope.passed = [...scope.passed.filter(other => other.requests > requests), { at: answer.at, requests }];
}

/** The server refused a request, sent at `sentAt`, with a 429 that holds `until` then; all instants are UTC milliseconds. */
function noteThrottled(scope: ScopeState, now: number, limit: Limit, until: number, sentAt = now): void {
  scope.blockedUntil = Math.max(scope.blockedUntil, until);
  const taken = takenOf(scope, now, limit);
  const allowed = allowedBy(scope, limit);
  if (taken === 0 || taken >= allowed) return;
  if (sentAt > (scope.surprises.at(-1) ?? -Infinity)) scope.surprises.push(now);
  const isClear = !scope.slots.some(({ flying, at }) => flying && at > now);
  if (!isClear || (scope.surprises.length < 2 && !scope.lesson)) return;
  const requests = scope.passed.reduce((most, one) => Math.max(most, one.requests), taken);
  if (requests < allowed) lowerLimit(scope, now, requests);
}

function lowerLimit(scope: ScopeState, now: number, requests: number): void {
  const { learned, lesson } = scope;
  // The detected limit was still too high: it is corrected, for the same time.
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
 * Makes the window's requests in the state those that wait in it now, and notes that the window lives. A new request's turn
 * is the one after the window's last, and no earlier than those of the requests that count now: windows take turns however
 * many requests each has, and one that found all slots free waits until the others have had as many.
 */
function renewQueued(scope: ScopeState, window: string, waiting: readonly Waiting[], now: number): void {
  const ids = new Set(waiting.map(({ id }) => id));
  scope.tickets = scope.tickets.filter(request => request.window !== window || ids.has(request.id));
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
  const all = [...slots, ...tickets.filter(request => request.priority === priority)];
  const own = all.filter(one => one.window === window);
  if (own.length > 0) return own.reduce((last, { turn }) => Math.max(last, turn), -Infinity);
  return all.length > 0 ? all.reduce((first, { turn }) => Math.min(first, turn), Infinity) - 1 : 0;
}

/** The lower starts first. */
export function rankOf({ priority }: Pick<Waiting, 'priority'>): number {
  return priority === 'person' ? 0 : 1;
}
