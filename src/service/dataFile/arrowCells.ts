import { TimeUnit, Type, type DataType, type Field, type TimestampType } from '@uwdata/flechette';
import { GridError } from '../../core/errors.ts';

/** How the values of a column, as the library has them, become cells. A null is not handed to either function. */
export interface ArrowCells {
  readonly kind: 'number' | 'time' | 'boolean' | 'text' | 'nested';
  /** As JSON has it; an instant as UTC milliseconds, and a number with more digits than a double as text. */
  readonly cellOf: (value: unknown) => unknown;
  /** The same within a list or an object, where an instant is a text. */
  readonly itemOf: (value: unknown) => unknown;
}

/** Undefined for a type that a table has no cells for. */
export function arrowCells(type: DataType): ArrowCells | undefined {
  switch (type.typeId) {
    case Type.Dictionary:
      return arrowCells(type.dictionary);
    case Type.Bool:
      return cells('boolean', value => value);
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return cells('text', value => value);
    case Type.Float:
      return cells('number', Number);
    case Type.Int:
      return cells('number', wholeNumber);
    case Type.Decimal: {
      const { scale } = type;
      if (Math.abs(scale) > mostScale) throw new GridError('fileDamaged');
      return cells('number', value => decimal(BigInt(value as number | bigint), scale));
    }
    case Type.Date:
      return times(Number, false);
    case Type.Timestamp:
      return times(millisecondsOf(type), Boolean(type.timezone));
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList: {
      const [child] = type.children as readonly Field[];
      const items = child && arrowCells(child.type);
      return items && cells('nested', list => Array.from(list as ArrayLike<unknown>, item => nested(items, item)));
    }
    case Type.Struct:
      return objects(type.children, (object, { name }) => (object as Record<string, unknown>)[name]);
    case Type.Map: {
      const [{ type: entry }] = type.children;
      const entries =
        entry.typeId === Type.Struct ? objects(entry.children, (pair, _, at) => (pair as unknown[])[at]) : undefined;
      return entries && cells('nested', list => (list as unknown[]).map(entries.cellOf));
    }
    default:
      return undefined;
  }
}

function cells(kind: ArrowCells['kind'], cellOf: ArrowCells['cellOf']): ArrowCells {
  return { kind, cellOf, itemOf: cellOf };
}

function times(cellOf: (value: unknown) => number, hasZone: boolean): ArrowCells {
  const itemOf = (value: unknown): string => {
    const text = new Date(cellOf(value)).toISOString();
    return hasZone ? text : text.slice(0, -1);
  };
  return { ...cells('time', cellOf), itemOf };
}

function objects(
  fields: readonly Field[],
  partOf: (value: unknown, field: Field, at: number) => unknown,
): ArrowCells | undefined {
  const parts = fields.map(({ type }) => arrowCells(type));
  if (parts.includes(undefined)) return undefined;
  return cells('nested', value =>
    Object.fromEntries(fields.map((field, at) => [field.name, nested(parts[at], partOf(value, field, at))])),
  );
}

function nested(of: ArrowCells | undefined, value: unknown): unknown {
  return value === null || value === undefined ? null : of?.itemOf(value);
}

/** Whole milliseconds. Nanoseconds of today are beyond the whole numbers that a double holds. */
function millisecondsOf({ unit }: TimestampType): (value: unknown) => number {
  switch (unit) {
    case TimeUnit.SECOND:
      return seconds => Number(seconds) * 1e3;
    case TimeUnit.MILLISECOND:
      return Number;
    case TimeUnit.MICROSECOND:
      return micros => Math.floor(Number(micros) / 1e3);
    case TimeUnit.NANOSECOND:
      return nanos => Math.floor(Number((nanos as bigint) / 1000n) / 1e3);
  }
}

function wholeNumber(value: unknown): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** A double has all decimals of so many digits. */
const mostDigits = 15;
const mostScale = 100;

function decimal(value: bigint, scale: number): number | string {
  const whole = value * 10n ** BigInt(Math.max(0, -scale));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - Math.max(0, scale);
  const fraction = digits.slice(point).replace(/0+$/, '');
  const text = `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
  return digits.replace(/^0+|0+$/g, '').length <= mostDigits ? Number(text) : text;
}
