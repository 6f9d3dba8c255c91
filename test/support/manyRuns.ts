/** Set where each random check tries all of its cases (`npm run test:long`). */
export const allRunsVariable = 'GRID_DATA_ALL_RUNS';

/** How many random cases a check tries: a fifth of them beside all other tests, which try the same ones each time. */
export function manyRuns(all: number): number {
  return process.env[allRunsVariable] ? all : Math.ceil(all / 5);
}

/** How many a check tries that names no number. */
export function usualRuns(): number {
  return manyRuns(200);
}
