/**
 * Saved queries as a conflict-free replicated data type, so that any two copies can be merged: a last-writer-wins register for each field
 * of each item, and for each removed item the stamps that were known at its removal. Merging is commutative, associative and idempotent, so
 * that all windows and machines reach the same tree.
 */
export type Records = ReadonlyMap<string, ItemRecord>;

export interface ItemRecord {
  /** `name`, `place`, `query` (folders have none), `connection`, `keepFresh`, `view`, `alert:<id>`, and what later versions add. */
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
