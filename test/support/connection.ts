import type { Connection } from '../../src/core/connections/connection.ts';

/** A connection whose key works. */
export const connection: Connection = {
  id: 'one',
  name: 'Grid',
  service: 'other',
  baseUrl: 'https://api.example.org',
  keyPrefix: 'sb_test_',
  state: 'works',
};
