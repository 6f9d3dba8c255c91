/** Why an answer is shown as text alone. */
export const tableProblems = [
  'notRecords',
  'tooManyColumns',
  'tooManyRows',
  'tooManyCells',
  'tooManyTexts',
  'nameTooLong',
  'nestedTooDeep',
  'tooLarge',
] as const;
export type TableProblem = (typeof tableProblems)[number];

/**
 * The largest table that is made of one answer: ten years of hours with 17 columns are 1.5 million cells. A service may send any
 * JSON, and one that is small on the wire may stand for a table that fills the memory: n records with a name of its own each are n²
 * cells.
 */
export const tableLimits = {
  columns: 2_000,
  /** A century of hours. */
  rows: 1_000_000,
  cells: 4_000_000,
  /** Cells of the rows of several answers together: a century of hours with 17 columns are 15 million. */
  joinedCells: 32_000_000,
  /** Different texts in all columns together: each is an object of its own on its way between threads. */
  texts: 250_000,
  /** Characters of a column's name. */
  nameLength: 1_000,
  /** Levels of lists and objects in a cell. */
  nesting: 100,
} as const;

/** Whether rows of several answers, or of several months that are kept, make one table within the limits. */
export function canJoin(columns: number, rows: number): boolean {
  return columns <= tableLimits.columns && columns * rows <= tableLimits.joinedCells;
}
