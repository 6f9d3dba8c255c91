/** Why an answer is shown as text only. */
export type TableProblem =
  | 'notRecords'
  | 'tooManyColumns'
  | 'tooManyRows'
  | 'tooManyCells'
  | 'tooManyTexts'
  | 'nameTooLong'
  | 'nestedTooDeep'
  | 'tooLarge';

/**
 * The limits of a table: ten years of hours with 17 columns are 1.5 million cells. A service may send any JSON, and a small one may fill the
 * memory as a table: n records, each with a name of its own, are n² cells.
 */
export const tableLimits = {
  columns: 2_000,
  /** A century of hours. */
  rows: 1_000_000,
  cells: 4_000_000,
  /** Cells of several answers together: a century of hours with 17 columns are 15 million. */
  joinedCells: 32_000_000,
  /** Different texts in all columns together: each is copied as an object between threads. */
  texts: 250_000,
  /** Characters of a column's name. */
  nameLength: 1_000,
  /** Levels of arrays and objects in a cell. */
  nesting: 100,
} as const;

/** Whether the rows of several answers, or of several archived months, make one table within the limits. */
export function canJoin(columns: number, rows: number): boolean {
  return columns <= tableLimits.columns && columns * rows <= tableLimits.joinedCells;
}
