/** Work in steps: whoever runs it may pause after each. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Rows a step works on: 3 ms of sorting at most. */
export const stepRows = 1 << 15;

/** Cells a step copies: a millisecond or two. */
export const stepCells = 1 << 18;

/** Texts a step reads, looks up or encodes: an instant or a piece of JSON takes a microsecond or two. */
export const stepTexts = 1 << 12;

/** What `make` makes of each column of `rowCount` rows; a step after so many cells. */
export function* columnSteps<T, R>(columns: Iterable<T>, rowCount: number, make: (column: T) => R): Steps<R[]> {
  const made: R[] = [];
  let cells = 0;
  for (const column of columns) {
    made.push(make(column));
    cells += rowCount;
    if (cells < stepCells) continue;
    cells = 0;
    yield;
  }
  return made;
}

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
