import { createScanner } from 'jsonc-parser';
import { decodeText } from '../../core/dataFile/decodeText.ts';
import { parseUnit, type FileReadResult } from '../../core/dataFile/fileTable.ts';
import type { ImportOptions } from '../../shared/importOptions.ts';
import { convertJsonTable, type JsonTable } from '../../core/dataFile/jsonShapes.ts';
import type { Cell, OnRecord } from '../../core/dataFile/records.ts';
import { recordsToTable, splitHeading } from '../../core/dataFile/recordsTable.ts';
import { checkText } from '../../core/dataFile/textTable.ts';
import { decode, type Decoded } from '../../core/decode/decode.ts';
import { GridError } from '../../core/errors.ts';
import { uniqueNames } from '../../core/export/exportTable.ts';
import { parseJson } from '../../core/json/json.ts';
import { formatInstant } from '../../core/time/instant.ts';
import { cellState, dictionaryOf, getCellState, type Column, type Frame } from '../../shared/frame.ts';
import { tableLimits } from '../../shared/tableLimits.ts';

/** Reads JSON or JSON lines as a table, in the shapes that other programs write or as a response of a service. Throws a GridError. */
export function readJsonTable(bytes: Uint8Array, form: 'json' | 'ndjson', options: ImportOptions): FileReadResult {
  const { text, encoding } = decodeText(bytes);
  if (encoding === 'windows-1252') throw new GridError('fileDamaged', { detail: 'not UTF-8 text' });
  // `checkText` rejects JSON, so it is only called for other text.
  if (!/^\s*[[{]/.test(text.slice(0, 10_000))) checkText(text);
  const { value, notes, isTooDeep } = parseJsonFile(text, form);
  const { frame, problem, shape } = isTooDeep ? { problem: 'nestedTooDeep' as const } : decodeShape(value);
  const table = { fileRowCount: frame?.rowCount ?? 0, omitted: shape?.omitted ?? [], provenance: undefined, text };
  if (!frame) return { kind: 'table', table: { ...table, frame, ...(problem && { problem }), zone: undefined, notes } };
  const read = detectTypes(frame, options);
  if (read.kind !== 'table') return read;
  const columns = addUnits(read.columns, shape?.units);
  return {
    kind: 'table',
    table: { ...read.table, ...table, frame: { ...frame, columns }, notes: [...notes, ...read.table.notes] },
  };
}

function decodeShape(value: unknown): Partial<Decoded> & { readonly shape?: JsonTable | undefined } {
  const shape = convertJsonTable(value);
  return { ...decode([shape ? shape.value : value]), shape };
}

/** Parses JSON or JSON lines, whose files are often named .json, including NaN and Infinity as Python writes them. */
function parseJsonFile(text: string, form: 'json' | 'ndjson', notes: readonly string[] = []) {
  const [firstLine = '', secondLine] = text.trim().split('\n', 2);
  const isLines = form === 'ndjson' || (secondLine !== undefined && parseJson(firstLine).ok);
  const json = parseJson(isLines ? toJsonArray(text) : text, rounded => {
    const { problem } = decodeShape(rounded);
    return problem === undefined || problem === 'notRecords';
  });
  if (json.ok) return { value: json.value, notes };
  if (json.why === 'nested too deep') return { isTooDeep: true, value: undefined, notes };
  const replaced = /NaN|Infinity/.test(text) ? replacePythonNumbers(text) : text;
  if (replaced !== text) return parseJsonFile(replaced, form, ['NaN is read as no value, and Infinity as a number.']);
  const line = text.split('\n').findIndex(record => record.trim() !== '' && !parseJson(record).ok) + 1;
  throw new GridError('fileDamaged', { detail: isLines ? `not JSON in line ${line}` : json.why });
}

/** Converts JSON lines to a JSON array. */
function toJsonArray(text: string): string {
  const records = text.split('\n').filter(line => line.trim() !== '');
  if (records.length > tableLimits.rows) throw new GridError('fileTooLarge');
  return `[${records.join(',')}]`;
}

function replacePythonNumbers(text: string): string {
  const scanner = createScanner(text);
  let replaced = '';
  let end = 0;
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, offset + scanner.getTokenLength());
    if (token !== 'NaN' && token !== 'Infinity') continue;
    const start = token === 'Infinity' && text[offset - 1] === '-' ? offset - 1 : offset;
    // A text is read below like other numbers that are texts.
    replaced += text.slice(end, start) + (token === 'NaN' ? 'null' : `"${text.slice(start, offset)}Infinity"`);
    end = offset + token.length;
  }
  return replaced + text.slice(end);
}

/** The line of the heading, before the first row, which is row 1. */
const headingLine = -1;
/** A column with a number in each row, so that no row is mistaken for a total or for a note below the table. */
const rowNumberColumn = 'number of the row';

type ReadTable = Extract<FileReadResult, { kind: 'table' }> & { readonly columns: readonly Column[] };

