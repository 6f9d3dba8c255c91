/** Set where each random check tries all of its cases (`npm run test:long`). */
export const allRunsVariable = 'GRID_DATA_ALL_RUNS';

/** How many random cases a check tries: a third of them beside all other tests, since each run of those draws others. */
export function manyRuns(all: number): number {
  return process.env[allRunsVariable] ? all : Math.ceil(all / 3);
}
