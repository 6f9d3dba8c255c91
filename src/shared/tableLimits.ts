/** The reasons why a response is shown as text only. */
export type TableProblem =
  | 'notRecords'
  | 'tooManyColumns'
  | 'tooManyRows'
  | 'tooManyCells'
  | 'tooManyTexts'
  | 'textsTooLong'
  | 'cellTooLong'
  | 'nameTooLong'
  | 'nestedTooDeep'
  | 'tooLarge'
  | 'tooSlow';

/**
 * The limits of a table: ten years of hours with 17 columns are 1.5 million cells. A service may send any JSON, and a small response may exhaust
 * the memory as a table: n records with different field names are n² cells.
 */
export const tableLimits = {
  columns: 2_000,
  /** A century of hours. */
  rows: 1_000_000,
  cells: 4_000_000,
  /** Cells of several responses together: a century of hours with 17 columns are 15 million. */
  joinedCells: 32_000_000,
  /** Distinct texts in all columns together: each becomes an object in the host and in the page. */
  texts: 250_000,
  /** Characters of these texts, all of which are in a message to the page. */
  textLength: 20_000_000,
  /** Characters of a text, or of the JSON of a cell. */
  cellLength: 2_000_000,
  /** Characters of a column's name. */
  nameLength: 1_000,
  /** Levels of arrays and objects in a cell. */
  nesting: 100,
} as const;

/** Whether the rows of several responses or archived years fit into one table. */
export function canJoinRows(columns: number, rows: number): boolean {
  return columns <= tableLimits.columns && columns * rows <= tableLimits.joinedCells;
}
