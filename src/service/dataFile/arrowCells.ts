import { Type } from 'apache-arrow/enum';
import type { Field as AnyField } from 'apache-arrow/schema';
import type { DataType } from 'apache-arrow/type';
import { GridError } from '../../core/errors.ts';
import { dayMs } from '../../shared/durations.ts';
import { tableLimits } from '../../shared/tableLimits.ts';
import { bufferOf, countOf, type PlacedBatch } from './arrowMessages.ts';
import type { ByteSource } from './byteSource.ts';

/** As far as it is looked at: the library types what it has read as `any`. */
export type ArrowType = DataType & {
  readonly ArrayType?: unknown;
  readonly unit?: number;
  readonly timezone?: string | null;
  readonly mode?: number;
  readonly scale?: number;
  readonly bitWidth?: number;
  readonly listSize?: number;
  readonly children?: readonly ArrowField[] | null;
  /** Of a dictionary: its number, and the types of its codes and entries. */
  readonly id?: number;
  readonly indices?: ArrowType;
  readonly dictionary?: ArrowType;
};
export type ArrowField = AnyField<ArrowType>;

/** Where a column begins in a batch. */
export interface Cursor {
  node: number;
  buffer: number;
  /** Of columns of views, which have as many buffers as the batch says. */
  view: number;
}

/** Moves beyond the nodes and buffers of a column. Throws a GridError for a type whose buffers are unknown. */
export function skip(type: ArrowType, placed: PlacedBatch, cursor: Cursor): void {
  skipOwn(type, placed, cursor);
  for (const child of childrenOf(type)) skip(child.type, placed, cursor);
}

/** Moves to the first column within a column. */
function skipOwn(type: ArrowType, { batch }: PlacedBatch, cursor: Cursor): void {
  cursor.node++;
  cursor.buffer += buffersOf(type);
  if (isView(type)) cursor.buffer += countOf(batch.variadicBufferCounts[cursor.view++] ?? 0);
}

function isView({ typeId }: ArrowType): boolean {
  return typeId === Type.Utf8View || typeId === Type.BinaryView;
}

/** The columns within a column. */
export function childrenOf({ typeId, children }: ArrowType): readonly ArrowField[] {
  return (typeId === Type.Dictionary ? undefined : children) ?? [];
}

function buffersOf({ typeId, mode }: ArrowType): number {
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
    case Type.LargeList:
    case Type.Map:
    case Type.Utf8View:
    case Type.BinaryView:
      return 2;
    default:
      throw new GridError('fileUnsupported', { detail: 'unsupported types' });
  }
}

const textTypes: ReadonlySet<Type> = new Set([Type.Utf8, Type.LargeUtf8, Type.Utf8View]);
const numberTypes: ReadonlySet<Type> = new Set([Type.Int, Type.Float, Type.Timestamp, Type.Date]);
const listTypes: ReadonlySet<Type> = new Set([Type.List, Type.LargeList, Type.FixedSizeList, Type.Map, Type.Struct]);

/** Whether `cellsOf` reads the type. */
export function hasCells(type: ArrowType): boolean {
  const { typeId, dictionary } = type;
  if (dictionary) return textTypes.has(dictionary.typeId);
  if (listTypes.has(typeId)) return childrenOf(type).every(child => hasCells(child.type));
  return textTypes.has(typeId) || numberTypes.has(typeId) || typeId === Type.Bool || typeId === Type.Decimal;
}

/** What cells are read from. */
export interface ArrowReading {
  readonly source: ByteSource;
  readonly placed: PlacedBatch;
  /** Of each dictionary. */
  readonly entries: ReadonlyMap<number, readonly unknown[]>;
}

type Cells = (row: number) => unknown;

/** What an item of a list or an object takes, about. */
const itemBytes = 8;

/** The numbers of a column that has nothing but doubles, without a copy; undefined for any other. */
export function doublesOf(reading: ArrowReading, type: ArrowType, at: Cursor, count: number): Float64Array | undefined {
  if (type.ArrayType !== Float64Array || nullsOf(reading, at) > 0) return undefined;
  const numbers = numbersOf(reading, type, at, count);
  return numbers instanceof Float64Array ? numbers.subarray(0, count) : undefined;
}

