import * as v from 'valibot';
import { serializeJson, parseJson } from '../../core/json/json.ts';
import { cellState, type Column, type Dictionary, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import type { ArrowColumn, FieldMetadata } from './arrowIpc.ts';
import { decodeRuns, encodeRuns } from './years.ts';

/** The properties of a column that Arrow's type cannot express. */
export const columnMetadataSchema = v.object({
  kind: v.picklist(['time', 'number', 'boolean', 'text', 'nested']),
  /** Marks the received texts of the time column before it. */
  received: v.exactOptional(v.literal(true)),
  name: v.pipe(v.string(), v.maxLength(tableLimits.nameLength)),
  path: v.array(v.string()),
  /** (count, state) runs of all cells, if some are absent: Arrow only has nulls. */
  states: v.exactOptional(v.array(v.number())),
  /** Dictionary entries that UTF-8 cannot encode (lone surrogates), by their index. */
  unencodable: v.exactOptional(v.record(v.string(), v.string())),
});
type ColumnMetadata = v.InferOutput<typeof columnMetadataSchema>;

/** A column of a file, with metadata for other readers. */
interface StoredColumn extends FieldMetadata {
  readonly note: ColumnMetadata;
  readonly column: ArrowColumn;
}

/** Converts the columns of a frame. Numbers are not copied, so the frame's arrays must not change until the file is written. */
export function toStoredColumns(frame: Frame): StoredColumn[] {
  const names = new Set<string>();
  return frame.columns.flatMap((column): StoredColumn[] => {
    const { kind, name, path, gaps, field: info } = column;
    const note: ColumnMetadata = {
      kind,
      name,
      path: [...path],
      ...(gaps?.includes(cellState.absent) && { states: encodeRuns(new Float64Array(gaps)) }),
    };
    const createField = (fieldKind: string, preferredName: string): FieldMetadata => {
      let uniqueName = preferredName;
      while (names.has(uniqueName)) uniqueName += "'";
      names.add(uniqueName);
      const unit = info?.unit?.text;
      return { name: uniqueName, metadata: { kind: fieldKind, path: JSON.stringify(path), ...(unit && { unit }) } };
    };
    const base = { ...createField(kind, name), note };
    const validity = packValidity(gaps);
    switch (column.kind) {
      case 'number':
        return [{ ...base, column: { ...validity, values: column.values } }];
      case 'boolean': {
        const values = packBits(column.values.length, row => column.values[row] === 1);
        return [{ ...base, column: { ...validity, values } }];
      }
      case 'time': {
        const times = { ...base, column: { ...validity, values: toInt64(column.values) } };
        if (!column.received) return [times];
        const { unencodable, ...texts } = encodeTexts(column.received, gaps);
        const received: ColumnMetadata = { kind, received: true, name, path: [...path], ...unencodable };
        const field = createField('received', `${name} (received)`);
        return [times, { ...field, note: received, column: { ...validity, ...texts } }];
      }
      case 'text':
      case 'nested': {
        const { unencodable, ...texts } = encodeTexts(column.texts, gaps);
        return [{ ...base, note: { ...note, ...unencodable }, column: { ...validity, ...texts } }];
      }
    }
  });
}

/** Restores the frame of a file, whose numbers are views. Throws if the notes and the file do not match. */
export function fromStoredColumns(
  notes: readonly ColumnMetadata[],
  stored: readonly ArrowColumn[],
  rowCount: number,
): Frame {
  assertValid(notes.length === stored.length);
  const parts = notes.map((note, index) => {
    const column = stored[index] ?? throwInvalid();
    return note.received ? decodeTexts(note, column, rowCount) : restoreColumn(note, column, rowCount);
  });
  const columns: Column[] = [];
  for (const part of parts) {
    const time = 'codes' in part ? columns.pop() : undefined;
    if (!('codes' in part)) columns.push(part);
    else if (time?.kind === 'time' && !time.received) columns.push({ ...time, received: part });
    else throwInvalid();
  }
  assertValid(new Set(columns.map(({ path }) => JSON.stringify(path))).size === columns.length);
  return { rowCount, columns };
}

function restoreColumn(note: ColumnMetadata, stored: ArrowColumn, rowCount: number): Column {
  const { kind, name, path } = note;
  const gaps = restoreGaps(note, stored, rowCount);
  const base = { name, path, ...(gaps && { gaps }) };
  const { values } = stored;
  switch (kind) {
    case 'number': {
      if (!(values instanceof Float64Array)) return throwInvalid();
      assertValid(values.length >= rowCount);
      for (let row = 0; row < rowCount; row++) if (!Number.isFinite(values[row])) assertValid(isGap(gaps, row));
      return { ...base, kind, values: values.subarray(0, rowCount) };
    }
    case 'boolean':
      if (!(values instanceof Uint8Array)) return throwInvalid();
      return { ...base, kind, values: unpackBits(values, rowCount) };
    case 'time':
      if (!(values instanceof BigInt64Array)) return throwInvalid();
      assertValid(values.length >= rowCount);
      return { ...base, kind, values: toInstants(values, rowCount, gaps) };
    case 'text':
    case 'nested': {
      const texts = decodeTexts(note, stored, rowCount);
      // This throws if a cell is not JSON, or is nested too deep.
      if (kind === 'nested') for (const entry of texts.entries) serializeJson(parseValue(entry));
      return { ...base, kind, texts };
    }
  }
}

function parseValue(json: string): unknown {
  const parsed = parseJson(json);
  return parsed.ok ? parsed.value : throwInvalid();
}

function isGap(gaps: Uint8Array | undefined, row: number): boolean {
  return gaps !== undefined && gaps[row] !== cellState.value;
}

function packValidity(gaps: Uint8Array | undefined): Pick<ArrowColumn, 'nullCount' | 'validity'> {
  let nullCount = 0;
  // An iterator would take ten times as long.
  for (let row = 0; gaps && row < gaps.length; row++) if (gaps[row] !== cellState.value) nullCount++;
  if (!gaps || nullCount === 0) return { nullCount, validity: new Uint8Array() };
  return { nullCount, validity: packBits(gaps.length, row => gaps[row] === cellState.value) };
}

function restoreGaps(
  { states }: ColumnMetadata,
  { nullCount, validity }: ArrowColumn,
  rowCount: number,
): Uint8Array | undefined {
  if (states) {
    const gaps = new Uint8Array(decodeRuns(states, rowCount));
    assertValid(gaps.every(state => state <= cellState.absent));
    return gaps;
  }
  if (nullCount === 0) return undefined;
  const gaps = unpackBits(validity, rowCount);
  for (let row = 0; row < rowCount; row++) gaps[row] = gaps[row] === 1 ? cellState.value : cellState.null;
  return gaps;
}

function packBits(length: number, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  for (let row = 0; row < length; row++) if (isSet(row)) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  return bits;
}

/** Unpacks bits to 0 or 1 for each row. */
function unpackBits(bits: Uint8Array, rowCount: number): Uint8Array {
  assertValid(bits.length * 8 >= rowCount);
  const bytes = new Uint8Array(rowCount);
  for (let row = 0; row < rowCount; row++) bytes[row] = ((bits[row >> 3] ?? 0) >> (row & 7)) & 1;
  return bytes;
}

const wordSize = 2 ** 32;

/** Converts whole numbers below 2^53 to 64-bit integers, without a BigInt for each. NaN becomes 0. */
function toInt64(values: Float64Array): BigInt64Array {
  const halves = new Int32Array(values.length * 2);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    halves[2 * row] = value | 0;
    halves[2 * row + 1] = Math.floor(value / wordSize);
  }
  return new BigInt64Array(halves.buffer);
}

