import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import type { JsonObject } from '../../core/decode/envelope.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { serializeJson } from '../../core/json/json.ts';
import { parseMeta } from '../../core/query/serviceMeta.ts';
import { dayMs, minuteMs } from '../../shared/durations.ts';
import type { Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { checkMetadata } from './arrowBounds.ts';
import { readArrow, writeArrow, type ArrowColumn } from './arrowIpc.ts';
import { columnMetadataSchema, fromStoredColumns, toStoredColumns } from './storedColumns.ts';
import { decodeRuns, encodeRuns, listUnits, type Year } from './years.ts';

/** The content of a year file. */
export interface YearContent {
  /** Rows ascending by time. */
  readonly frame: Frame;
  /** When each unit that begins in the year was last requested; 0 for never. */
  readonly requestedAt: Float64Array;
  readonly unitMs: number;
  /** The envelope of the newest response. */
  readonly meta: JsonObject;
  readonly metaRequestedAt: number;
}

export type ReadYear =
  | { readonly kind: 'year'; readonly content: YearContent }
  | { readonly kind: 'damaged' | 'newerVersion' };

/** The version of the files that this code writes. */
const version = '1';
/** Keys of the schema's metadata. */
export const metadataKeys = {
  version: 'gridData.version',
  notes: 'gridData.notes',
  checksum: 'gridData.crc32',
} as const;
/** The maximum length of a stored envelope in characters, since each year has a copy. */
const maxEnvelopeLength = 32_768;

/** The metadata of a file besides its rows, as JSON. */
const notesSchema = v.object({
  unitMs: v.pipe(v.number(), v.minValue(minuteMs), v.maxValue(dayMs)),
  /** (count, UTC milliseconds) runs over the units of the year. */
  askedAt: v.array(v.number()),
  metaAskedAt: v.number(),
  /** JSON text within the JSON, since its numbers may exceed the precision of a double. */
  meta: v.string(),
  /** Each time column may have a second column with its received texts. */
  columns: v.pipe(v.array(columnMetadataSchema), v.maxLength(2 * tableLimits.columns)),
});

/** Encodes a year as an Arrow IPC file. Arrays of the frame must not change until it is written. */
export function encodeYear({ frame, requestedAt, unitMs, meta, metaRequestedAt }: YearContent): Uint8Array {
  const storedColumns = toStoredColumns(frame);
  const envelope = serializeJson(meta);
  const notes = JSON.stringify({
    unitMs,
    askedAt: encodeRuns(requestedAt),
    metaAskedAt: metaRequestedAt,
    meta: envelope.length > maxEnvelopeLength ? '{}' : envelope,
    columns: storedColumns.map(({ note }) => note),
  } satisfies v.InferOutput<typeof notesSchema>);
  const columns = storedColumns.map(({ column }) => column);
  return writeArrow(storedColumns, columns, frame.rowCount, {
    [metadataKeys.version]: version,
    [metadataKeys.notes]: notes,
    [metadataKeys.checksum]: computeChecksum(notes, columns, frame.rowCount),
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
    const fileVersion = metadata.get(metadataKeys.version);
    if (fileVersion !== version) return { kind: fileVersion === undefined ? 'damaged' : 'newerVersion' };
    const text = metadata.get(metadataKeys.notes) ?? '';
    if (computeChecksum(text, columns, rowCount) !== metadata.get(metadataKeys.checksum)) return { kind: 'damaged' };
    const notes = v.parse(notesSchema, JSON.parse(text));
    const { unitMs, metaAskedAt: metaRequestedAt } = notes;
    const frame = fromStoredColumns(notes.columns, columns, rowCount);
    checkOrder(frame, year);
    const { first, end } = listUnits(year, unitMs);
    const requestedAt = decodeRuns(notes.askedAt, end - first);
    return { kind: 'year', content: { frame, unitMs, requestedAt, metaRequestedAt, meta: parseMeta(notes.meta) } };
  } catch {
    return { kind: 'damaged' };
  }
}

/** Creates a year without archived rows. */
export function emptyYear(year: Year, unitMs: number): YearContent {
  const { first, end } = listUnits(year, unitMs);
  const requestedAt = new Float64Array(end - first);
  return { frame: { rowCount: 0, columns: [] }, requestedAt, unitMs, meta: {}, metaRequestedAt: 0 };
}

/** Computes the checksum of notes, cells and texts, without padding. */
export function computeChecksum(notes: string, columns: readonly ArrowColumn[], rowCount: number): string {
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
  const time = findTimeColumn(frame);
  let previous = year.start;
  for (let row = 0; row < frame.rowCount; row++) {
    const instant = time?.gaps ? NaN : (time?.values[row] ?? NaN);
    if (!(instant >= previous && instant < year.end))
      throw new RangeError('rows are out of order or outside the year of the file');
    previous = instant;
  }
}
