import { cellState, getCellState, getText, type Column, type ColumnKind, type Dictionary } from '../../shared/frame.ts';
import { serializeJson } from '../json/json.ts';
import { formatInstant, parseInstant } from '../time/instant.ts';
import { numbersAt } from './clip.ts';
import { receivedText } from './records.ts';

/** Intervals of rows, [from, to), as two parallel lists. */
export interface Rows {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** A column and the rows of it that are used. */
interface ColumnInUse {
  readonly column: Column;
  readonly used: Rows;
}

/**
 * Returns the kind of a column that joins all of these, as if their records had come in one response: texts that are all instants become
 * times; values of several kinds become nested JSON. Columns without a value are ignored.
 */
export function commonKind(columns: readonly ColumnInUse[]): ColumnKind {
  const columnsWithValues = columns.filter(hasValues);
  // A column that had several kinds may have a single kind again after a later response replaced the deviating cell.
  const kinds = new Set<ColumnKind>();
  for (const part of columnsWithValues) kinds.add(detectScalarKind(part));
  const [first = columns[0]?.column.kind ?? 'text'] = kinds;
  if (![...kinds].every(kind => kind === 'text' || kind === 'time')) return kinds.size === 1 ? first : 'nested';
  if (columnsWithValues.length === 0) return first;
  for (const part of columnsWithValues) {
    const { column } = part;
    if (column.kind === 'time') continue;
    const isInstant = (entry: string): boolean => parseInstant(unquoteText(column, entry)) !== undefined;
    if (!getUsedEntries(part).every(isInstant)) return 'text';
  }
  return 'time';
}

/** Converts a column to the kind that `commonKind` returned for it, without losing anything. */
export function toKind(column: Column, kind: ColumnKind): Column {
  if (column.kind === kind) return column;
  const { name, path, gaps, field } = column;
  const base = { name, path, ...(gaps && { gaps }), ...(field && { field }) };
  switch (kind) {
    case 'number':
      return { ...base, kind, values: parseNumbers(column, parseJsonNumber) };
    case 'boolean':
      return { ...base, kind, values: Uint8Array.from(parseNumbers(column, entry => Number(entry === 'true'))) };
    case 'text':
      return { ...base, kind, texts: buildDictionary(column, row => getCellText(column, row)) };
    case 'nested':
      return { ...base, kind, texts: buildDictionary(column, row => cellJson(column, row)) };
    case 'time': {
      const received = buildDictionary(column, row => getCellText(column, row));
      const instants = Float64Array.from(received.entries, entry => parseInstant(entry) ?? NaN);
      const values = numbersAt(instants, received.codes);
      // Unused rows may hold any text.
      const isPlain = (entry: string, ms = NaN): boolean => Number.isNaN(ms) || entry === formatInstant(ms);
      const areAllPlain = received.entries.every((entry, code) => isPlain(entry, instants[code]));
      return { ...base, kind, values, ...(!areAllPlain && { received }) };
    }
  }
}

function countRows(column: Column): number {
  return 'values' in column ? column.values.length : column.texts.codes.length;
}

/** Builds a dictionary of the text of each row, with an empty text for cells without a value. */
export function buildDictionary(column: Column, getText: (row: number) => string): Dictionary {
  const codes = new Uint32Array(countRows(column));
  const codeByText = new Map<string, number>();
  for (let row = 0; row < codes.length; row++) {
    const text = getCellState(column, row) === cellState.value ? getText(row) : '';
    let code = codeByText.get(text);
    if (code === undefined) codeByText.set(text, (code = codeByText.size));
    codes[row] = code;
  }
  return { codes, entries: [...codeByText.keys()] };
}

function hasValues({ column: { gaps }, used: { from, to } }: ColumnInUse): boolean {
  for (let piece = 0; piece < from.length; piece++)
    for (let row = from[piece] ?? 0; row < (to[piece] ?? 0); row++)
      if (!gaps || gaps[row] === cellState.value) return true;
  return false;
}

/** Returns the kind of the values if all nested JSON cells are plain values of one kind; otherwise the column's own kind. */
function detectScalarKind(part: ColumnInUse): ColumnKind {
  if (part.column.kind !== 'nested') return part.column.kind;
  const kinds = new Set<ColumnKind>();
  const isSameKind = (entry: string): boolean => kinds.add(detectJsonKind(entry)).size === 1;
  const areSameKind = getUsedEntries(part).every(isSameKind);
  const [singleKind = 'nested'] = kinds;
  return areSameKind ? singleKind : 'nested';
}

function detectJsonKind(text: string): ColumnKind {
  if (text.startsWith('[') || text.startsWith('{')) return 'nested';
  const value = JSON.parse(text) as unknown;
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  // A number that no double can represent is stored as its digits.
  return typeof value === 'number' && serializeJson(value) === text ? 'number' : 'nested';
}

function getUsedEntries({ column, used: { from, to } }: ColumnInUse): string[] {
  if (!('texts' in column)) return [];
  const { codes, entries } = column.texts;
  const isUsed = new Uint8Array(entries.length);
  for (let piece = 0; piece < from.length; piece++) {
    const end = to[piece] ?? 0;
    for (let row = from[piece] ?? 0; row < end; row++)
      if (getCellState(column, row) === cellState.value) isUsed[codes[row] ?? 0] = 1;
  }
  return entries.filter((_, code) => isUsed[code] === 1);
}

/** Parses the entries as numbers. Never throws for unused rows or gaps, which may hold anything. */
function parseNumbers(column: Column, parseValue: (entry: string) => number): Float64Array {
  if (column.kind !== 'nested') return new Float64Array(countRows(column)).fill(NaN);
  const { codes, entries } = column.texts;
  const values = Float64Array.from(entries, entry => (entry === '' ? NaN : parseValue(entry)));
  return numbersAt(values, codes);
}

function parseJsonNumber(json: string): number {
  const value: unknown = JSON.parse(json);
  return typeof value === 'number' ? value : NaN;
}

/** Returns the text of a cell; for a JSON string its content. */
function getCellText(column: Column, row: number): string {
  if (column.kind === 'time' || column.kind === 'text') return receivedText(column, row);
  return unquoteText(column, cellJson(column, row));
}

function unquoteText(column: Column, entry: string): string {
  if (column.kind !== 'nested' || !entry.startsWith('"')) return entry;
  return JSON.parse(entry) as string;
}

/** Returns a cell that has a value as JSON. Numbers keep all digits that were received. */
export function cellJson(column: Column, row: number): string {
  switch (column.kind) {
    case 'time':
    case 'text':
      return JSON.stringify(receivedText(column, row));
    case 'number':
      return serializeJson(column.values[row]);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'nested':
      return getText(column.texts, row);
  }
}
