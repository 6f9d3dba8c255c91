import { GridError } from '../../core/errors.ts';
import { serializeJson } from '../../core/json/json.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** Converts the values of a column to cells. Its functions are never called with null. */
export interface CellReader {
  readonly kind: 'number' | 'time' | 'date' | 'boolean' | 'text' | 'nested';
  /** Returns a number, UTC milliseconds, a boolean, a text or JSON; undefined for a value that can only be shown as text. */
  readonly toCell: (value: unknown) => unknown;
  /** Formats the value with all its digits. */
  readonly toText: (value: unknown) => string;
  /** Whether values are cells without conversion. */
  readonly isDirect?: boolean;
  /** Whether times are local, without a zone. */
  readonly isLocal?: boolean;
  /** Whether an instant loses digits when it is truncated to milliseconds. */
  readonly isTruncated?: (value: unknown) => boolean;
  /** A note about the column, without its name. */
  readonly durationNote?: string;
  /** The nesting depth of lists and objects. */
  readonly depth?: number;
}

const createTextCells = (
  kind: CellReader['kind'],
  toText: CellReader['toText'],
  options: Partial<CellReader> = {},
): CellReader => ({
  kind,
  toCell: toText,
  toText,
  ...options,
});

export const booleanCells: CellReader = { kind: 'boolean', toCell: value => value, toText: String };
export const numberCells: CellReader = { kind: 'number', toCell: Number, toText: String, isDirect: true };
export const textCells = createTextCells('text', String);
export const jsonCells = createTextCells('nested', String);
export const byteCells = createTextCells('text', formatHex);

export const integerCells: CellReader = {
  kind: 'number',
  toCell: value => (Number.isSafeInteger(Number(value)) ? Number(value) : undefined),
  toText: String,
};

export const uuidCells = createTextCells('text', value =>
  formatHex(value).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
);

/** Formats bytes as hexadecimal digits; long values are truncated. */
function formatHex(value: unknown): string {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.subarray(0, 10_000)).toString('hex') + (bytes.length > 10_000 ? '…' : '');
}

/** The number of decimal digits that a double can always represent. */
const maxDigits = 15;
const maxScale = 100;

/** Reads decimals with `scale` places. `toWhole` returns their digits as a whole number. */
export function createDecimalCells(scale: number, toWhole: (value: unknown) => number | bigint): CellReader {
  if (Math.abs(scale) > maxScale) throw new GridError('fileDamaged');
  const toText = (value: unknown): string => formatDecimal(BigInt(toWhole(value)), scale);
  const toCell = (value: unknown): number | undefined => {
    const whole = Number(toWhole(value));
    // The quotient of two exact numbers is the double nearest to the decimal.
    if (Math.abs(whole) < 10 ** maxDigits && scale >= 0 && scale <= 22) return whole / 10 ** scale;
    const text = toText(value);
    return text.replace(/^-?[0.]*|\.|[0.]*$/g, '').length <= maxDigits ? Number(text) : undefined;
  };
  return { kind: 'number', toCell, toText };
}

function formatDecimal(value: bigint, scale: number): string {
  const whole = value * 10n ** BigInt(Math.max(0, -scale));
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  const point = digits.length - Math.max(0, scale);
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
}

/** The range of a Date on both sides of 1970, in milliseconds. */
const maxTime = 8.64e15;
const checkRange = (ms: number): number | undefined => (Math.abs(ms) <= maxTime ? ms : undefined);

/** Reads dates, which are multiples of `unitMs`. */
export function createDateCells(unitMs: number): CellReader {
  const toCell = (value: unknown): number | undefined => checkRange(Number(value) * unitMs);
  const toText = (value: unknown): string => {
    const ms = toCell(value);
    return ms === undefined ? String(value) : new Date(ms).toISOString().replace(/T.*$/, '');
  };
  return { kind: 'date', toCell, toText, isLocal: true };
}

function floorDivide(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  return whole * unit > value ? whole - 1n : whole;
}

/** Formats a fraction of a second with 3, 6 or 9 digits; empty for zero. */
function formatFraction(part: bigint, decimals: number): string {
  const digits = String(part).padStart(decimals, '0');
  return part === 0n ? '' : `.${digits.replace(/(000)+$/, '')}`;
}

