import type { QueryEngineDeps } from '../../src/service/query/queryEngine.ts';

/** For an engine that runs over addresses and keys alone. */
export const noConnections: QueryEngineDeps['endpoints'] = {
  resolve: () => Promise.reject(new Error('no connection is asked for')),
  noteResult: () => Promise.resolve(),
  noteFailure: () => Promise.resolve(),
};
