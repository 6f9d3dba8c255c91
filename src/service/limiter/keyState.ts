import * as v from 'valibot';
import { parseStoredJson } from '../../core/json/json.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';

const finiteNumber = v.pipe(v.number(), v.finite());
/** The latest instant of a Date, in milliseconds (ECMA-262, Time Values). */
const maxInstantMs = 8.64e15;
const milliseconds = v.pipe(finiteNumber, v.minValue(0), v.maxValue(maxInstantMs));
const priorities = ['user', 'background'] as const;

/** The maximum time in flight in milliseconds: the client's deadline, with a margin for a suspended process. */
export const maxLeaseMs = 125_000;
/** The maximum length of a rate limit window. */
export const maxWindowMs = dayMs;
/** The maximum length of a block, unless a window is longer. It is a little more than a 429 may request. */
export const maxBlockMs = 130_000;
/**
 * The maximum number of slots of a scope, to which higher limits are reduced: a slot takes some 110 bytes of a file that is read, checked and
 * written at each request, and requests for days or years need no more of them in a window.
 */
export const maxSlots = 1_000;

/**
 * A request that takes a slot. `at`: when its response was received; while it is in flight (`flying`), the latest time at which it counts as
 * completed. `lost`: its window gave it up. `sentAt`: when it was permitted; missing if the state was lost meanwhile.
 */
const slotSchema = v.object({
  id: v.string(),
  window: v.string(),
  turn: finiteNumber,
  sentAt: v.optional(finiteNumber),
  at: finiteNumber,
  flying: v.boolean(),
  lost: v.optional(v.boolean()),
});

/** A request that waits for a permit, in the order of arrival; the lower `turn` starts first. */
const queuedRequestSchema = v.object({
  id: v.string(),
  window: v.string(),
  priority: v.picklist(priorities),
  turn: finiteNumber,
});

const scopeSchema = v.object({
  slots: v.pipe(v.array(slotSchema), v.maxLength(maxSlots)),
  tickets: v.array(queuedRequestSchema),
  /** When each waiting window last renewed its queued requests. */
  seen: v.record(v.string(), finiteNumber),
  blockedUntil: finiteNumber,
  forbidden: v.boolean(),
  /** When the service responded with 403, if known. */
  forbiddenAt: v.optional(finiteNumber),
  /** The longest window in use, in milliseconds. Slots are retained for this long. */
  windowMs: v.pipe(finiteNumber, v.minValue(0), v.maxValue(maxWindowMs)),
});

/** The time and the machine's uptime when the state was last written, in milliseconds. */
const clockReadingSchema = v.object({ machine: v.string(), now: milliseconds, uptimeMs: milliseconds });

const keySchema = v.object({
  version: v.literal(1),
  /** Missing until a request is sent. */
  reading: v.optional(clockReadingSchema),
  rejected: v.boolean(),
  /** When the service responded with 401, if known. */
  rejectedAt: v.optional(finiteNumber),
  scopes: v.record(v.string(), scopeSchema),
});

export type Slot = v.InferOutput<typeof slotSchema>;
export type QueuedRequest = v.InferOutput<typeof queuedRequestSchema>;
type ClockReading = v.InferOutput<typeof clockReadingSchema>;
export type ScopeState = v.InferOutput<typeof scopeSchema>;

/** The state of a key's budget that all windows share: plain data, stored as JSON. All instants are UTC milliseconds. */
export type KeyState = v.InferOutput<typeof keySchema> & {
  /** Set while the windows cannot share the state; never read from a file. */
  alone?: boolean;
};

export function emptyKeyState(): KeyState {
  return { version: 1, rejected: false, scopes: {} };
}

/** Parses the text of a file; undefined for a truncated file, another version, or an impossible state. */
export function parseKeyState(text: string): KeyState | undefined {
  const state = parseStoredJson(text, keySchema);
  return state && isPossible(state) ? state : undefined;
}

/** How far instants may be ahead of the clock reading, since small clock changes are not followed. */
const toleranceMs = minuteMs;

/** Whether no instant of the state is later than the clock allowed when it was written. */
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
        Object.values(seen).every(seenAt => seenAt <= latest)
      );
    })
  );
}

/** The minimum change of the clock that is followed. Smaller changes and pauses are harmless, and some machines count in whole seconds. */
const minClockChangeMs = 5_000;

/**
 * Shifts all instants if the clock was changed since the state was last written, so that a slot counts for as long as the service counts its
 * request.
 */
export function adjustToClock(state: KeyState, reading: ClockReading): void {
  const last = state.reading;
  state.reading = reading;
  if (!last) return;
  // The uptime of another machine, or after a restart, cannot be compared. Only instants in the future are shifted then.
  const isSameRun = last.machine === reading.machine && reading.uptimeMs >= last.uptimeMs;
  const passedMs = isSameRun ? reading.uptimeMs - last.uptimeMs : Math.max(0, reading.now - last.now);
  const jumpMs = Math.round(reading.now - last.now - passedMs);
  if (Math.abs(jumpMs) < minClockChangeMs) return;
  if (state.rejectedAt !== undefined) state.rejectedAt += jumpMs;
  for (const scope of Object.values(state.scopes)) shiftInstants(scope, jumpMs);
}

function shiftInstants(scope: ScopeState, shiftMs: number): void {
  for (const slot of scope.slots) {
    slot.at += shiftMs;
    if (slot.sentAt !== undefined) slot.sentAt += shiftMs;
  }
  for (const window of Object.keys(scope.seen)) scope.seen[window] = (scope.seen[window] ?? 0) + shiftMs;
  if (scope.blockedUntil > 0) scope.blockedUntil += shiftMs;
  if (scope.forbiddenAt !== undefined) scope.forbiddenAt += shiftMs;
}

/** Returns the state of a scope, which is added if it is new. */
export function getScope(state: KeyState, name: string): ScopeState {
  return (state.scopes[name] ??= {
    slots: [],
    tickets: [],
    seen: {},
    blockedUntil: 0,
    forbidden: false,
    windowMs: 0,
  });
}

/** Restores a lost state from the memory of a window. Queued requests are removed, since waiting requests are queued again. */
export function restoreState(remembered: KeyState): KeyState {
  const state = { ...structuredClone(remembered), alone: false };
  for (const scope of Object.values(state.scopes)) {
    scope.tickets = [];
    scope.seen = {};
  }
  return state;
}

/**
 * Adds the requests that a window counted while it could not access the state. A rejection of the key is not added, since another window may
 * have cleared it meanwhile.
 */
export function mergeRemembered(state: KeyState, remembered: KeyState): void {
  for (const [name, rememberedScope] of Object.entries(remembered.scopes)) {
    const scope = getScope(state, name);
    const known = new Set(rememberedScope.slots.map(({ id }) => id));
    scope.slots = [...scope.slots.filter(({ id }) => !known.has(id)), ...structuredClone(rememberedScope.slots)];
    scope.blockedUntil = Math.max(scope.blockedUntil, rememberedScope.blockedUntil);
    scope.windowMs = Math.max(scope.windowMs, rememberedScope.windowMs);
  }
}
