/**
 * Saved queries in a form that two copies of it can be merged from, whatever was done to each: a register for every field
 * of every item, of which the one written last counts, and a note for each removed item of what was known of it then.
 * Merging is the same in any order and any number of times, so that windows and machines come to the same tree.
 */
export type Records = ReadonlyMap<string, ItemRecord>;

export interface ItemRecord {
  /** `name`, `place`, `query` (folders have none), `connection`, `keepFresh`, `alert:<id>`, and what later versions add. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly gone?: Gone | undefined;
}

export interface Field {
  readonly stamp: Stamp;
  /** JSON; null where the field was taken away. */
  readonly value: unknown;
}

/**
 * When and in which window something was written: nine digits of base 36, a point, the window. Texts compare as the
 * writings do: the digits are milliseconds UTC, or one more than the latest stamp known, so that no clock has to be right.
 */
export type Stamp = string;

/** That an item was removed. What was written to it without knowledge of that brings it back: an edit outlives a removal. */
export interface Gone {
  /** UTC milliseconds; after some time nobody needs to know of the item any more. */
  readonly at: number;
  /** The stamps of its fields as the one who removed it knew them. */
  readonly seen: ReadonlyMap<string, Stamp>;
}

export function isAlive({ fields, gone }: ItemRecord): boolean {
  return !gone || [...fields].some(([name, { stamp }]) => stamp > (gone.seen.get(name) ?? ''));
}

/** What both know together. */
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

/** Equal stamps are of one writing; only damage makes their values differ. */
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

/** Without what was removed before that time: another copy that is older still brings it back. */
export function withoutOld(records: Records, before: number): Records {
  const kept = [...records].flatMap(([id, record]): [string, ItemRecord][] => {
    if (!record.gone || record.gone.at >= before) return [[id, record]];
    return isAlive(record) ? [[id, { fields: record.fields }]] : [];
  });
  return new Map(kept);
}
