import { cellState, getCellState, getText, type Column, type Frame } from '../../shared/frame.ts';
import { isDateBin } from '../../shared/formatTime.ts';
import { createIsoDateFormatter } from '../bins/dayInterval.ts';
import { formatInstant } from '../time/instant.ts';
import { uniqueName } from '../export/exportTable.ts';

/** A record as the service sent it, with its own names and nesting. */
export type GridRecord = Record<string, unknown>;

/**
 * Yields the frame's records: numbers as numbers, times as received, days of a time zone as dates, null as null, absent fields omitted.
 * If one column is nested in another (`a` and `a.b`, from different responses), the second one appears at the top level under its name.
 */
export function* generateRecords(frame: Frame): Generator<GridRecord> {
  const tree = buildColumnTree(frame.columns.map(replaceDaysByDates));
  for (let row = 0; row < frame.rowCount; row++) yield createRecord(tree, row);
}

/**
 * Replaces instants by dates where rows are days: a reader would not recognize the instant, since a SAST day begins on the previous
 * evening in UTC.
 */
function replaceDaysByDates(column: Column): Column {
  if (column.kind !== 'time' || !column.bins || !isDateBin(column.bins)) return column;
  const { values, bins, ...rest } = column;
  const entries = Array.from(values, createIsoDateFormatter(bins.timeZone));
  return { ...rest, kind: 'text', texts: { codes: Uint32Array.from(entries.keys()), entries } };
}

function createRecord(tree: ColumnTree, row: number): GridRecord {
  const record: GridRecord = {};
  for (const [key, node] of tree) {
    if (node instanceof Map) {
      const inner = createRecord(node, row);
      // A parent whose fields are all absent was absent itself.
      if (Object.keys(inner).length > 0) defineProperty(record, key, inner);
      continue;
    }
    const state = getCellState(node, row);
    if (state !== cellState.absent)
      defineProperty(record, key, state === cellState.null ? null : getCellValue(node, row));
  }
  return record;
}

/** Returns a cell as a JavaScript value. Integers beyond 2^53 lose digits here; exports keep them. */
function getCellValue(column: Column, row: number): unknown {
  switch (column.kind) {
    case 'time':
    case 'text':
      return receivedText(column, row);
    case 'number':
      return column.values[row];
    case 'boolean':
      return column.values[row] === 1;
    case 'nested':
      return JSON.parse(getText(column.texts, row)) as unknown;
  }
}

/** Returns the service's text of a cell that has a value. */
export function receivedText(column: Column & { readonly kind: 'time' | 'text' }, row: number): string {
  if (column.kind === 'text') return getText(column.texts, row);
  return column.received ? getText(column.received, row) : formatInstant(column.values[row] ?? NaN);
}

/** Assigns a property. A field named `__proto__` must become a field and not the record's prototype. */
function defineProperty(target: GridRecord, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/** Columns by the keys of their JSON paths, nested like the service's records. */
type ColumnTree = Map<string, Column | ColumnTree>;

export function buildColumnTree(columns: readonly Column[]): ColumnTree {
  const root: ColumnTree = new Map<string, Column | ColumnTree>();
  for (const column of columns) {
    const parent = findParent(root, column.path.slice(0, -1));
    const key = column.path.at(-1) ?? column.name;
    // Computed columns may share a path with the service's columns, but rarely a name.
    if (parent && !parent.has(key)) parent.set(key, column);
    else root.set(uniqueName(column.name, root), column);
  }
  return root;
}

/** Returns the record at a path; undefined if another column is on the path. */
function findParent(root: ColumnTree, path: readonly string[]): ColumnTree | undefined {
  let node = root;
  for (const key of path) {
    const next = node.get(key);
    if (next && !(next instanceof Map)) return undefined;
    const child: ColumnTree = next ?? new Map<string, Column | ColumnTree>();
    node.set(key, child);
    node = child;
  }
  return node;
}

/** Returns a function that writes the record of a row as JSON. A column whose writer returns undefined is omitted. */
export function createRecordWriter(
  tree: ColumnTree,
  createWriter: (column: Column) => (row: number) => string | undefined,
): (row: number) => string {
  const members = Array.from(tree, ([key, node]) => ({
    head: `${JSON.stringify(key)}:`,
    // A parent whose fields are all absent was absent itself; an empty object from the service is a cell.
    write: node instanceof Map ? omitEmpty(createRecordWriter(node, createWriter)) : createWriter(node),
  }));
  return row => {
    let record = '';
    for (const { head, write } of members) {
      const text = write(row);
      if (text !== undefined) record += (record === '' ? head : `,${head}`) + text;
    }
    return `{${record}}`;
  };
}

function omitEmpty(write: (row: number) => string): (row: number) => string | undefined {
  return row => {
    const text = write(row);
    return text === '{}' ? undefined : text;
  };
}
