import { cellState, stateAt, textAt, type Column, type ColumnKind, type Dictionary } from '../shared/frame.ts';
import { jsonText } from './decode/jsonText.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { receivedText } from './rows.ts';

/** Rows [from, to). */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

/** The rows of a column that count; the others could as well not be there. */
export interface UsedColumn {
  readonly column: Column;
  readonly used: readonly Rows[];
}

/**
 * The kind a column has that takes up all of these, as if their records had come in one answer: texts that are all
 * instants are times, values of several kinds are kept as JSON. A column without a value has no say.
 */
export function commonKind(columns: readonly UsedColumn[]): ColumnKind {
  const withValues = columns.filter(hasValues);
  // What once was of several kinds may be of one again, since a later answer replaced the odd cell.
  const kinds = new Set(withValues.map(scalarKind));
  const [first = columns[0]?.column.kind ?? 'text'] = kinds;
  if (![...kinds].every(kind => kind === 'text' || kind === 'time')) return kinds.size === 1 ? first : 'nested';
  if (withValues.length === 0) return first;
  const isInstant = (column: Column, entry: string): boolean => parseInstant(plainText(column, entry)) !== undefined;
  const instants = withValues.every(({ column, used }) => {
    return column.kind === 'time' || usedEntries({ column, used }).every(entry => isInstant(column, entry));
  });
  return instants ? 'time' : 'text';
}

/** The same cells as a column of another kind, one `commonKind` gave for it: nothing is lost. */
export function toKind(column: Column, kind: ColumnKind): Column {
  if (column.kind === kind) return column;
  const { name, path, gaps, field } = column;
  const base = { name, path, ...(gaps && { gaps }), ...(field && { field }) };
  switch (kind) {
    case 'number':
      return { ...base, kind, values: numbersOf(column, entry => asNumber(JSON.parse(entry))) };
    case 'boolean':
      return { ...base, kind, values: Uint8Array.from(numbersOf(column, entry => (entry === 'true' ? 1 : 0))) };
    case 'text':
      return { ...base, kind, texts: dictionaryOf(column, row => cellText(column, row)) };
    case 'nested':
      return { ...base, kind, texts: dictionaryOf(column, row => cellJson(column, row)) };
    case 'time': {
      const received = dictionaryOf(column, row => cellText(column, row));
      const instants = Float64Array.from(received.entries, entry => parseInstant(entry) ?? NaN);
      const values = Float64Array.from(received.codes, code => instants[code] ?? NaN);
      // Rows that do not count may hold any text.
      const isPlain = (entry: string, ms = NaN): boolean => Number.isNaN(ms) || entry === formatInstant(ms);
      const plain = received.entries.every((entry, code) => isPlain(entry, instants[code]));
      return { ...base, kind, values, ...(!plain && { received }) };
    }
  }
}

function rowCountOf(column: Column): number {
  return 'values' in column ? column.values.length : column.texts.codes.length;
}

/** The texts of every row; the empty text where the cell has no value. */
export function dictionaryOf(column: Column, textOf: (row: number) => string): Dictionary {
  const codes = new Uint32Array(rowCountOf(column));
  const known = new Map<string, number>();
  for (let row = 0; row < codes.length; row++) {
    const text = stateAt(column, row) === cellState.value ? textOf(row) : '';
    let code = known.get(text);
    if (code === undefined) known.set(text, (code = known.size));
    codes[row] = code;
  }
  return { codes, entries: [...known.keys()] };
}

function hasValues({ column, used }: UsedColumn): boolean {
  const { gaps } = column;
  if (!gaps) return used.some(({ from, to }) => to > from);
  return used.some(({ from, to }) => gaps.subarray(from, to).includes(cellState.value));
}

/** The kind of JSON cells that are all plain values of one kind; else the column's own kind. */
function scalarKind(part: UsedColumn): ColumnKind {
  if (part.column.kind !== 'nested') return part.column.kind;
  const kinds = new Set(usedEntries(part).map(jsonKind));
  const [only = 'nested'] = kinds;
  return kinds.size === 1 ? only : 'nested';
}

function jsonKind(text: string): ColumnKind {
  if (text.startsWith('[') || text.startsWith('{')) return 'nested';
  const value = JSON.parse(text) as unknown;
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  // A number no double holds is kept as its digits.
  return typeof value === 'number' && jsonText(value) === text ? 'number' : 'nested';
}

function usedEntries({ column, used }: UsedColumn): string[] {
  if (!('texts' in column)) return [];
  const { codes, entries } = column.texts;
  const seen = new Uint8Array(entries.length);
  for (const { from, to } of used)
    for (let row = from; row < to; row++) if (stateAt(column, row) === cellState.value) seen[codes[row] ?? 0] = 1;
  return entries.filter((_, code) => seen[code] === 1);
}

/** Rows that do not count, and gaps, may hold anything: they must not throw. */
function numbersOf(column: Column, valueOf: (entry: string) => number): Float64Array {
  if (column.kind !== 'nested') return new Float64Array(rowCountOf(column)).fill(NaN);
  const { codes, entries } = column.texts;
  const values = entries.map(entry => (entry === '' ? NaN : valueOf(entry)));
  return Float64Array.from(codes, code => values[code] ?? NaN);
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}

/** The text of a cell that is one, be it kept as JSON. */
function cellText(column: Column, row: number): string {
  switch (column.kind) {
    case 'time':
    case 'text':
      return receivedText(column, row);
    case 'nested':
      return plainText(column, textAt(column.texts, row));
    case 'number':
    case 'boolean':
      return cellJson(column, row);
  }
}

function plainText(column: Column, entry: string): string {
  if (column.kind !== 'nested' || !entry.startsWith('"')) return entry;
  return JSON.parse(entry) as string;
}

function cellJson(column: Column, row: number): string {
  switch (column.kind) {
    case 'time':
    case 'text':
      return JSON.stringify(receivedText(column, row));
    case 'number':
      return jsonText(column.values[row]);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'nested':
      return textAt(column.texts, row);
  }
}
