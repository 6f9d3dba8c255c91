import * as v from 'valibot';
import { isFieldValue } from './fields.ts';
import type { Field, Gone, ItemRecord, Records, Stamp } from './records.ts';

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
