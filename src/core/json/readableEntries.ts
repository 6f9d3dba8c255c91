import * as v from 'valibot';

/** The entries of a stored object that are as they should be: one that is not takes none of the others along. */
export function readableEntries<T>(stored: unknown, schema: v.GenericSchema<T>): Readonly<Record<string, T>> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, T] => v.is(schema, entry[1])));
}
