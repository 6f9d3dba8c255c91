import * as v from 'valibot';

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(number, v.integer());
const priorities = ['person', 'background'] as const;

/**
 * One request that takes a slot. `at`: when its answer came; for one in flight, when it counts as answered at the latest
 * (its window may have died, or have given it up: then it is `lost`). `sentAt`: when it was let start; not known of requests
 * of earlier releases.
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

/** One request that waits. Tickets stand in the order in which they came; the lower `turn` goes first. */
const ticketSchema = v.object({ id: v.string(), window: v.string(), priority: v.picklist(priorities), turn: number });

const scopeSchema = v.object({
  slots: v.array(slotSchema),
  tickets: v.array(ticketSchema),
  /** When each window that waits was last heard of. */
  seen: v.record(v.string(), number),
  blockedUntil: number,
  /** When a 429 came although the slots were not all taken; those sent before the last one add none. */
  surprises: v.array(number),
  /** The lower limit that counts now: see lessons. */
  learned: v.nullable(v.object({ requests: count, until: number })),
  /** From when until when the last lower limit counted, or counts. Earlier releases do not keep it. */
  lesson: v.optional(v.nullable(v.object({ from: number, until: number })), null),
  /** So many of our requests went there and back within one window; `at`: when the last of them did. */
  passed: v.optional(v.array(v.object({ at: number, requests: count })), () => []),
  forbidden: v.boolean(),
  /** When the service said so (403), as far as is known. */
  forbiddenAt: v.optional(number),
  /** The longest window asked for, in milliseconds: how long a slot is of interest. */
  windowMs: number,
});

const keySchema = v.object({
  version: v.literal(1),
  rejected: v.boolean(),
  /** When the service said so (401), as far as is known. */
  rejectedAt: v.optional(number),
  scopes: v.record(v.string(), scopeSchema),
});

export type Slot = v.InferOutput<typeof slotSchema>;
export type QueuedRequest = v.InferOutput<typeof ticketSchema>;
export type ScopeState = v.InferOutput<typeof scopeSchema>;

/** What all windows know of one key's budget: plain data, kept as JSON. All instants are UTC milliseconds. */
export type KeyState = v.InferOutput<typeof keySchema> & {
  /** The windows cannot share it now; never read from a file. */
  alone?: boolean;
};

export function emptyKeyState(): KeyState {
  return { version: 1, rejected: false, scopes: {} };
}

/** The state in a file's text; undefined for anything else: half a file, another version, something else altogether. */
export function parseKeyState(text: string): KeyState | undefined {
  try {
    const parsed = v.safeParse(keySchema, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
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

/** What one window still remembers, in place of a state that was lost. Without tickets: who waits asks again. */
export function afterLoss(remembered: KeyState): KeyState {
  const state = { ...structuredClone(remembered), alone: false };
  for (const scope of Object.values(state.scopes)) {
    scope.tickets = [];
    scope.seen = {};
  }
  return state;
}

/**
 * Adds what one window counted by itself to a state that was out of its reach for a while. Whether the key is refused only
 * the state knows: another window may have forgiven it meanwhile.
 */
export function recall(state: KeyState, remembered: KeyState): void {
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
