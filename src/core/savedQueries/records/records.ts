import * as v from 'valibot';
import { isFieldValue } from './fields.ts';

/**
 * Saved queries as a conflict-free replicated data type, so that any two copies can be merged: a last-writer-wins register for each field
 * of each item, and for each removed item the stamps that were known at its removal. Merging is commutative, associative and idempotent, so
 * that all windows and machines reach the same tree.
 */
export type Records = ReadonlyMap<string, ItemRecord>;

export interface ItemRecord {
  /** `name`, `place`, `query` (folders have none), `connection`, `keepFresh`, `view`, `board`, `alert:<id>`, and what later versions add. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly gone?: Gone | undefined;
}

export interface Field {
  readonly stamp: Stamp;
  /** JSON; null where the field was removed. */
  readonly value: unknown;
}

/**
 * When and in which window a field was written: nine digits of base 36, a point, the window. Later stamps compare greater as texts: the
 * digits are milliseconds UTC, but always more than those of the latest known stamp, so that no clock has to be right.
 */
export type Stamp = string;

/** The removal of an item. A field that was written without knowing of the removal restores the item: an edit outlives it. */
export interface Gone {
  /** UTC milliseconds; old removals are forgotten. */
  readonly at: number;
  /** The stamps of its fields that were known at the removal. */
  readonly seen: ReadonlyMap<string, Stamp>;
}

export function isAlive({ fields, gone }: ItemRecord): boolean {
  return !gone || [...fields].some(([name, { stamp }]) => stamp > (gone.seen.get(name) ?? ''));
}

/** The union of both, with the latest value of each field. */
export function mergeRecords(one: Records, other: Records): Records {
  return mergeMaps(one, other, mergeItems);
}

function mergeItems(one: ItemRecord, other: ItemRecord): ItemRecord {
  return {
    fields: mergeMaps(one.fields, other.fields, laterField),
    gone: one.gone && other.gone ? mergeGone(one.gone, other.gone) : (one.gone ?? other.gone),
  };
}

function mergeGone(one: Gone, other: Gone): Gone {
  const seen = mergeMaps(one.seen, other.seen, (a, b) => (a > b ? a : b));
  return { at: Math.max(one.at, other.at), seen };
}

/** Equal stamps have equal values, unless one is damaged. */
function laterField(one: Field, other: Field): Field {
  if (one.stamp !== other.stamp) return one.stamp > other.stamp ? one : other;
  return JSON.stringify(one.value) >= JSON.stringify(other.value) ? one : other;
}

function mergeMaps<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  merge: (a: T, b: T) => T,
): ReadonlyMap<string, T> {
  const merged = new Map(one);
  for (const [name, value] of other) {
    const known = merged.get(name);
    merged.set(name, known === undefined || known === value ? value : merge(known, value));
  }
  return merged;
}

/** Forgets items that were removed before that time: an older copy restores them. */
export function withoutOld(records: Records, before: number): Records {
  const recent = [...records].flatMap(([id, record]): [string, ItemRecord][] => {
    if (!record.gone || record.gone.at >= before) return [[id, record]];
    return isAlive(record) ? [[id, { fields: record.fields }]] : [];
  });
  return new Map(recent);
}

const version = 1;

/** An item: its fields, their most common stamp, the stamps of the others, and where it is removed, when and which stamps were known. */
const entrySchema = v.object({
  f: v.record(v.string(), v.unknown()),
  t: v.custom<string>(isStamp),
  s: v.optional(v.record(v.string(), v.unknown())),
  g: v.optional(v.strictTuple([v.pipe(v.number(), v.finite()), v.record(v.string(), v.unknown())])),
});

/** The readable part of a store. */
export interface DecodedRecords {
  readonly records: Records;
  /** The number of invalid items and fields; Infinity where the whole store is. */
  readonly unreadable: number;
  /** Written by a later version, which may have stored more than this one knows. */
  readonly isNewer: boolean;
}

const nothing: DecodedRecords = { records: new Map(), unreadable: 0, isNewer: false };