/**
 * The first `count` cells of a column: numbers, with instants as UTC milliseconds, booleans, texts, and lists and objects of these; decimals
 * that no double has the digits of as texts; undefined for a null. Moves beyond the column. Reading a cell throws a GridError where a list
 * is none.
 */
export function cellsOf(reading: ArrowReading, type: ArrowType, cursor: Cursor, count: number): Cells {
  const { source, placed } = reading;
  const at = { ...cursor };
  const validity = nullsOf(reading, at) > 0 ? bufferOf(source, placed, at.buffer) : undefined;
  skipOwn(type, placed, cursor);
  const valueAt = valuesOf(reading, type, at, count, cursor);
  return row => (!validity || validity.length === 0 || bitAt(validity, row) ? valueAt(row) : undefined);
}

function nullsOf({ placed }: ArrowReading, { node }: Cursor): number {
  return countOf(placed.batch.nodes[node]?.nullCount ?? 0);
}

/** `inner`: where the columns within it begin. */
function valuesOf(reading: ArrowReading, type: ArrowType, at: Cursor, count: number, inner: Cursor): Cells {
  const { source, placed, entries } = reading;
  const second = (): Uint8Array<ArrayBuffer> => bufferOf(source, placed, at.buffer + 1);
  switch (type.typeId) {
    case Type.Bool: {
      const bits = second();
      if (bits.length * 8 < count) throw new GridError('fileDamaged');
      return row => bitAt(bits, row);
    }
    case Type.Decimal:
      return decimalsOf(type, second(), count);
    case Type.Utf8View:
      return viewsOf(reading, at, count);
    case Type.Utf8:
    case Type.LargeUtf8: {
      const rangeAt = rangesOf(second(), type.typeId === Type.LargeUtf8, count);
      const data = Buffer.from(bufferOf(source, placed, at.buffer + 2).buffer);
      return row => {
        const [start, end] = rangeAt(row);
        source.use(end - start);
        return data.toString('utf8', start, end);
      };
    }
    case Type.Dictionary: {
      const codes = numbersOf(reading, type.indices ?? type, at, count);
      const texts = entries.get(type.id ?? NaN) ?? [];
      return row => texts[Number(codes[row] ?? -1)];
    }
    case Type.List:
    case Type.LargeList:
    case Type.Map: {
      const rangeAt = rangesOf(second(), type.typeId === Type.LargeList, count);
      const [item] = itemsOf(reading, type, inner);
      return row => {
        const [start, end] = rangeAt(row);
        if (!item || start < 0 || start > end || end > item.count) throw new GridError('fileDamaged');
        source.use((end - start) * itemBytes);
        return Array.from({ length: end - start }, (_, place) => item.cells(start + place));
      };
    }
    case Type.FixedSizeList: {
      const { listSize: length = 0 } = type;
      const [item] = itemsOf(reading, type, inner);
      if (!item || item.count < count * length) throw new GridError('fileDamaged');
      return row => Array.from({ length }, (_, place) => item.cells(row * length + place));
    }
    case Type.Struct: {
      const items = itemsOf(reading, type, inner);
      if (items.some(item => item.count < count)) throw new GridError('fileDamaged');
      return row => {
        source.use(items.length * itemBytes);
        return Object.fromEntries(items.map(({ name, cells }) => [name, cells(row)]));
      };
    }
    default: {
      const numbers = numbersOf(reading, type, at, count);
      const read = readerOf(type);
      return row => read(numbers[row] ?? NaN);
    }
  }
}

/** The columns within a column, as JSON has their cells. */
function itemsOf(
  reading: ArrowReading,
  type: ArrowType,
  cursor: Cursor,
): { readonly name: string; readonly count: number; readonly cells: Cells }[] {
  return childrenOf(type).map(({ name, type: inner }) => {
    const count = countOf(reading.placed.batch.nodes[cursor.node]?.length ?? 0);
    if (count > tableLimits.joinedCells) throw new GridError('fileTooLarge');
    const cells = cellsOf(reading, inner, cursor, count);
    const isTime = inner.typeId === Type.Timestamp || inner.typeId === Type.Date;
    const timeAt: Cells = row => {
      const ms = cells(row);
      if (ms === undefined) return undefined;
      const text = new Date(Number(ms)).toISOString();
      return inner.timezone ? text : text.slice(0, -1);
    };
    return { name, count, cells: isTime ? timeAt : cells };
  });
}

