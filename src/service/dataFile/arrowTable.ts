import { Type } from 'apache-arrow/enum';
import type { Field as AnyField, Schema } from 'apache-arrow/schema';
import type { DataType } from 'apache-arrow/type';
import {
  booleanFiller,
  numberFiller,
  shownColumns,
  textFiller,
  type ColumnFiller,
} from '../../core/dataFile/columnFiller.ts';
import { readProvenance } from '../../core/dataFile/fileProvenance.ts';
import type { ReadFile } from '../../core/dataFile/fileTable.ts';
import { instantsIn } from '../../core/dataFile/localTime.ts';
import { GridError } from '../../core/errors.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { provenanceKey } from '../export/byteChunk.ts';
import { bufferOf, countOf, readMessages, type PlacedBatch } from './arrowMessages.ts';
import type { ByteSource } from './byteSource.ts';
import { columnNotesOf } from './columnNotes.ts';

/** As far as it is looked at: the library types what it has read as `any`. */
type Field = AnyField<DataType>;

/**
 * An Arrow IPC file (Feather, version 2) as a table: of its batches as many rows as fit the limits. Its buffers are read as they lie in the
 * file, so that there is no second copy of the rows. Throws a GridError; anything else that is thrown means that the file is damaged.
 */
export function arrowTable(source: ByteSource, timeZone: string | undefined): ReadFile {
  const { schema, batches, dictionaries } = readMessages(source);
  const rowsOfFile = batches.reduce((sum, { batch }) => sum + countOf(batch.length), 0);
  const rows = Math.min(rowsOfFile, tableLimits.rows);
  const all = schema.fields as readonly Field[];
  const fields = all.slice(0, shownColumns(rows, all.length));
  const hasInstants = fields.some(({ type }) => type.typeId === Type.Timestamp);
  const isLocal = ({ type }: Field): boolean =>
    type.typeId === Type.Timestamp
      ? !(type as { timezone?: string | null }).timezone
      : type.typeId === Type.Date && !hasInstants;
  const local = fields.find(isLocal);
  if (local && timeZone === undefined) return { kind: 'needsZone', example: local.name };
  const fillers = fields.map(field => fillerOf(field, rows, isLocal(field) ? (timeZone ?? 'UTC') : undefined));
  const entries = new Map(
    [...dictionaries].map(([id, parts]) => [id, dictionaryEntries(source, schema.dictionaries.get(id), parts)]),
  );
  let start = 0;
  for (const placed of batches) {
    if (start >= rows) break;
    const count = Math.min(countOf(placed.batch.length), rows - start);
    const cursor = { node: 0, buffer: 0 };
    for (const [place, field] of fields.entries()) {
      const filler = fillers[place];
      const at = { ...cursor };
      skip(field, cursor);
      if (filler) fill(source, placed, field.type, at, { count, start, filler, entries });
    }
    start += count;
  }
  const names = uniqueNames(fields.map(({ name }) => name.slice(0, tableLimits.nameLength)));
  const columns = fields.map((field, place) => {
    const { path, field: info } = columnNotesOf(Object.fromEntries(field.metadata));
    return fillers[place]?.end(names[place] ?? '', { ...(path && { path }), field: info });
  });
  const isTime = fields.some(field => isLocal(field) || field.type.typeId === Type.Timestamp);
  return {
    kind: 'table',
    table: {
      frame: { rowCount: rows, columns: columns.filter(column => column !== undefined) },
      rowsOfFile,
      leftOut: schema.fields.flatMap(({ name }, place) => (columns[place] ? [] : [name])),
      zone: isTime
        ? { source: local ? 'person' : 'file', ...(local && timeZone !== undefined && { timeZone }) }
        : undefined,
      provenance: readProvenance(schema.metadata.get(provenanceKey)),
      notes: [],
      text: aboutFile(schema, batches.length),
    },
  };
}

interface Cursor {
  node: number;
  buffer: number;
}

/** Moves beyond the nodes and buffers of a column. Throws a GridError for a type whose buffers are unknown. */
function skip({ type }: Field, cursor: Cursor): void {
  cursor.node++;
  cursor.buffer += buffersOf(type);
  if (type.typeId !== Type.Dictionary)
    for (const child of (type.children as readonly Field[] | null | undefined) ?? []) skip(child, cursor);
}

