import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';

/** The answer is a table beyond the limits. Thrown before its cells take memory. */
export class TableLimitError extends Error {
  override readonly name = 'TableLimitError';
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Throws TableLimitError. */
export function checkTableSize(columns: number, rows: number, mostCells: number = tableLimits.cells): void {
  if (columns > tableLimits.columns) throw new TableLimitError('tooManyColumns');
  if (rows > tableLimits.rows) throw new TableLimitError('tooManyRows');
  if (columns * rows > mostCells) throw new TableLimitError('tooManyCells');
}
