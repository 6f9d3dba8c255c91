import * as v from 'valibot';
import { readableJson } from '../../core/json/json.ts';

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(number, v.integer());
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

const keySchema = v.object({
  version: v.literal(1),
  rejected: v.boolean(),
  /** When the service answered 401, if known. */
  rejectedAt: v.optional(number),
  scopes: v.record(v.string(), scopeSchema),
});

export type Slot = v.InferOutput<typeof slotSchema>;
export type QueuedRequest = v.InferOutput<typeof queuedRequestSchema>;
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
