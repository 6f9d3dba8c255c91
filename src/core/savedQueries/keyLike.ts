import type { SavedItem, SavedTree } from './savedItem.ts';
import { walk } from './walk.ts';

/** Matches the name of a field or parameter that would hold a secret. */
export const keyNamePattern =
  /^(?:x[-_]?)?(?:api|access|secret|private|auth)?[-_]?key$|token|secret|passw|authori[sz]ation|bearer|credential/i;
/** Matches a key such as "sb_test_3f8a…": a service's prefix, a mode, and a long random part. */
const keyTextPattern = /\b[a-z]{2,8}_(?:live|test|prod|dev|sandbox)_(?=[A-Za-z]*\d|[A-Za-z]{16})[A-Za-z0-9]{8,}/i;

/** Whether a field or parameter of this name would hold a secret. Such a field is never stored or sent. */
export function isKeyName(name: string): boolean {
  return keyNamePattern.test(name);
}

/** Whether a text looks like a key that was pasted into the wrong field. */
export function isKeyText(text: string): boolean {
  return keyTextPattern.test(text);
}

/** Returns the name of the first field or parameter that looks like a key, never its content; undefined if there is none. */
export function findKeyLikePart(items: SavedTree): string | undefined {
  for (const { item } of walk(items)) {
    const part = findPartOfItem(item);
    if (part !== undefined) return part;
  }
  return undefined;
}

function findPartOfItem(item: SavedItem): string | undefined {
  if (isKeyText(item.name)) return 'name';
  if (isKeyText(item.note ?? '')) return 'note';
  if (item.kind === 'folder') return undefined;
  const { range, interval, params } = item.query;
  for (const part of ['analysis', 'display'] as const) if (isKeyText(JSON.stringify(item[part] ?? ''))) return part;
  if (isKeyText(range)) return 'range';
  if (isKeyText(interval)) return 'interval';
  if (isKeyText(item.connection ?? '')) return 'connection';
  return Object.entries(params).find(([name, value]) => isKeyName(name) || isKeyText(name) || isKeyText(value))?.[0];
}