function buffersOf({ typeId, mode }: DataType & { readonly mode?: number }): number {
  switch (typeId) {
    case Type.Null:
      return 0;
    case Type.Struct:
    case Type.FixedSizeList:
      return 1;
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary:
      return 3;
    case Type.Union:
      return mode === 0 ? 1 : 2;
    case Type.Dictionary:
    case Type.Bool:
    case Type.Int:
    case Type.Float:
    case Type.Decimal:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp:
    case Type.Interval:
    case Type.Duration:
    case Type.FixedSizeBinary:
    case Type.List:
    case Type.Map:
      return 2;
    default:
      throw new GridError('fileUnsupported', { detail: 'unsupported types' });
  }
}

type AnyFiller = Pick<ColumnFiller<never>, 'end'> & {
  readonly number?: ColumnFiller<number>;
  readonly boolean?: ColumnFiller<boolean>;
  readonly text?: ColumnFiller<string>;
};

/** Undefined for a type that a table has no cells for. `timeZone`: of local times. */
function fillerOf({ type: given, metadata }: Field, rows: number, timeZone: string | undefined): AnyFiller | undefined {
  const type = given.typeId === Type.Dictionary ? (given as unknown as { dictionary: DataType }).dictionary : given;
  switch (type.typeId) {
    case Type.Bool: {
      const boolean = booleanFiller(rows);
      return given === type ? { boolean, end: boolean.end } : undefined;
    }
    case Type.Int:
    case Type.Float: {
      const number = numberFiller('number', rows);
      return given === type ? { number, end: number.end } : undefined;
    }
    case Type.Timestamp:
    case Type.Date: {
      if (given !== type) return undefined;
      const { set, setAll, end } = numberFiller('time', rows);
      if (timeZone === undefined) return { number: { set, end, ...(setAll && { setAll }) }, end };
      const inZone = instantsIn(timeZone);
      return { number: { set: (row, ms) => set(row, inZone(ms)), end }, end };
    }
    case Type.Utf8:
    case Type.LargeUtf8: {
      const text = textFiller(metadata.get('kind') === 'nested' ? 'nested' : 'text', rows);
      return { text, end: text.end };
    }
    default:
      return undefined;
  }
}

interface Filling {
  readonly count: number;
  readonly start: number;
  readonly filler: AnyFiller;
  readonly entries: ReadonlyMap<number, readonly (string | undefined)[]>;
}

/** Sets the cells of a column of a batch. */
function fill(source: ByteSource, placed: PlacedBatch, type: DataType, at: Cursor, filling: Filling): void {
  const { count, start, filler, entries } = filling;
  const validity = bufferOf(source, placed, at.buffer);
  const nulls = countOf(placed.batch.nodes[at.node]?.nullCount ?? 0);
  const hasValue = (row: number): boolean => nulls === 0 || validity.length === 0 || bitAt(validity, row);
  const each = <Value>(set: (row: number, value: Value) => void, valueAt: (row: number) => Value | undefined): void => {
    for (let row = 0; row < count; row++) {
      const value = hasValue(row) ? valueAt(row) : undefined;
      if (value !== undefined) set(start + row, value);
    }
  };
  if (filler.text) {
    const texts =
      type.typeId === Type.Dictionary
        ? codedTexts(source, placed, type, at, entries.get((type as unknown as { id: number }).id))
        : plainTexts(source, placed, type, at, count);
    each(filler.text.set, texts);
    return;
  }
  const values = bufferOf(source, placed, at.buffer + 1);
  if (filler.boolean) {
    if (values.length * 8 < count) throw new GridError('fileDamaged');
    each(filler.boolean.set, row => bitAt(values, row));
    return;
  }
  const numbers = numbersOf(type, values);
  if (numbers.length < count) throw new GridError('fileDamaged');
  const { number } = filler;
  if (nulls === 0 && numbers instanceof Float64Array && number?.setAll)
    number.setAll(start, numbers.subarray(0, count));
  else if (number) {
    const read = readerOf(type);
    each(number.set, row => read(numbers[row] ?? NaN));
  }
}

