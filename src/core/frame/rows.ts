import { cellState, stateAt, textAt, type Column, type Frame } from '../../shared/frame.ts';
import { areDates } from '../../shared/formatTime.ts';
import { isoDates } from '../bins/dayInterval.ts';
import { formatInstant } from '../time/instant.ts';
import { uniqueName } from '../export/exportTable.ts';

/** One record as the service sent it: its own names, nested where they were nested. */
export type Row = Record<string, unknown>;

/**
 * The frame's records, one at a time: numbers as numbers, times as received, days of a zone as their dates, null as null,
 * absent fields left out. Of two columns, one
 * nested in the other (`a` and `a.b`, from answers that differ), the second appears at the top level under its name.
 */
export function* rowsOf(frame: Frame): Generator<Row> {
  const tree = columnTree(frame.columns.map(withDates));
  for (let row = 0; row < frame.rowCount; row++) yield recordOf(tree, row);
}

/** Days have no instant that a reader would know them by: those of SAST begin on the evening before, in UTC. */
function withDates(column: Column): Column {
  if (column.kind !== 'time' || !column.bins || !areDates(column.bins)) return column;
  const { values, bins, ...rest } = column;
  const entries = Array.from(values, isoDates(bins.timeZone));
  return { ...rest, kind: 'text', texts: { codes: Uint32Array.from(entries.keys()), entries } };
}

function recordOf(tree: ColumnTree, row: number): Row {
  const record: Row = {};
  for (const [key, node] of tree) {
    if (node instanceof Map) {
      const inner = recordOf(node, row);
      // A parent whose fields are all absent was absent itself.
      if (Object.keys(inner).length > 0) define(record, key, inner);
      continue;
    }
    const state = stateAt(node, row);
    if (state !== cellState.absent) define(record, key, state === cellState.null ? null : cellValue(node, row));
  }
  return record;
}

/** A cell as a JavaScript value. Integers beyond 2^53 lose digits here, as in any JavaScript number; exports keep them. */
function cellValue(column: Column, row: number): unknown {
  switch (column.kind) {
    case 'time':
    case 'text':
      return receivedText(column, row);
    case 'number':
      return column.values[row];
    case 'boolean':
      return column.values[row] === 1;
    case 'nested':
      return JSON.parse(textAt(column.texts, row)) as unknown;
  }
}

/** The service's own text of a cell that has a value. */
export function receivedText(column: Column & { readonly kind: 'time' | 'text' }, row: number): string {
  if (column.kind === 'text') return textAt(column.texts, row);
  return column.received ? textAt(column.received, row) : formatInstant(column.values[row] ?? NaN);
}

/** Plain assignment, but for a field named `__proto__`, which must become a field and not the record's prototype. */
function define(target: Row, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

/** Columns by the keys of their paths, nested as the service nests its records. */
type ColumnTree = Map<string, Column | ColumnTree>;

export function columnTree(columns: readonly Column[]): ColumnTree {
  const root: ColumnTree = new Map<string, Column | ColumnTree>();
  for (const column of columns) {
    const parent = parentOf(root, column.path.slice(0, -1));
    const key = column.path.at(-1) ?? column.name;
    // Computed columns may share a path with the service's columns, but mostly not their name.
    if (parent && !parent.has(key)) parent.set(key, column);
    else root.set(uniqueName(column.name, root), column);
  }
  return root;
}

/** The record at a path; undefined where another column is on the path. */
function parentOf(root: ColumnTree, path: readonly string[]): ColumnTree | undefined {
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

/** Writes the record of a row as JSON; a column whose writer returns undefined is left out. */
export function recordWriter(
  tree: ColumnTree,
  writerOf: (column: Column) => (row: number) => string | undefined,
): (row: number) => string {
  const members = Array.from(tree, ([key, node]) => ({
    head: `${JSON.stringify(key)}:`,
    // A parent whose fields are all absent was absent itself; an empty object from the service is a cell.
    write: node instanceof Map ? unlessEmpty(recordWriter(node, writerOf)) : writerOf(node),
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

function unlessEmpty(write: (row: number) => string): (row: number) => string | undefined {
  return row => {
    const text = write(row);
    return text === '{}' ? undefined : text;
  };
}