function toInstants(values: BigInt64Array, rowCount: number, gaps: Uint8Array | undefined): Float64Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, rowCount * 2);
  const instants = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++)
    instants[row] = isGap(gaps, row) ? NaN : (halves[2 * row + 1] ?? 0) * wordSize + ((halves[2 * row] ?? 0) >>> 0);
  return instants;
}

/** Encodes the distinct used entries. Null cells refer to the first. */
function encodeTexts(
  { codes, entries }: Dictionary,
  gaps: Uint8Array | undefined,
): Pick<ArrowColumn, 'values' | 'texts'> & { readonly unencodable: Pick<ColumnMetadata, 'unencodable'> } {
  const values = new Int32Array(codes.length);
  const indexes = new Map<number, number>();
  for (let row = 0; row < codes.length; row++) {
    if (isGap(gaps, row)) continue;
    const code = codes[row] ?? 0;
    let index = indexes.get(code);
    if (index === undefined) indexes.set(code, (index = indexes.size));
    values[row] = index;
  }
  const usedEntries = [...indexes.keys()].map(code => entries[code] ?? '');
  const texts = usedEntries.length > 0 ? usedEntries : ['null'];
  const unencodable = Object.fromEntries([...texts.entries()].filter(([, text]) => !text.isWellFormed()));
  const offsets = new Int32Array(texts.length + 1);
  const encoded = texts.map(text => Buffer.from(text.isWellFormed() ? text : JSON.stringify(text)));
  for (const [index, { length }] of encoded.entries()) offsets[index + 1] = (offsets[index] ?? 0) + length;
  return {
    values,
    texts: { offsets, bytes: Buffer.concat(encoded) },
    unencodable: Object.keys(unencodable).length > 0 ? { unencodable } : {},
  };
}

function decodeTexts(
  { unencodable = {} }: ColumnMetadata,
  { values, texts }: ArrowColumn,
  rowCount: number,
): Dictionary {
  if (!(values instanceof Int32Array) || !texts) return throwInvalid();
  const { offsets, bytes } = texts;
  assertValid(values.length >= rowCount);
  const codes = new Uint32Array(values.buffer, values.byteOffset, rowCount);
  // A TextDecoder would drop a byte order mark.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries: string[] = [];
  // `checkMetadata` has checked that texts do not overlap.
  for (let index = 0; index + 1 < offsets.length; index++) {
    entries.push(unencodable[index] ?? text.toString('utf8', offsets[index], offsets[index + 1]));
  }
  for (let row = 0; row < rowCount; row++) assertValid((codes[row] ?? 0) < entries.length);
  return { codes, entries };
}

function throwInvalid(): never {
  throw new RangeError('not an archive file');
}

function assertValid(condition: boolean): void {
  if (!condition) throwInvalid();
}
