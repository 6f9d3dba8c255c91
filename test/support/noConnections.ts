import type { QueryEngineDeps } from '../../src/service/query/queryEngine.ts';

/** The endpoints of an engine that runs queries by address and key only, without connections. */
export const noConnections: QueryEngineDeps['endpoints'] = {
  resolve: () => Promise.reject(new Error('there are no connections')),
  noteResult: () => Promise.resolve(),
  noteFailure: () => Promise.resolve(),
};
