import assert from 'node:assert/strict';
import { resolveQuery, type Query } from '../../../../src/core/query/query.ts';
import type { SnippetQuery } from '../../../../src/core/snippets/snippetQuery.ts';
import { serviceQuery } from '../../../support/serviceQuery.ts';

export const now = Date.parse('2023-05-17T14:25:30Z');

/** Creates the query of a test: by default three days of system state. */
export function questionOf(
  baseUrl: string,
  { at = now, ...changes }: Partial<Query> & { readonly at?: number } = {},
  more: Partial<SnippetQuery> = {},
): SnippetQuery {
  const query = {
    dataset: 'systemState',
    range: '2023-05-01..2023-05-03',
    interval: '1h',
    params: {},
    timeZone: 'UTC',
    ...changes,
  };
  const resolved = resolveQuery(query, at);
  assert.ok(resolved.ok, query.range);
  return { baseUrl, query: serviceQuery(resolved.value), ...more };
}