/** Where a text or a list begins and ends. */
function rangesOf(bytes: Uint8Array<ArrayBuffer>, isLarge: boolean, count: number): (row: number) => [number, number] {
  const offsets: Numbers = isLarge
    ? new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length >> 3)
    : new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  if (count > 0 && offsets.length <= count) throw new GridError('fileDamaged');
  return row => [Number(offsets[row] ?? 0), Number(offsets[row + 1] ?? 0)];
}

/** Texts of up to twelve bytes within the sixteen of their cell, and longer ones in one of the further buffers. */
function viewsOf({ source, placed }: ArrowReading, at: Cursor, count: number): Cells {
  const views = Buffer.from(bufferOf(source, placed, at.buffer + 1).buffer);
  if (views.length < count * 16) throw new GridError('fileDamaged');
  const length = countOf(placed.batch.variadicBufferCounts[at.view] ?? 0);
  const further = Array.from({ length }, (_, place) =>
    Buffer.from(bufferOf(source, placed, at.buffer + 2 + place).buffer),
  );
  return row => {
    const from = row * 16;
    const bytes = views.readInt32LE(from);
    source.use(bytes);
    if (bytes <= 12) return views.toString('utf8', from + 4, from + 4 + bytes);
    const data = further[views.readInt32LE(from + 8)];
    if (!data) throw new GridError('fileDamaged');
    const start = views.readInt32LE(from + 12);
    return data.toString('utf8', start, start + bytes);
  };
}

/** A double has all decimals of so many digits. */
const mostDigits = 15;

function decimalsOf({ scale = 0, bitWidth = 128 }: ArrowType, bytes: Uint8Array<ArrayBuffer>, count: number): Cells {
  const width = bitWidth / 8;
  if (bytes.length < count * width || Math.abs(scale) > 100) throw new GridError('fileDamaged');
  return row => {
    const hexadecimal = Buffer.from(bytes.subarray(row * width, (row + 1) * width))
      .reverse()
      .toString('hex');
    const whole = BigInt.asIntN(bitWidth, BigInt(`0x${hexadecimal}`)) * 10n ** BigInt(Math.max(0, -scale));
    const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
    const point = digits.length - Math.max(0, scale);
    const fraction = digits.slice(point).replace(/0+$/, '');
    const text = `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
    return digits.replace(/^0+|0+$/g, '').length <= mostDigits ? Number(text) : text;
  };
}

/** The entries of a dictionary. Those of a type that has no cells are empty. */
export function entriesOf(
  source: ByteSource,
  type: ArrowType | undefined,
  parts: readonly PlacedBatch[],
): readonly unknown[] {
  if (!type || !textTypes.has(type.typeId)) return [];
  return parts.flatMap(placed => {
    const length = countOf(placed.batch.length);
    if (length > tableLimits.rows) throw new GridError('fileTooLarge');
    const cells = cellsOf({ source, placed, entries: new Map() }, type, { node: 0, buffer: 0, view: 0 }, length);
    return Array.from({ length }, (_, row) => cells(row));
  });
}

function bitAt(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

/** A number of the type; of an instant, whole milliseconds. */
function readerOf({ typeId, unit }: ArrowType): (value: number | bigint) => number {
  if (typeId === Type.Date && unit === 0) return days => Number(days) * dayMs;
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

function numbersOf({ source, placed }: ArrowReading, type: ArrowType, at: Cursor, count: number): Numbers {
  const bytes = bufferOf(source, placed, at.buffer + 1);
  const Kind = type.ArrayType as NumbersKind;
  const numbers = new Kind(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / Kind.BYTES_PER_ELEMENT));
  if (numbers.length < count) throw new GridError('fileDamaged');
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
