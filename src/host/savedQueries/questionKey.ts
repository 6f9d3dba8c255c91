import { queryIdentity, type Query } from '../../core/query/query.ts';

/**
 * Names a question to a connection. By it the last run of a saved query is known, however it was run, also after it was
 * renamed, moved or copied; once its range is another, it is another question.
 */
export function questionKey(query: Query, connectionId: string): string {
  return `${connectionId} ${queryIdentity(query)}`;
}
