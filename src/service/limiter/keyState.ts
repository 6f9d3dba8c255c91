import * as v from 'valibot';
import { readableJson } from '../../core/json/json.ts';

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(number, v.integer());
/** The latest instant of a Date, in milliseconds (ECMA-262, Time Values). */
const latestMs = 8.64e15;
const milliseconds = v.pipe(number, v.minValue(0), v.maxValue(latestMs));
const priorities = ['person', 'background'] as const;

/**
 * A request that takes a slot. `at`: when its response came; while it is in flight (`flying`), when it counts as answered at
 * the latest. `lost`: its window gave it up. `sentAt`: when it was permitted; missing in files of earlier releases.
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
  slots: v.array(slotSchema),
  tickets: v.array(queuedRequestSchema),
  /** When each waiting window last renewed its requests. */
  seen: v.record(v.string(), number),
  blockedUntil: number,
  /** When a 429 came although slots were free; requests sent before the last of these add none. */
  surprises: v.array(number),
  /** The lower limit that applies now: see the rules in permitScheduler.ts. */
  learned: v.nullable(v.object({ requests: count, until: number })),
  /** From when until when the last lower limit applied, or applies. Missing in files of earlier releases. */
  lesson: v.optional(v.nullable(v.object({ from: number, until: number })), null),
  /** How many of our requests were sent and answered within one window; `at`: when the last of them was. */
  passed: v.optional(v.array(v.object({ at: number, requests: count })), () => []),
  forbidden: v.boolean(),
  /** When the service answered 403, if known. */
  forbiddenAt: v.optional(number),
  /** The longest window in use, in milliseconds: how long a slot matters. */
  windowMs: number,
});

/** What the clock showed when a state was last written, and how long that machine had run then, in milliseconds. */
const readingSchema = v.object({ machine: v.string(), now: milliseconds, uptimeMs: milliseconds });

const keySchema = v.object({
  version: v.literal(1),
  /** Missing in files of earlier releases. */
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

/** The state in a file's text; undefined for half a file, another version or anything else. */
export function parseKeyState(text: string): KeyState | undefined {
  return readableJson(text, keySchema);
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
  // Another machine has run for another time, as has this one once it was started anew.
  if (last?.machine !== reading.machine || reading.uptimeMs < last.uptimeMs) return;
  const jumpMs = Math.round(reading.now - last.now - (reading.uptimeMs - last.uptimeMs));
  if (Math.abs(jumpMs) < leastJumpMs) return;
  if (state.rejectedAt !== undefined) state.rejectedAt += jumpMs;
  for (const scope of Object.values(state.scopes)) moveInstants(scope, jumpMs);
}

function moveInstants(scope: ScopeState, byMs: number): void {
  for (const slot of scope.slots) {
    slot.at += byMs;
    if (slot.sentAt !== undefined) slot.sentAt += byMs;
  }
  for (const answer of scope.passed) answer.at += byMs;
  for (const window of Object.keys(scope.seen)) scope.seen[window] = (scope.seen[window] ?? 0) + byMs;
  scope.surprises = scope.surprises.map(at => at + byMs);
  if (scope.blockedUntil > 0) scope.blockedUntil += byMs;
  if (scope.forbiddenAt !== undefined) scope.forbiddenAt += byMs;
  if (scope.learned) scope.learned.until += byMs;
  if (scope.lesson) scope.lesson = { from: scope.lesson.from + byMs, until: scope.lesson.until + byMs };
}

/** The scope's part of the state, added where it is new. */
export function scopeOf(state: KeyState, name: string): ScopeState {
  return (state.scopes[name] ??= {
    slots: [],
    tickets: [],
    seen: {},
    blockedUntil: 0,
    surprises: [],
    learned: null,
    lesson: null,
    passed: [],
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
    scope.learned ??= old.learned;
    scope.lesson ??= old.lesson;
    scope.passed.push(...old.passed);
  }
}