/** The records as compact JSON, which is equal for equal records, in whatever order they were written. */
export function encodeRecords(records: Records): unknown {
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  return { version, items: Object.fromEntries(sorted.map(([id, record]) => [id, encodeItem(record)])) };
}

/** Reads a stored value; undefined is an empty store. Never throws. */
export function decodeRecords(stored: unknown): DecodedRecords {
  if (stored === undefined || stored === null) return nothing;
  const store = v.safeParse(v.object({ version: v.number(), items: v.record(v.string(), v.unknown()) }), stored);
  if (!store.success) return { ...nothing, unreadable: Infinity };
  const isNewer = store.output.version > version;
  const records = new Map<string, ItemRecord>();
  let unreadable = 0;
  for (const [id, entry] of Object.entries(store.output.items)) {
    const decoded = decodeItem(entry);
    if (decoded.record && id !== '') records.set(id, decoded.record);
    unreadable += decoded.unreadable;
  }
  return { records, unreadable, isNewer };
}

function encodeItem({ fields, gone }: ItemRecord): unknown {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const usual = mostUsual(sorted.map(([, { stamp }]) => stamp));
  const others = sorted.filter(([, { stamp }]) => stamp !== usual);
  return {
    f: Object.fromEntries(sorted.map(([name, { value }]) => [name, value])),
    t: usual,
    ...(others.length > 0 && { s: Object.fromEntries(others.map(([name, { stamp }]) => [name, stamp])) }),
    ...(gone && { g: [gone.at, Object.fromEntries([...gone.seen].sort(([a], [b]) => (a < b ? -1 : 1)))] }),
  };
}

function decodeItem(stored: unknown): { record?: ItemRecord; unreadable: number } {
  const entry = v.safeParse(entrySchema, stored);
  if (!entry.success) return { unreadable: 1 };
  const { f, t, s = {}, g } = entry.output;
  const fields = new Map<string, Field>();
  let unreadable = 0;
  for (const [name, value] of Object.entries(f)) {
    const stamp = Object.hasOwn(s, name) ? s[name] : t;
    if (isStamp(stamp) && isFieldValue(name, value)) fields.set(name, { stamp, value });
    else unreadable += 1;
  }
  // Without its query it would be read as a folder.
  if (fields.size === 0 || (Object.hasOwn(f, 'query') && !fields.has('query'))) return { unreadable: 1 };
  return { record: { fields, ...(g && { gone: decodeGone(g) }) }, unreadable };
}

function decodeGone([at, seen]: readonly [number, Record<string, unknown>]): Gone {
  return { at, seen: new Map(Object.entries(seen).filter((entry): entry is [string, string] => isStamp(entry[1]))) };
}

function mostUsual(stamps: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const stamp of stamps) counts.set(stamp, (counts.get(stamp) ?? 0) + 1);
  return [...counts].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a), ['', 0])[0];
}

const digits = 9;
/** The first digit is at most x, which leaves room for later stamps after a damaged one. */
const pattern = /^[0-9a-x][0-9a-z]{8}\.[0-9a-z]{1,16}$/;

function isStamp(text: unknown): text is Stamp {
  return typeof text === 'string' && pattern.test(text);
}

/** A stamp later than all in the records. `now` in UTC milliseconds; `window` of up to 16 letters and digits. */
export function nextStamp(records: Records, now: number, window: string): Stamp {
  let latest = '';
  for (const { fields, gone } of records.values()) {
    for (const { stamp } of fields.values()) if (stamp > latest) latest = stamp;
    for (const stamp of gone?.seen.values() ?? []) if (stamp > latest) latest = stamp;
  }
  const known = latest === '' ? 0 : parseInt(latest.slice(0, digits), 36);
  const stamp = `${Math.max(known + 1, Math.floor(now))
    .toString(36)
    .padStart(digits, '0')}.${window}`;
  if (!isStamp(stamp)) throw new RangeError('a window is named by up to 16 letters and digits');
  return stamp;
}
