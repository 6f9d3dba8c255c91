import type { Frame } from '../../shared/frame.ts';
import { flatten } from './flatten.ts';
import { openEnvelope, type JsonObject } from './envelope.ts';
import { typedColumn } from './typedColumn.ts';

export interface Decoded {
  /** Undefined where the JSON is no table. */
  readonly frame: Frame | undefined;
  /** The envelope without its rows. */
  readonly meta: JsonObject;
}

/** Any parsed JSON bodies (the pages of one answer, in order) as one frame. */
export function decode(pages: readonly unknown[]): Decoded {
  try {
    return decodePages(pages);
  } catch (error) {
    // Nested deeper than the stack goes: whole as text, but no table.
    if (error instanceof RangeError) return { frame: undefined, meta: {} };
    throw error;
  }
}

function decodePages(pages: readonly unknown[]): Decoded {
  const opened = pages.map(page => openEnvelope(page));
  const meta = opened[0]?.meta ?? {};
  if (opened.some(page => page.records === undefined)) return { frame: undefined, meta };
  const records = opened.flatMap(page => page.records ?? []);
  return { frame: frameOf(records), meta };
}

/** Records as a frame: columns in order of first appearance, names joined with dots. */
export function frameOf(records: readonly JsonObject[]): Frame {
  const taken = new Set<string>();
  const columns = flatten(records).map(raw => {
    let keys = raw.path;
    let name = keys.join('.');
    // A field "a.b" beside a field "a" that holds "b": both are shown, told apart by the way into the record.
    while (taken.has(name)) {
      keys = keys.map(key => JSON.stringify(key));
      name = keys.join('.');
    }
    taken.add(name);
    return typedColumn(raw, name);
  });
  return { rowCount: records.length, columns };
}
