import { isDeepStrictEqual } from 'node:util';
import { cellState, getCellState, type Column, type Frame } from '../../src/shared/frame.ts';

/** A JSON value; instants are UTC milliseconds. */
export type Cell = number | string | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };
export type Cells = Readonly<Record<string, Cell>>;

/** Converts the rows of a table to objects by column name. Missing values are null. */
export function toCells({ columns, rowCount }: Frame): Cells[] {
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(columns.map(column => [column.name, readCell(column, row)])),
  );
}

function readCell(column: Column, row: number): Cell {
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

/** Describes the first difference between the expected rows and an engine's, or returns undefined if they are equal. */
export function findFirstDifference(
  expected: readonly Cells[],
  actual: readonly Cells[],
  ignored: readonly string[] = [],
): string | undefined {
  if (expected.length !== actual.length) return `${actual.length} rows instead of ${expected.length}`;
  for (const [row, expectedCells] of expected.entries()) {
    const actualCells = flatten(actual[row] ?? {});
    for (const name of new Set([...Object.keys(expectedCells), ...Object.keys(actualCells)])) {
      if (ignored.includes(name)) continue;
      const actualCell = actualCells[name] ?? null;
      const expectedCell = expectedCells[name] ?? null;
      if (!isSame(actualCell, expectedCell))
        return `row ${row}, ${name}: ${JSON.stringify(actualCell)} instead of ${JSON.stringify(expectedCell)}`;
    }
  }
  return undefined;
}

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/;

/** Whether two cells are equal; -0 is different from 0. */
function isSame(actualCell: Cell, expectedCell: Cell): boolean {
  if (Object.is(actualCell, expectedCell)) return true;
  // pandas converts booleans with gaps to numbers, and programs parse only one column of a text file as instants.
  if (typeof expectedCell === 'boolean') return actualCell === Number(expectedCell);
  if (typeof expectedCell === 'number' && typeof actualCell === 'string' && isoInstant.test(actualCell))
    return Date.parse(actualCell) === expectedCell;
  // A reader may have parsed the JSON of a list or an object.
  return (
    typeof expectedCell === 'string' &&
    typeof actualCell === 'object' &&
    actualCell !== null &&
    isDeepStrictEqual(actualCell, JSON.parse(expectedCell))
  );
}

/** Flattens nested records into fields with joined names, as in the table. */
function flatten(cells: Cells): Record<string, Cell> {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, cell]): [string, Cell][] => {
      if (typeof cell !== 'object' || cell === null || Array.isArray(cell)) return [[name, cell]];
      return Object.entries(flatten(cell as Cells)).map(([inner, value]) => [`${name}.${inner}`, value]);
    }),
  );
}
