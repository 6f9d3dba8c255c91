/** The environment variable that makes each property test run all its cases (`npm run test:long`). */
export const allRunsVariable = 'GRID_DATA_ALL_RUNS';

/** Returns the number of random cases of a property test: by default a fifth of them, with a fixed seed. */
export function scaleRunCount(fullCount: number): number {
  return process.env[allRunsVariable] ? fullCount : Math.ceil(fullCount / 5);
}

/** Returns the default number of cases. */
export function getDefaultRunCount(): number {
  return scaleRunCount(200);
}
