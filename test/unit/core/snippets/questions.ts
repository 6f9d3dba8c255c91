import assert from 'node:assert/strict';
import { resolveQuery, type Query } from '../../../../src/core/query/query.ts';
import type { SnippetQuery } from '../../../../src/core/snippets/snippetQuery.ts';
import { toServiceQuery } from '../../../support/serviceQuery.ts';

export const now = Date.parse('2023-05-17T14:25:30Z');

/** Creates the query of a test: three days of system state, unless stated otherwise. */
export function createSnippetQuery(
  baseUrl: string,
  { present = now, ...changes }: Partial<Query> & { readonly present?: number } = {},
  options: Partial<SnippetQuery> = {},
): SnippetQuery {
  const query = {
    dataset: 'systemState',
    range: '2023-05-01..2023-05-03',
    interval: '1h',
    params: {},
    timeZone: 'UTC',
    ...changes,
  };
  const resolved = resolveQuery(query, present);
  assert.ok(resolved.ok, query.range);
  return { baseUrl, query: toServiceQuery(resolved.value), ...options };
}
