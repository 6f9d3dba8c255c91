import type { Limit } from '../../core/catalogue.ts';
import type { ScopeState, Slot } from './keyState.ts';
import { allowedBy, takenOf } from './slots.ts';

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
export function tidyLessons(scope: ScopeState, now: number): void {
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
export function answered(scope: ScopeState, answer: Slot, limit: Limit): void {
  const since = answer.at - limit.seconds * 1000;
  // The server counted each of them after it was sent and before its answer came.
  const isWithin = ({ sentAt = -Infinity, at, flying }: Slot) =>
    !flying && sentAt > since && sentAt <= at && at <= answer.at;
  const requests = scope.slots.filter(isWithin).length;
  if (requests === 0) return;
  scope.passed = [...scope.passed.filter(other => other.requests > requests), { at: answer.at, requests }];
}

/** The server refused a request, sent at `sentAt`, until then; all instants are UTC milliseconds. */
export function throttled(scope: ScopeState, now: number, limit: Limit, until: number, sentAt = now): void {
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
