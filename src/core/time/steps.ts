/** Work in steps, after each of which the caller may pause. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Rows of a step: at most 3 ms of sorting. */
export const stepRows = 1 << 15;

/** Cells that a step copies: one or two milliseconds. */
export const stepCells = 1 << 18;

/** Texts that a step parses, looks up or encodes: one or two microseconds each. */
export const stepTexts = 1 << 12;

/** Maps columns of `rowCount` rows, with a step after every `stepCells` cells. */
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

/** Fills an array element by element, with a step after every `stepRows`. */
export function* fillSteps<T extends Float64Array | Int32Array>(into: T, make: (at: number) => number): Steps<T> {
  for (let at = 0; at < into.length; at++) {
    if (at % stepRows === stepRows - 1) yield;
    into[at] = make(at);
  }
  return into;
}

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