function bitAt(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

/** A number of the type; of an instant, whole milliseconds. */
function readerOf({ typeId, unit }: DataType & { readonly unit?: number }): (value: number | bigint) => number {
  if (typeId === Type.Date && unit === 0) return days => Number(days) * 86_400_000;
  if (typeId !== Type.Timestamp || unit === 1) return Number;
  if (unit === 0) return seconds => Number(seconds) * 1000;
  // Nanoseconds of today are beyond the whole numbers that a double holds.
  return unit === 2
    ? micros => Math.floor(Number(micros) / 1e3)
    : nanos => Math.floor(Number(BigInt(nanos) / 1000n) / 1e3);
}

type Numbers = ArrayLike<number | bigint>;

interface NumbersKind {
  new (buffer: ArrayBuffer, at: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
}

function numbersOf(type: DataType, bytes: Uint8Array<ArrayBuffer>): Numbers {
  const { ArrayType: Kind } = type as unknown as { readonly ArrayType: NumbersKind };
  const numbers = new Kind(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / Kind.BYTES_PER_ELEMENT));
  // Only those of 16 bits are no numbers of JavaScript.
  return type.typeId === Type.Float && numbers instanceof Uint16Array ? halves(numbers) : numbers;
}

/** Numbers of 16 bits: a sign, five bits of exponent, ten of fraction. */
function halves(bits: Uint16Array): Float64Array {
  return Float64Array.from(bits, half => {
    const [exponent, fraction] = [(half >> 10) & 31, half & 1023];
    const size =
      exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : exponent === 0
          ? fraction * 2 ** -24
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    return half >> 15 ? -size : size;
  });
}

/** The texts of a column, or of the entries of a dictionary. */
function plainTexts(
  source: ByteSource,
  placed: PlacedBatch,
  { typeId }: DataType,
  at: Cursor,
  count: number,
): (row: number) => string {
  const bytes = bufferOf(source, placed, at.buffer + 1);
  const isLarge = typeId === Type.LargeUtf8;
  const offsets: Numbers = isLarge
    ? new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3)
    : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  if (count > 0 && offsets.length <= count) throw new GridError('fileDamaged');
  const data = Buffer.from(bufferOf(source, placed, at.buffer + 2).buffer);
  return row => data.toString('utf8', Number(offsets[row] ?? 0), Number(offsets[row + 1] ?? 0));
}

function codedTexts(
  source: ByteSource,
  placed: PlacedBatch,
  type: DataType,
  at: Cursor,
  entries: readonly (string | undefined)[] = [],
): (row: number) => string | undefined {
  const codes = numbersOf((type as unknown as { indices: DataType }).indices, bufferOf(source, placed, at.buffer + 1));
  return row => entries[Number(codes[row] ?? -1)];
}

/** Undefined for a null among them. Those of a type that has no cells are empty. */
function dictionaryEntries(
  source: ByteSource,
  type: DataType | undefined,
  parts: readonly PlacedBatch[],
): readonly (string | undefined)[] {
  if (type?.typeId !== Type.Utf8 && type?.typeId !== Type.LargeUtf8) return [];
  return parts.flatMap(placed => {
    const count = countOf(placed.batch.length);
    if (count > tableLimits.rows) throw new GridError('fileTooLarge');
    const at = { node: 0, buffer: 0 };
    const validity = bufferOf(source, placed, 0);
    const textAt = plainTexts(source, placed, type, at, count);
    return Array.from({ length: count }, (_, row) =>
      validity.length === 0 || bitAt(validity, row) ? textAt(row) : undefined,
    );
  });
}

/** What the file says about itself, for the raw view. */
function aboutFile({ fields, metadata }: Schema, batches: number): string {
  return JSON.stringify({
    batches,
    columns: fields.slice(0, 1_000).map(({ name, type }) => ({ name, type: String(type) })),
    metadata: Object.fromEntries([...metadata].map(([key, value]) => [key, value.slice(0, 100_000)])),
  });
}