/** Reads the cells in the same way as the cells of a delimited file, to detect numbers and times that are texts. */
function detectTypes(
  { rowCount, columns }: Frame,
  options: ImportOptions,
): ReadTable | Exclude<FileReadResult, { kind: 'table' }> {
  const textColumns = columns.flatMap(column => {
    const readCell = createTextReader(column);
    return readCell ? [{ column, cellAt: readCell }] : [];
  });
  const names = [rowNumberColumn, ...textColumns.map(({ column }) => column.name)];
  const forEachRecord = (onRecord: OnRecord, count = Infinity): void => {
    onRecord(names, headingLine);
    for (let row = 0; row < Math.min(rowCount, count - 1); row++)
      onRecord([String(row), ...textColumns.map(({ cellAt: readCell }) => readCell(row))], row + 1);
  };
  const read = recordsToTable(
    { forEach: forEachRecord, comments: [], notes: [] },
    { ...options, headingLine, firstLine: 1 },
  );
  if (read.kind !== 'table') return read;
  const { frame, omitted, importedAs } = read.table;
  const [, ...readNames] = uniqueNames(names.map(name => splitHeading(name).name));
  const columnsByName = new Map(textColumns.map(({ column }, index) => [readNames[index] ?? '', column]));
  const notes = read.table.notes.map(note => note.replaceAll(/' in line (?=\d)/g, "' in row "));
  const readColumns = (frame?.columns ?? []).filter(({ name }) => name !== rowNumberColumn);
  const columnsWithPosition = readColumns.map((column, index) => {
    const originalColumn = columnsByName.get(column.name);
    if (!originalColumn) return { position: -1, column };
    const { kind } = column;
    const { name, path } = originalColumn;
    if (kind === 'number' && kind !== originalColumn.kind) notes.push(`Texts of '${name}' are read as numbers.`);
    const isSame =
      kind === 'text' || (kind === originalColumn.kind && !(kind === 'time' && importedAs?.hour === 'end'));
    // The first time column is the time of the rows.
    const position = kind === 'time' && index === 0 ? -1 : columns.indexOf(originalColumn);
    return { position, column: isSame ? originalColumn : { ...column, name, path } };
  });
  for (const [position, column] of columns.entries()) {
    const index = textColumns.findIndex(textColumn => textColumn.column === column);
    if (index === -1 || omitted.includes(readNames[index] ?? '')) columnsWithPosition.push({ position, column });
  }
  columnsWithPosition.sort((a, b) => a.position - b.position);
  const { dateOrder, hour, timeZone } = importedAs ?? {};
  const table = { ...read.table, notes, importedAs: { dateOrder, hour, timeZone } };
  return { kind: 'table', table, columns: columnsWithPosition.map(({ column }) => column) };
}

/**
 * Returns a function that reads the cells of a column as texts. Undefined for lists and objects, and for columns that cannot be times: booleans,
 * fractions, and numbers that exceed a double, whose digits are preserved.
 */
function createTextReader(column: Column): ((row: number) => Cell) | undefined {
  const { entries, codes } = dictionaryOf(column) ?? {};
  const isNested = column.kind === 'nested';
  if (isNested && (entries?.some(json => /^[[{]/.test(json)) || !entries?.some(json => json.startsWith('"'))))
    return undefined;
  const texts = entries?.map(text => (isNested && text.startsWith('"') ? (JSON.parse(text) as string) : text));
  const skipGaps = (read: (row: number) => Cell) => (row: number) =>
    getCellState(column, row) === cellState.value ? read(row) : null;
  if (texts && codes) return skipGaps(row => texts[codes[row] ?? -1] ?? null);
  if (column.kind === 'time') return skipGaps(row => formatInstant(column.values[row] ?? NaN));
  const isWhole =
    column.kind === 'number' && column.values.every(value => Number.isInteger(value) || Number.isNaN(value));
  return isWhole ? skipGaps(row => String(column.values[row])) : undefined;
}

const unitSymbols: Readonly<Record<string, string>> = {
  megawatthours: 'MWh',
  megawatts: 'MW',
  MAW: 'MW',
  percent: '%',
};

/** Adds units from the shape, or from another column with a single text: `value-units` of EIA, or `unit` in an object with a `value`. */
function addUnits(columns: readonly Column[], units: ReadonlyMap<string, string> | undefined): Column[] {
  const columnsByName = new Map(columns.map(column => [column.name, column]));
  const usedUnitColumns = new Set<Column>();
  const readColumns = columns.map(column => {
    const { kind, name } = column;
    if (kind !== 'number') return column;
    const candidates = [
      `${name}-units`,
      `${name}_units`,
      `${name}_unit`,
      name.replace(/value$/, 'units'),
      name.replace(/value$/, 'unit'),
    ];
    const unitColumn = candidates
      .map(candidate => columnsByName.get(candidate))
      .find(candidate => candidate?.kind === 'text');
    const texts = (unitColumn && dictionaryOf(unitColumn)?.entries.filter(text => text !== '')) ?? [];
    const text = units?.get(name) ?? (texts.length === 1 ? texts[0] : undefined);
    const unit = parseUnit(text && (Object.hasOwn(unitSymbols, text) ? unitSymbols[text] : text));
    if (!unit) return column;
    const label = name.endsWith('.value') && !columnsByName.has(name.slice(0, -6)) ? name.slice(0, -6) : name;
    if (label !== name && unitColumn) usedUnitColumns.add(unitColumn);
    return { ...column, name: label, field: { label, meaning: '', unit } };
  });
  return readColumns.filter(column => !usedUnitColumns.has(column));
}
