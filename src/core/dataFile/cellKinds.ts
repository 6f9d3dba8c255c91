import { wallTime, instantOf } from './localTime.ts';

/** What all cells of a column may be, as bits. */
export const cellKind = {
  point: 1,
  comma: 2,
  boolean: 4,
  instant: 8,
  local: 16,
  dayFirst: 32,
  monthFirst: 64,
  epoch: 128,
} as const;
export const anyKind = 255;

/** What programs write where there is no value. */
export const noValue = /^(?:n\/?a|null|none|-+)$/i;

const point = /^\s*-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:e[+-]?\d{1,3})?|\.\d+|nan|infinity)\s*$/i;
const comma = /^\s*-?(?:(?:0|[1-9]\d*)(?:,\d*)?(?:e[+-]?\d{1,3})?|,\d+|nan|infinity)\s*$/i;

const epoch = /^[1-9]\d{9}(?:\d{3})?$/;

/** The kinds that are left of a column's with one cell more, which is not empty. */
export function kindsWith(kinds: number, cell: string): number {
  let left = kinds;
  if (left & cellKind.point && !(point.test(cell) && hasFewDigits(cell))) left &= ~cellKind.point;
  if (left & cellKind.comma && !(comma.test(cell) && hasFewDigits(cell))) left &= ~cellKind.comma;
  if (left & cellKind.boolean && cell !== 'true' && cell !== 'false') left &= ~cellKind.boolean;
  if (left & cellKind.instant && instantOf(cell) === undefined) left &= ~cellKind.instant;
  if (left & cellKind.local && wallTime(cell) === undefined) left &= ~cellKind.local;
  if (left & cellKind.dayFirst && wallTime(cell, 'day first') === undefined) left &= ~cellKind.dayFirst;
  if (left & cellKind.monthFirst && wallTime(cell, 'month first') === undefined) left &= ~cellKind.monthFirst;
  if (left & cellKind.epoch && !epoch.test(cell)) left &= ~cellKind.epoch;
  return left;
}

/** UTC milliseconds of a text that matched `epoch`: seconds or milliseconds since 1970, from 2001 on. */
export function epochInstant(cell: string): number {
  return Number(cell) * (cell.length === 10 ? 1000 : 1);
}

/** A double holds any 15 digits, and what is written of one has at most 17. A longer whole number, such as an id, would change. */
function hasFewDigits(cell: string): boolean {
  if (cell.length <= 15) return true;
  const text = cell.trim().replace(',', '.');
  const [digits = ''] = text.replace(/^-?[0.]*/, '').split(/e/i);
  const { length } = digits.replace('.', '');
  return length <= 15 || (length <= 17 && /[.e]/i.test(text)) || String(Number(text)) === text;
}

/** The number of a cell that matched `point` or `comma`. */
export function numberOf(cell: string): number {
  const text = cell.trim().replace(',', '.');
  const value = Number(text);
  return Number.isNaN(value) && /infinity/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : value;
}