/** Reads instants, or local times, in seconds with 0, 3, 6 or 9 decimal places. */
export function createInstantCells(decimals: number, isLocal: boolean): CellReader {
  const perSecond = 10n ** BigInt(decimals);
  const perMs = perSecond / 1000n;
  const toCell = (value: unknown): number | undefined =>
    checkRange(perMs > 1n ? Number(floorDivide(value as bigint, perMs)) : Number(value) * (perMs === 1n ? 1 : 1_000));
  const toText = (value: unknown): string => {
    const ms = toCell(value);
    if (ms === undefined) return String(value);
    const part = (value as bigint) - floorDivide(value as bigint, perSecond) * perSecond;
    const seconds = new Date(ms).toISOString().replace(/\.\d+Z$/, '');
    return `${seconds}${formatFraction(part, decimals) || '.000'}${isLocal ? '' : 'Z'}`;
  };
  return {
    kind: 'time',
    toCell,
    toText,
    isLocal,
    isTruncated: value => perMs > 1n && (value as bigint) % perMs !== 0n,
  };
}

/** Reads times of day, in seconds with the given decimal places. */
export function createTimeOfDayCells(decimals: number): CellReader {
  const perSecond = 10n ** BigInt(decimals);
  return createTextCells('text', value => {
    const units = BigInt(value as number | bigint);
    const parts = [units / (3600n * perSecond), (units / (60n * perSecond)) % 60n, (units / perSecond) % 60n];
    return parts.map(part => String(part).padStart(2, '0')).join(':') + formatFraction(units % perSecond, decimals);
  });
}

const durationNote = 'is a duration, written as in ISO 8601: P1DT2H is 1 day and 2 hours.';

/** Reads durations, in seconds with the given decimal places. */
export function createDurationCells(decimals: number): CellReader {
  const perDay = 86_400n * 10n ** BigInt(decimals);
  const toText = (value: unknown): string => {
    const units = value as bigint;
    return units < 0n ? `-${toText(-units)}` : formatDuration(0n, units / perDay, units % perDay, decimals);
  };
  return createTextCells('text', toText, { durationNote });
}

/** Reads durations of months, days and seconds with the given decimal places, each with its own sign. */
export function createIntervalCells(
  decimals: number,
  toParts: (value: unknown) => readonly [months: bigint, days: bigint, units: bigint],
): CellReader {
  return createTextCells('text', value => formatDuration(...toParts(value), decimals), { durationNote });
}

/** Formats a duration as in ISO 8601. */
function formatDuration(months: bigint, days: bigint, units: bigint, decimals: number): string {
  const perMinute = 60n * 10n ** BigInt(decimals);
  const minutes = units / perMinute;
  const seconds = formatDecimal(units % perMinute, decimals);
  const formatPart = (count: bigint | string, letter: string): string =>
    String(count) === '0' ? '' : `${count}${letter}`;
  const timeText = formatPart(minutes / 60n, 'H') + formatPart(minutes % 60n, 'M') + formatPart(seconds, 'S');
  const text =
    formatPart(months / 12n, 'Y') +
    formatPart(months % 12n, 'M') +
    formatPart(days, 'D') +
    (timeText && `T${timeText}`);
  return `P${text || 'T0S'}`;
}

/** Maps values by a function before they are read. */
export function mapRawCells(cells: CellReader, toValue: (value: unknown) => unknown): CellReader {
  return { ...cells, toCell: value => cells.toCell(toValue(value)), toText: value => cells.toText(toValue(value)) };
}

/** Converts a value within a list or an object to JSON. */
export function toJson({ kind, toCell, toText }: CellReader, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return kind === 'time' || kind === 'date' ? toText(value) : (toCell(value) ?? toText(value));
}

function createNestedCells(parts: readonly CellReader[], toCell: CellReader['toCell']): CellReader {
  const depth = 1 + Math.max(0, ...parts.map(part => part.depth ?? 0));
  if (depth > tableLimits.nesting) throw new GridError('fileUnsupported');
  return { kind: 'nested', toCell, toText: value => serializeJson(toCell(value)), depth };
}

/** Reads lists; undefined for items of an unsupported type. `toItem` unwraps an item. */
export function createListCells(
  items: CellReader | undefined,
  toItem = (item: unknown): unknown => item,
): CellReader | undefined {
  return (
    items &&
    createNestedCells([items], list => Array.from(list as ArrayLike<unknown>, item => toJson(items, toItem(item))))
  );
}

/** Reads objects; undefined if a field has an unsupported type or a name that is ambiguous in JSON. */
export function createObjectCells(
  fields: readonly { readonly name: string; readonly cells: CellReader | undefined }[],
  getChildValue: (value: unknown, name: string, index: number) => unknown,
): CellReader | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const parts = fields.flatMap(({ cells }) => cells ?? []);
  if (names.has('__proto__') || names.size < fields.length || parts.length < fields.length) return undefined;
  return createNestedCells(parts, value =>
    Object.fromEntries(
      parts.map((part, index) => {
        const { name = '' } = fields[index] ?? {};
        return [name, toJson(part, getChildValue(value, name, index))];
      }),
    ),
  );
}
