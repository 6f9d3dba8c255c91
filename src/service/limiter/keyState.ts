import * as v from 'valibot';

const number = v.pipe(v.number(), v.finite());
const priorities = ['person', 'background'] as const;

/**
 * One request that takes a slot. `at`: when its answer came; for one in flight, when it counts as answered at the latest
 * (its window may have died).
 */
const slotSchema = v.object({ id: v.string(), window: v.string(), turn: number, at: number, flying: v.boolean() });

/** One request that waits. Tickets stand in the order in which they came; the lower `turn` goes first. */
const ticketSchema = v.object({ id: v.string(), window: v.string(), priority: v.picklist(priorities), turn: number });

const scopeSchema = v.object({
  slots: v.array(slotSchema),
  tickets: v.array(ticketSchema),
  /** When each window that waits was last heard of. */
  seen: v.record(v.string(), number),
  blockedUntil: number,
  /** When a 429 came although the slots were not all taken. */
  surprises: v.array(number),
  learned: v.nullable(v.object({ requests: number, until: number })),
  forbidden: v.boolean(),
  /** The longest window asked for, in milliseconds: how long a slot is of interest. */
  windowMs: number,
});

const keySchema = v.object({
  version: v.literal(1),
  rejected: v.boolean(),
  scopes: v.record(v.string(), scopeSchema),
});

export type Slot = v.InferOutput<typeof slotSchema>;
export type Ticket = v.InferOutput<typeof ticketSchema>;
export type ScopeState = v.InferOutput<typeof scopeSchema>;

/** What all windows know of one key's budget: plain data, kept as JSON. All instants are UTC milliseconds. */
export type KeyState = v.InferOutput<typeof keySchema>;

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
    forbidden: false,
    windowMs: 0,
  });
}

/**
 * Adds what one window still remembers to a state that lost it, or that was out of its reach for a while. Tickets are not
 * added: who waits asks again.
 */
export function recall(state: KeyState, remembered: KeyState): void {
  for (const [name, old] of Object.entries(remembered.scopes)) {
    const scope = scopeOf(state, name);
    const known = new Set(old.slots.map(({ id }) => id));
    scope.slots = [...scope.slots.filter(({ id }) => !known.has(id)), ...structuredClone(old.slots)];
    scope.blockedUntil = Math.max(scope.blockedUntil, old.blockedUntil);
    scope.windowMs = Math.max(scope.windowMs, old.windowMs);
    scope.learned ??= old.learned;
  }
}
