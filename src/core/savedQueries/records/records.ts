import * as v from 'valibot';
import type { SavedItem } from '../savedItem.ts';
import { parseItem, serializeItem } from './storedItem.ts';

/**
 * Saved queries as a conflict-free replicated data type (a last-writer-wins map): the version of an item that was written last wins as a
 * whole. Merging is commutative, associative and idempotent, so all windows and machines converge on the same tree.
 */
export type Records = ReadonlyMap<string, ItemRecord>;

export interface ItemRecord {
  readonly stamp: Stamp;
  /** The id of the item's folder; "" at the top. */
  readonly folder: string;
  /** The sort key among the items of a folder. */
  readonly order: number;
  /** A folder is stored without its items. */
  readonly item: SavedItem;
  /** When the item was removed, in UTC milliseconds. Old removals are dropped. */
  readonly removedAt?: number | undefined;
}

/**
 * The time and the window in which an item was written: nine digits of base 36, a point, the window. Later stamps compare greater as
 * strings. The digits are UTC milliseconds, but always greater than the digits of the latest known stamp, so that no clock has to be right.
 */
export type Stamp = string;

/** Returns the items of both, each in the version that was written last. */
export function mergeRecords(a: Records, b: Records): Records {
  const merged = new Map(a);
  for (const [id, record] of b) {
    const latestTime = merged.get(id);
    if (!latestTime || (latestTime !== record && isLater(record, latestTime))) merged.set(id, record);
  }
  return merged;
}

/** Equal stamps imply equal records, unless one is damaged; comparing their JSON keeps the merge commutative. */
function isLater(a: ItemRecord, b: ItemRecord): boolean {
  return a.stamp === b.stamp ? JSON.stringify(a) > JSON.stringify(b) : a.stamp > b.stamp;
}

/** Drops items that were removed before that time. An older copy that is merged later would restore them. */
export function dropOldRemovals(records: Records, before: number): Records {
  return new Map([...records].filter(([, { removedAt = Infinity }]) => removedAt >= before));
}

const version = 1;

const recordSchema = v.object({
  stamp: v.custom<Stamp>(isStamp),
  folder: v.string(),
  order: v.pipe(v.number(), v.finite()),
  item: v.record(v.string(), v.unknown()),
  removedAt: v.optional(v.pipe(v.number(), v.finite())),
});

/** The readable part of a store. */
export interface DecodedRecords {
  readonly records: Records;
  /** The number of invalid items; Infinity if the whole store is invalid. */
  readonly unreadable: number;
  /** Whether a newer version wrote the store. It may contain fields that this version does not know. */
  readonly isNewer: boolean;
}

const emptyStore: DecodedRecords = { records: new Map(), unreadable: 0, isNewer: false };

/** Converts the records to JSON, which is equal for equal records whatever their order. */
export function encodeRecords(records: Records): unknown {
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  const items = sorted.map(([id, record]) => [id, { ...record, item: serializeItem(record.item) }] as const);
  return { version, items: Object.fromEntries(items) };
}

/** Decodes a stored value; undefined is an empty store. Never throws. */
export function decodeRecords(stored: unknown): DecodedRecords {
  if (stored === undefined || stored === null) return emptyStore;
  const store = v.safeParse(v.object({ version: v.number(), items: v.record(v.string(), v.unknown()) }), stored);
  if (!store.success) return { ...emptyStore, unreadable: Infinity };
  const records = new Map<string, ItemRecord>();
  const entries = Object.entries(store.output.items);
  for (const [id, entry] of entries) {
    const record = v.safeParse(recordSchema, entry);
    const item = record.success && id !== '' ? parseItem(id, record.output.item) : undefined;
    if (record.success && item) records.set(id, { ...record.output, item });
  }
  return { records, unreadable: entries.length - records.size, isNewer: store.output.version > version };
}

const digits = 9;
/** The first digit is at most x, so that a damaged stamp still leaves room for later ones. */
const pattern = /^[0-9a-x][0-9a-z]{8}\.[0-9a-z]{1,16}$/;

function isStamp(text: unknown): text is Stamp {
  return typeof text === 'string' && pattern.test(text);
}

/** Returns a stamp later than all in the records. `now` is in UTC milliseconds; `window` has up to 16 letters and digits. */
export function nextStamp(records: Records, now: number, window: string): Stamp {
  const latest = [...records.values()].reduce((last, { stamp }) => (stamp > last ? stamp : last), '0');
  const latestTime = parseInt(latest.slice(0, digits), 36);
  const stamp = `${Math.max(latestTime + 1, Math.floor(now))
    .toString(36)
    .padStart(digits, '0')}.${window}`;
  if (!isStamp(stamp)) throw new RangeError('a window is named by up to 16 letters and digits');
  return stamp;
}
