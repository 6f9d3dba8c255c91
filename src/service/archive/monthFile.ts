import type { JsonObject } from '../../core/decode/envelope.ts';
import { jsonText } from '../../core/json/json.ts';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import type { Frame } from '../../shared/frame.ts';
import { fillIn, type ArrowLayouts } from './arrowLayout.ts';
import { checkNotes, type FileNotes } from './monthNotes.ts';
import { fromRuns, toRuns, unitsIn, type Month } from './months.ts';
import { MonthRows, type PlacedMonth } from './joinMonths.ts';
import type { PlacedColumn } from './joinColumns.ts';
import type { Scratch } from './archiveFs.ts';
import { fileVersion, openSealed, seal, withNotes } from './seal.ts';
import { storedColumns } from './storedColumns.ts';

/** All that is archived of a month. */
export interface MonthContent {
  /** Ascending by time. */
  readonly frame: Frame;
  /** For each unit that begins in the month, when it was last requested; 0 for never. */
  readonly askedAt: Float64Array;
  readonly unitMs: number;
  /** The envelope of the newest response, and when that was requested. */
  readonly meta: JsonObject;
  readonly metaAskedAt: number;
}

/** What a file has of a month, its rows still in the file's bytes. */
export interface OpenedMonth extends PlacedMonth, Omit<MonthContent, 'frame' | 'meta'> {
  /** JSON. */
  readonly meta: string;
}

type Read<T> = { readonly kind: 'month'; readonly content: T } | { readonly kind: 'damaged' | 'newer' | 'older' };
export type ReadMonth = Read<MonthContent>;
export type ReadOpened = Read<OpenedMonth>;

/** An envelope longer than this (characters) is not stored: each month would have a copy. */
const longestMeta = 32_768;

/** The month as an Arrow IPC file, sealed; in `scratch`, where there is one. */
export function encodeMonth(content: MonthContent, layouts: ArrowLayouts, scratch?: Scratch): Uint8Array {
  const { frame, askedAt, unitMs, metaAskedAt } = content;
  const { rowCount } = frame;
  const stored = storedColumns(frame);
  const layout = layouts.layoutFor(stored, rowCount);
  const columns = stored.map(({ notes, nullCount, offsets }, index): PlacedColumn => {
    const at = layout.columns[index]?.at ?? { validity: 0, values: 0, offsets: 0, bytes: 0 };
    return { ...notes, nullCount, entryCount: Math.max(0, offsets.length / 4 - 1), at };
  });
  const meta = jsonText(content.meta);
  const notes: FileNotes = {
    rowCount,
    columns,
    unitMs,
    askedAt: toRuns(askedAt),
    metaAskedAt,
    meta: meta.length > longestMeta ? '{}' : meta,
  };
  const file = withNotes(layout.file, JSON.stringify(notes), fileVersion, scratch && (length => scratch.take(length)));
  fillIn(file, layout, stored);
  seal(file);
  return file;
}

/** Opens a month file without copying its rows. Never throws: what cannot be read is damaged. */
export function openMonth(file: Uint8Array, month: Month): ReadOpened {
  const opened = openSealed(file);
  if (opened.kind !== 'whole') return { kind: opened.kind };
  try {
    // Views of numbers need a file that is aligned to 8 bytes.
    const aligned = file.byteOffset % 8 === 0 ? file : new Uint8Array(file);
    return { kind: 'month', content: placed(aligned, JSON.parse(opened.notes) as FileNotes, month) };
  } catch {
    return { kind: 'damaged' };
  }
}

/** The same with a copy of all rows. */
export function decodeMonth(file: Uint8Array, month: Month): ReadMonth {
  const opened = openMonth(file, month);
  if (opened.kind !== 'month') return opened;
  const { content } = opened;
  const { unitMs, askedAt, metaAskedAt } = content;
  try {
    const rows = new MonthRows();
    rows.add(content, { from: 0, to: content.rowCount });
    const all = { frame: rows.frame(), unitMs, askedAt, metaAskedAt, meta: parseMeta(content.meta) };
    return { kind: 'month', content: all };
  } catch {
    return { kind: 'damaged' };
  }
}

/** A month of which nothing is archived. */
export function emptyMonth(month: Month, unitMs: number): MonthContent {
  const { first, end } = unitsIn(month, unitMs);
  const askedAt = new Float64Array(end - first);
  return { frame: { rowCount: 0, columns: [] }, askedAt, unitMs, meta: {}, metaAskedAt: 0 };
}

function placed(file: Uint8Array, notes: FileNotes, month: Month): OpenedMonth {
  checkNotes(notes, file, month);
  const { rowCount, columns, unitMs, askedAt, metaAskedAt, meta } = notes;
  const { first, end } = unitsIn(month, unitMs);
  return { file, rowCount, columns, unitMs, metaAskedAt, askedAt: fromRuns(askedAt, end - first), meta };
}
