import { initialState, type SessionState } from '../../../../src/host/panel/sessionState.ts';
import { connection } from '../../../support/connection.ts';

export const query = { dataset: 'systemState', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' } as const;

/** A session whose query has not run yet. */
export const newSession: SessionState = { ...initialState, request: { query, connection } };
