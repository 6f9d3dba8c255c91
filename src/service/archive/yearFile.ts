import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import type { JsonObject } from '../../core/decode/envelope.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { jsonText } from '../../core/json/json.ts';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { checkMetadata } from './arrowBounds.ts';
import { readArrow, writeArrow, type ArrowColumn } from './arrowIpc.ts';
import { columnNote, frameOfStored, storedColumns } from './storedColumns.ts';
import { fromRuns, toRuns, unitsIn, type Year } from './years.ts';

/** The content of a year file. */
export interface YearContent {
  /** Rows ascending by time. */
  readonly frame: Frame;
  /** When each unit that begins in the year was last requested; 0 for never. */
  readonly askedAt: Float64Array;
  readonly unitMs: number;
  /** The envelope of the newest response. */
  readonly meta: JsonObject;
  readonly metaAskedAt: number;
}

export type ReadYear =
  | { readonly kind: 'year'; readonly content: YearContent }
  | { readonly kind: 'damaged' | 'newerVersion' };

/** The version of the files that this code writes. */
const version = '1';
/** Keys of the schema's metadata. */
export const keys = { version: 'gridData.version', notes: 'gridData.notes', checksum: 'gridData.crc32' } as const;
/** The maximum length of a stored envelope in characters, since each year has a copy. */
const maxMeta = 32_768;

/** The metadata of a file besides its rows, as JSON. */
const notesForm = v.object({
  unitMs: v.pipe(v.number(), v.minValue(minuteMs), v.maxValue(dayMs)),
  /** (count, UTC milliseconds) runs over the units of the year. */
  askedAt: v.array(v.number()),
  metaAskedAt: v.number(),
  /** JSON text within the JSON, since its numbers may exceed the precision of a double. */
  meta: v.string(),
  /** Each time column may have a second column with its received texts. */
  columns: v.pipe(v.array(columnNote), v.maxLength(2 * tableLimits.columns)),
});

/** Encodes a year as an Arrow IPC file. Arrays of the frame must not change until it is written. */
export function encodeYear({ frame, askedAt, unitMs, meta, metaAskedAt }: YearContent): Uint8Array {
  const stored = storedColumns(frame);
  const envelope = jsonText(meta);
  const notes = JSON.stringify({
    unitMs,
    askedAt: toRuns(askedAt),
    metaAskedAt,
    meta: envelope.length > maxMeta ? '{}' : envelope,
    columns: stored.map(({ note }) => note),
  } satisfies v.InferOutput<typeof notesForm>);
  const columns = stored.map(({ column }) => column);
  return writeArrow(stored, columns, frame.rowCount, {
    [keys.version]: version,
    [keys.notes]: notes,
    [keys.checksum]: checksumOf(notes, columns, frame.rowCount),
  });
}

/**
 * Decodes a year file; its numbers are views of the bytes. Never throws: a file that cannot be read is damaged. The checksum does not protect
 * against malicious files, so everything that readers rely on is validated.
 */
export function decodeYear(file: Uint8Array, year: Year): ReadYear {
  try {
    checkMetadata(file);
    const { metadata, rowCount, columns } = readArrow(file);
    const written = metadata.get(keys.version);
    if (written !== version) return { kind: written === undefined ? 'damaged' : 'newerVersion' };
    const text = metadata.get(keys.notes) ?? '';
    if (checksumOf(text, columns, rowCount) !== metadata.get(keys.checksum)) return { kind: 'damaged' };
    const notes = v.parse(notesForm, JSON.parse(text));
    const { unitMs, metaAskedAt } = notes;
    const frame = frameOfStored(notes.columns, columns, rowCount);
    checkOrder(frame, year);
    const { first, end } = unitsIn(year, unitMs);
    const askedAt = fromRuns(notes.askedAt, end - first);
    return { kind: 'year', content: { frame, unitMs, askedAt, metaAskedAt, meta: parseMeta(notes.meta) } };
  } catch {
    return { kind: 'damaged' };
  }
}

/** Creates a year without archived rows. */
export function emptyYear(year: Year, unitMs: number): YearContent {
  const { first, end } = unitsIn(year, unitMs);
  const askedAt = new Float64Array(end - first);
  return { frame: { rowCount: 0, columns: [] }, askedAt, unitMs, meta: {}, metaAskedAt: 0 };
}

/** Computes the checksum of notes, cells and texts, without padding. */
export function checksumOf(notes: string, columns: readonly ArrowColumn[], rowCount: number): string {
  let sum = crc32(notes);
  for (const { values, validity, texts } of columns) {
    const length = values instanceof Uint8Array ? (rowCount + 7) >> 3 : rowCount;
    const parts = [values.subarray(0, length), validity.subarray(0, (rowCount + 7) >> 3)];
    if (texts) parts.push(texts.offsets, texts.bytes.subarray(0, texts.offsets.at(-1)));
    for (const { buffer, byteOffset, byteLength } of parts)
      sum = crc32(new Uint8Array(buffer, byteOffset, byteLength), sum);
  }
  return String(sum);
}

/** Checks that all rows have a time within the year, in ascending order. */
function checkOrder(frame: Frame, year: Year): void {
  const time = timeColumnOf(frame);
  let last = year.start;
  for (let row = 0; row < frame.rowCount; row++) {
    const instant = time?.gaps ? NaN : (time?.values[row] ?? NaN);
    if (!(instant >= last && instant < year.end)) throw new RangeError('a row without its place in the year');
    last = instant;
  }
}
