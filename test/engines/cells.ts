import { isDeepStrictEqual } from 'node:util';
import { cellState, getCellState, type Column, type Frame } from '../../src/shared/frame.ts';

/** A value as JSON has it, instants as UTC milliseconds. */
export type Cell = number | string | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };
export type Cells = Readonly<Record<string, Cell>>;

/** The rows of a table, each cell under the name of its column; null and absent are both null. */
export function cellsOf({ columns, rowCount }: Frame): Cells[] {
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(column => [column.name, cellAt(column, row)])),
  );
}

function cellAt(column: Column, row: number): Cell {
  if (getCellState(column, row) !== cellState.value) return null;
  switch (column.kind) {
    case 'number':
    case 'time':
      return column.values[row] ?? null;
    case 'boolean':
      return column.values[row] === 1;
    case 'text':
    case 'nested':
      return column.texts.entries[column.texts.codes[row] ?? -1] ?? '';
  }
}

/** The first difference between the rows that are expected and those that an engine has, in a sentence; undefined for none. */
export function firstDifference(
  expected: readonly Cells[],
  actual: readonly Cells[],
  ignored: readonly string[] = [],
): string | undefined {
  if (expected.length !== actual.length) return `${actual.length} rows instead of ${expected.length}`;
  for (const [row, wanted] of expected.entries()) {
    const found = flat(actual[row] ?? {});
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(found)])) {
      if (ignored.includes(name)) continue;
      const [is, should] = [found[name] ?? null, wanted[name] ?? null];
      if (!isSame(is, should)) return `row ${row}, ${name}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`;
    }
  }
  return undefined;
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;

/** By every bit: -0 is not 0. */
function isSame(is: Cell, should: Cell): boolean {
  if (Object.is(is, should)) return true;
  // Of a column with gaps pandas makes numbers; programs read one column of a text file as instants, the others stay text.
  if (typeof should === 'boolean') return is === Number(should);
  if (typeof should === 'number' && typeof is === 'string' && isoInstant.test(is)) return Date.parse(is) === should;
  // JSON of a list or an object that a reader has parsed.
  return (
    typeof should === 'string' && typeof is === 'object' && is !== null && isDeepStrictEqual(is, JSON.parse(should))
  );
}

/** Fields of nested records under their joined names, as the table has them. */
function flat(cells: Cells): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]): [string, Cell][] => {
      if (typeof cell !== 'object' || cell === null || Array.isArray(cell)) return [[name, cell]];
      return Object.entries(flat(cell as Cells)).map(([inner, value]) => [`${name}.${inner}`, value]);
    }),
  );
}
