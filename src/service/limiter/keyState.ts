import * as v from 'valibot';
import { readableJson } from '../../core/json/json.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

const number = v.pipe(v.number(), v.finite());
/** The latest instant of a Date, in milliseconds (ECMA-262, Time Values). */
const latestMs = 8.64e15;
const milliseconds = v.pipe(number, v.minValue(0), v.maxValue(latestMs));
const priorities = ['person', 'background'] as const;

/** The longest a request can be in flight: the client's deadline, and some more for a process that was suspended; milliseconds. */
export const maxLeaseMs = 125_000;
/** The longest window that counts. */
export const maxWindowMs = dayMs;
/** The longest block that counts, unless a window is longer. A little more than a 429 may ask for. */
export const maxBlockMs = 130_000;
/**
 * The most slots of a scope; a higher limit counts as this one: each slot is some 110 bytes of a file that is read, checked and
 * written at each request, and nobody who requests days or years at once sends as many in a window.
 */
export const maxSlots = 1_000;

/**
 * A request that takes a slot. `at`: when its response came; while it is in flight (`flying`), when it counts as answered at
 * the latest. `lost`: its window gave it up. `sentAt`: when it was permitted; missing where the state was lost meanwhile.
 */
const slotSchema = v.object({
  id: v.string(),
  window: v.string(),
  turn: number,
  sentAt: v.optional(number),
  at: number,
  flying: v.boolean(),
  lost: v.optional(v.boolean()),
});

/** A request that waits for a permit, in the order of arrival; the lower `turn` starts first. */
const queuedRequestSchema = v.object({
  id: v.string(),
  window: v.string(),
  priority: v.picklist(priorities),
  turn: number,
});

const scopeSchema = v.object({
  slots: v.pipe(v.array(slotSchema), v.maxLength(maxSlots)),
  tickets: v.array(queuedRequestSchema),
  /** When each waiting window last renewed its requests. */
  seen: v.record(v.string(), number),
  blockedUntil: number,
  forbidden: v.boolean(),
  /** When the service answered 403, if known. */
  forbiddenAt: v.optional(number),
  /** The longest window in use, in milliseconds: how long a slot matters. */
  windowMs: v.pipe(number, v.minValue(0), v.maxValue(maxWindowMs)),
});

/** What the clock showed when a state was last written, and how long that machine had run then, in milliseconds. */
const readingSchema = v.object({ machine: v.string(), now: milliseconds, uptimeMs: milliseconds });

const keySchema = v.object({
  version: v.literal(1),
  /** Missing while nothing was sent. */
  reading: v.optional(readingSchema),
  rejected: v.boolean(),
  /** When the service answered 401, if known. */
  rejectedAt: v.optional(number),
  scopes: v.record(v.string(), scopeSchema),
});

export type Slot = v.InferOutput<typeof slotSchema>;
export type QueuedRequest = v.InferOutput<typeof queuedRequestSchema>;
type ClockReading = v.InferOutput<typeof readingSchema>;
export type ScopeState = v.InferOutput<typeof scopeSchema>;

/** What all windows know of one key's budget: plain data, stored as JSON. All instants are UTC milliseconds. */
export type KeyState = v.InferOutput<typeof keySchema> & {
  /** The windows can't share it now; never read from a file. */
  alone?: boolean;
};

export function emptyKeyState(): KeyState {
  return { version: 1, rejected: false, scopes: {} };
}

/** The state in a file's text; undefined for half a file, another version, a state that cannot be true or anything else. */
export function parseKeyState(text: string): KeyState | undefined {
  const state = readableJson(text, keySchema);
  return state && isPossible(state) ? state : undefined;
}

/** What instants of a state may be ahead of its reading where the clock was set back by too little to be followed. */
const toleranceMs = minuteMs;

/** Whether nothing in the state is later than it can be, by the clock when it was written. */
function isPossible({ reading, rejectedAt = 0, scopes }: KeyState): boolean {
  const latest = (reading?.now ?? 0) + toleranceMs;
  return (
    rejectedAt <= latest &&
    Object.values(scopes).every(({ slots, seen, blockedUntil, forbiddenAt = 0, windowMs }) => {
      const isPossibleSlot = ({ sentAt = 0, at, flying }: Slot): boolean =>
        sentAt <= latest && at <= latest + (flying ? maxLeaseMs : 0);
      return (
        forbiddenAt <= latest &&
        blockedUntil <= latest + Math.max(maxBlockMs, windowMs) &&
        slots.every(isPossibleSlot) &&
        Object.values(seen).every(at => at <= latest)
      );
    })
  );
}

/** A clock is set by less, and a machine is stopped for less, without harm; and some count their time in whole seconds. */
const leastJumpMs = 5_000;

/**
 * Moves all instants along where the clock was set since the state was last written: a slot counts for as long as the service
 * counts its request, whatever the clock here shows meanwhile.
 */
export function followClock(state: KeyState, reading: ClockReading): void {
  const last = state.reading;
  state.reading = reading;
  if (!last) return;
  // Another machine has run for another time, as has this one once it was started anew: only what is in the future is moved.
  const isSameRun = last.machine === reading.machine && reading.uptimeMs >= last.uptimeMs;
  const passedMs = isSameRun ? reading.uptimeMs - last.uptimeMs : Math.max(0, reading.now - last.now);
  const jumpMs = Math.round(reading.now - last.now - passedMs);
  if (Math.abs(jumpMs) < leastJumpMs) return;
  if (state.rejectedAt !== undefined) state.rejectedAt += jumpMs;
  for (const scope of Object.values(state.scopes)) moveInstants(scope, jumpMs);
}

function moveInstants(scope: ScopeState, byMs: number): void {
  for (const slot of scope.slots) {
    slot.at += byMs;
    if (slot.sentAt !== undefined) slot.sentAt += byMs;
  }
  for (const window of Object.keys(scope.seen)) scope.seen[window] = (scope.seen[window] ?? 0) + byMs;
  if (scope.blockedUntil > 0) scope.blockedUntil += byMs;
  if (scope.forbiddenAt !== undefined) scope.forbiddenAt += byMs;
}

/** The scope's part of the state, added where it is new. */
export function scopeOf(state: KeyState, name: string): ScopeState {
  return (state.scopes[name] ??= {
    slots: [],
    tickets: [],
    seen: {},
    blockedUntil: 0,
    forbidden: false,
    windowMs: 0,
  });
}

/** What one window still remembers, in place of a state that was lost. Without queued requests: those that wait are queued again. */
export function restoredState(remembered: KeyState): KeyState {
  const state = { ...structuredClone(remembered), alone: false };
  for (const scope of Object.values(state.scopes)) {
    scope.tickets = [];
    scope.seen = {};
  }
  return state;
}

/**
 * Adds what one window counted by itself to a state that it could not reach for a while. Whether the key is refused, only
 * the state knows: another window may have cleared the rejection meanwhile.
 */
export function addRemembered(state: KeyState, remembered: KeyState): void {
  for (const [name, old] of Object.entries(remembered.scopes)) {
    const scope = scopeOf(state, name);
    const known = new Set(old.slots.map(({ id }) => id));
    scope.slots = [...scope.slots.filter(({ id }) => !known.has(id)), ...structuredClone(old.slots)];
    scope.blockedUntil = Math.max(scope.blockedUntil, old.blockedUntil);
    scope.windowMs = Math.max(scope.windowMs, old.windowMs);
  }
}
