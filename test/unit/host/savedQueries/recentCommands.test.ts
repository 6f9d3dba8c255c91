import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import '../../../support/fakeVscode.ts';
import type { RecentRun } from '../../../../src/service/savedQueries/recentRuns.ts';
import { createQuery } from '../../core/savedQueries/trees.ts';

const { openRecentRun, rerunRecentRun } = await import('../../../../src/host/savedQueries/recentCommands.ts');

type Deps = Parameters<typeof openRecentRun>[1];

const saved = createQuery('a');
const run: RecentRun = {
  id: 'run',
  at: Date.UTC(2026, 10, 20, 5),
  query: saved.query,
  connection: { id: 'one', name: 'Grid' },
  requestsSpent: 1,
  outcome: { kind: 'rows', rows: 24 },
  savedId: 'key',
  entry: 'personal/a',
};
const node = { kind: 'recentRun', id: run.id };

describe('the commands of recent runs', () => {
  let openedRuns: { readonly range: string; readonly options: object }[];
  const createDeps = (overrides: object = {}): Deps =>
    ({
      recent: { list: () => [run] },
      connections: { findById: () => connection, findByName: () => undefined },
      nowAt: () => Date.UTC(2026, 10, 21, 5),
      stores: { find: () => ({ item: saved }) },
      sessions: {
        run: async ({ range }: { readonly range: string }, _: unknown, options: object) =>
          Promise.resolve(void openedRuns.push({ range, options })),
      },
      ...overrides,
    }) as unknown as Deps;

  beforeEach(() => {
    openedRuns = [];
  });

  it('opens the hours that a relative range had when it ran, separately from the saved query', async () => {
    await openRecentRun(node, createDeps());
    assert.equal(openedRuns.length, 1);
    assert.notEqual(openedRuns[0]?.range, run.query.range);
    assert.deepEqual(openedRuns[0]?.options, { refresh: 'never', view: undefined, savedId: undefined });
  });

  it('runs the query again in the panel of its saved query', async () => {
    await rerunRecentRun(node, createDeps());
    assert.deepEqual(openedRuns, [{ range: run.query.range, options: { savedId: 'personal/a', view: undefined } }]);
  });

  it('runs a query separately from its saved query if that has changed', async () => {
    await rerunRecentRun(
      node,
      createDeps({ stores: { find: () => ({ item: { ...saved, query: { ...saved.query, range: 'last 7 days' } } }) } }),
    );
    assert.deepEqual(openedRuns, [{ range: run.query.range, options: { savedId: undefined, view: undefined } }]);
  });

  it('names the connection that was removed', async () => {
    const connections = { findById: () => undefined, findByName: () => undefined };
    await assert.rejects(openRecentRun(node, createDeps({ connections })), /The connection 'Grid' was removed/);
    assert.deepEqual(openedRuns, []);
  });
});
