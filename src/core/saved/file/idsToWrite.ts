import type { SavedTree } from '../savedItem.ts';
import { walk } from '../walk.ts';
import { assignIds } from './entryIds.ts';
import type { Entry } from './queriesFile.ts';

/**
 * The items whose id has to be written into their block, so that they have the same after the next reading. An id that is
 * made from the name stays out of the file until the block is changed anyway, or until another of that name comes or goes.
 */
export function idsToWrite(entries: ReadonlyMap<string, Entry>, tree: SavedTree): ReadonlySet<string> {
  const items = [...walk(tree)].map(({ item }) => item);
  const toWrite = new Set<string>();
  for (const { id, name } of items) {
    const entry = entries.get(id);
    if (entry && entry.writtenId !== id && entry.item?.name !== name) toWrite.add(id);
  }
  for (;;) {
    const ids = assignIds(
      items.map(({ id, kind, name }) => {
        const entry = entries.get(id);
        return { kind, name, written: entry && !toWrite.has(id) ? entry.writtenId : id };
      }),
    );
    const wrong = items.filter(({ id }, index) => ids[index] !== id && entries.has(id) && !toWrite.has(id));
    if (wrong.length === 0) return toWrite;
    for (const { id } of wrong) toWrite.add(id);
  }
}
