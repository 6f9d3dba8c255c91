import { GridError } from '../../core/errors.ts';
import { jsonText } from '../../core/json/json.ts';
import { dayMs } from '../../shared/durations.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** How the values of a column become cells. Its functions never get null. */
export interface Cells {
  readonly kind: 'number' | 'time' | 'date' | 'boolean' | 'text' | 'nested';
  /** A number, UTC milliseconds, a boolean, a text or JSON; undefined for a value that has only a text. */
  readonly cellOf: (value: unknown) => unknown;
  /** All digits of the value. */
  readonly textOf: (value: unknown) => string;
  /** Whether the values are cells as they are. */
  readonly isDirect?: boolean;
  /** Whether times have no zone. */
  readonly isLocal?: boolean;
  /** Whether milliseconds are too few for an instant. */
  readonly isCut?: (value: unknown) => boolean;
  /** What a note says about the column. */
  readonly note?: string;
  /** Levels of lists and objects. */
  readonly depth?: number;
}

const texts = (kind: Cells['kind'], textOf: Cells['textOf'], more: Partial<Cells> = {}): Cells => ({
  kind,
  cellOf: textOf,
  textOf,
  ...more,
});

export const booleanCells: Cells = { kind: 'boolean', cellOf: value => value, textOf: String };
export const numberCells: Cells = { kind: 'number', cellOf: Number, textOf: String, isDirect: true };
export const textCells = texts('text', String);
export const jsonCells = texts('nested', String);
export const byteCells = texts('text', hexadecimal);

export const integerCells: Cells = {
  kind: 'number',
  cellOf: value => (Number.isSafeInteger(Number(value)) ? Number(value) : undefined),
  textOf: String,
};

export const uuidCells = texts('text', value =>
  hexadecimal(value).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
);

/** The first bytes of many. */
function hexadecimal(value: unknown): string {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.subarray(0, 10_000)).toString('hex') + (bytes.length > 10_000 ? '…' : '');
}

/** A double has all decimals of so many digits. */
const maxDigits = 15;
const maxScale = 100;

/** Decimals with so many places, from their digits as a whole number. */
export function decimalCells(scale: number, wholeOf: (value: unknown) => number | bigint): Cells {
  if (Math.abs(scale) > maxScale) throw new GridError('fileDamaged');
  const textOf = (value: unknown): string => decimalText(BigInt(wholeOf(value)), scale);
  const cellOf = (value: unknown): number | undefined => {
    const whole = Number(wholeOf(value));
    // The quotient of two exact numbers is the double next to the decimal.
    if (Math.abs(whole) < 10 ** maxDigits && scale >= 0 && scale <= 22) return whole / 10 ** scale;
    const text = textOf(value);
    return text.replace(/^-?[0.]*|\.|[0.]*$/g, '').length <= maxDigits ? Number(text) : undefined;
  };
  return { kind: 'number', cellOf, textOf };
}

