import { parseDisplay } from '../../shared/view.ts';
import { isKeyName, isKeyText } from './keyLike.ts';

/** The fields of a query's block in a file, in the order in which they are written. */
export const queryFields = [
  'name',
  'dataset',
  'range',
  'timeZone',
  'interval',
  'params',
  'connection',
  'keepFresh',
  'alerts',
  'note',
  'analysis',
  'display',
  'id',
] as const;
export const folderFields = ['folder', 'note', 'board', 'id', 'queries'] as const;
export type FieldName = (typeof queryFields)[number] | (typeof folderFields)[number];

/** The fields of an item in a file or in a record. */
const knownFields: ReadonlySet<string> = new Set([...queryFields, ...folderFields, 'kind', 'query']);

/**
 * Returns the fields that another version of the extension wrote, so that copying or moving an item preserves them. They must be JSON within
 * the limits of a display. Fields that contain something like an API key are omitted. Returns undefined if there are none.
 */
export function extractUnknownFields(fields: object): Readonly<Record<string, unknown>> | undefined {
  const others = Object.entries(fields).filter(([name]) => !knownFields.has(name));
  const json = parseDisplay(Object.fromEntries(others)) ?? {};
  const safe = Object.entries(json).filter(field => !hasKeyInside(Object.fromEntries([field])));
  return safe.length > 0 ? Object.fromEntries(safe) : undefined;
}

function hasKeyInside(value: unknown): boolean {
  if (typeof value === 'string') return isKeyText(value);
  return Object.entries(value ?? {}).some(
    ([name, inner]) => name === '__proto__' || isKeyName(name) || isKeyText(name) || hasKeyInside(inner),
  );
}