function decimalText(value: bigint, scale: number): string {
  const whole = value * 10n ** BigInt(Math.max(0, -scale));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - Math.max(0, scale);
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/** Milliseconds that a Date has on both sides of 1970. */
const maxTime = 8.64e15;
const inRange = (ms: number): number | undefined => (Math.abs(ms) <= maxTime ? ms : undefined);

/** Dates, of values with so many milliseconds each. */
export function dateCells(unitMs: number): Cells {
  const cellOf = (value: unknown): number | undefined => inRange(Number(value) * unitMs);
  const textOf = (value: unknown): string => {
    const ms = cellOf(value);
    return ms === undefined
      ? String(value)
      : new Date(Math.floor(ms / dayMs) * dayMs).toISOString().replace(/T.*$/, '');
  };
  return { kind: 'date', cellOf, textOf, isLocal: true };
}

function floorOf(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  return whole * unit > value ? whole - 1n : whole;
}

/** Thousandths, millionths and billionths of a second, where there are any. */
function fractionText(part: bigint, places: number): string {
  return part === 0n
    ? ''
    : `.${String(part)
        .padStart(places, '0')
        .replace(/(000)+$/, '')}`;
}

/** Instants, or times without a zone, in seconds with 0, 3, 6 or 9 places. */
export function instantCells(places: number, isLocal: boolean): Cells {
  const perSecond = 10n ** BigInt(places);
  const perMs = perSecond / 1000n;
  const cellOf = (value: unknown): number | undefined =>
    inRange(perMs > 1n ? Number(floorOf(value as bigint, perMs)) : Number(value) * (perMs === 1n ? 1 : 1_000));
  const textOf = (value: unknown): string => {
    const ms = cellOf(value);
    if (ms === undefined) return String(value);
    const part = (value as bigint) - floorOf(value as bigint, perSecond) * perSecond;
    const seconds = new Date(ms).toISOString().replace(/\.\d+Z$/, '');
    return `${seconds}${fractionText(part, places) || '.000'}${isLocal ? '' : 'Z'}`;
  };
  return { kind: 'time', cellOf, textOf, isLocal, isCut: value => perMs > 1n && (value as bigint) % perMs !== 0n };
}

/** Times of day, in seconds with so many places. */
export function clockCells(places: number): Cells {
  const perSecond = 10n ** BigInt(places);
  return texts('text', value => {
    const units = BigInt(value as number | bigint);
    const parts = [units / (3600n * perSecond), (units / (60n * perSecond)) % 60n, (units / perSecond) % 60n];
    return parts.map(part => String(part).padStart(2, '0')).join(':') + fractionText(units % perSecond, places);
  });
}

const note = 'is a duration, written as in ISO 8601: P1DT2H is 1 day and 2 hours.';

/** Durations, in seconds with so many places. */
export function durationCells(places: number): Cells {
  const perDay = 86_400n * 10n ** BigInt(places);
  const positive = (units: bigint): string => durationText(0n, units / perDay, units % perDay, places);
  return texts(
    'text',
    value => ((value as bigint) < 0n ? `-${positive(-(value as bigint))}` : positive(value as bigint)),
    { note },
  );
}

/** Durations of months, days and parts of a second with so many places, each with its sign. */
export function intervalCells(
  places: number,
  partsOf: (value: unknown) => readonly [months: bigint, days: bigint, units: bigint],
): Cells {
  return texts('text', value => durationText(...partsOf(value), places), { note });
}

/** As ISO 8601 writes it. */
function durationText(months: bigint, days: bigint, units: bigint, places: number): string {
  const perMinute = 60n * 10n ** BigInt(places);
  const minutes = units / perMinute;
  const seconds = decimalText(units % perMinute, places);
  const part = (count: bigint | string, letter: string): string => (String(count) === '0' ? '' : `${count}${letter}`);
  const time = part(minutes / 60n, 'H') + part(minutes % 60n, 'M') + part(seconds, 'S');
  const text = part(months / 12n, 'Y') + part(months % 12n, 'M') + part(days, 'D') + (time && `T${time}`);
  return `P${text || 'T0S'}`;
}

/** Cells for what a function makes of the values. */
export function mappedCells(cells: Cells, valueOf: (value: unknown) => unknown): Cells {
  return { ...cells, cellOf: value => cells.cellOf(valueOf(value)), textOf: value => cells.textOf(valueOf(value)) };
}

/** A value within a list or an object, as JSON has it. */
export function jsonOf({ kind, cellOf, textOf }: Cells, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return kind === 'time' || kind === 'date' ? textOf(value) : (cellOf(value) ?? textOf(value));
}

function nestedCells(parts: readonly Cells[], cellOf: Cells['cellOf']): Cells {
  const depth = 1 + Math.max(0, ...parts.map(part => part.depth ?? 0));
  if (depth > tableLimits.nesting) throw new GridError('fileUnsupported');
  return { kind: 'nested', cellOf, textOf: value => jsonText(cellOf(value)), depth };
}

/** Undefined where its items have no cells. `itemOf`: the item in what the list has. */
export function listCells(items: Cells | undefined, itemOf = (item: unknown): unknown => item): Cells | undefined {
  return (
    items && nestedCells([items], list => Array.from(list as ArrayLike<unknown>, item => jsonOf(items, itemOf(item))))
  );
}

/** Undefined where one of its parts has no cells, or where JSON has no name for it. */
export function objectCells(
  fields: readonly { readonly name: string; readonly cells: Cells | undefined }[],
  partOf: (value: unknown, name: string, index: number) => unknown,
): Cells | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const parts = fields.flatMap(({ cells }) => cells ?? []);
  if (names.has('__proto__') || names.size < fields.length || parts.length < fields.length) return undefined;
  return nestedCells(parts, value =>
    Object.fromEntries(
      parts.map((part, at) => {
        const { name = '' } = fields[at] ?? {};
        return [name, jsonOf(part, partOf(value, name, at))];
      }),
    ),
  );
}
