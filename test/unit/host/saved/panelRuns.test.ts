import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/core/connection.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { resolveQuery } from '../../../../src/core/query.ts';
import { PanelRuns } from '../../../../src/host/saved/panelRuns.ts';
import { questionKey } from '../../../../src/host/saved/questionKey.ts';
import { RunGroup } from '../../../../src/service/runGroup.ts';
import type { RunOptions } from '../../../../src/service/runOptions.ts';
import type { RecentRun } from '../../../../src/service/saved/recentRuns.ts';
import type { Result } from '../../../../src/shared/result.ts';

const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: { a: '1' } };
const resolved = resolveQuery(query, Date.UTC(2026, 10, 14), 'UTC');
assert.ok(resolved.ok);
const asked = resolved.value;
const connection: Connection = {
  ...{ id: 'one', name: 'Grid', service: 'other', baseUrl: 'https://api.example.org' },
  ...{ keyPrefix: 'sb_test_', state: 'works' },
};
const result = { frame: { rowCount: 24 }, provenance: { requestsSpent: 2 } } as Result;

describe('run history of panels', () => {
  it('records a run with its result', async () => {
    const { runs, ended } = setUp(async () => Promise.resolve(result));
    assert.equal(await runs.run(asked, connection), result);
    assert.deepEqual(ended, [
      {
        ...{ id: 'id', at: 7, query, connection: { id: 'one', name: 'Grid' }, requestsSpent: 2 },
        ...{ outcome: { kind: 'rows', rows: 24 }, savedId: questionKey(query, 'one') },
      },
    ]);
  });

  it('records a run that retries with a new key', () => {
    const { runs, ended } = setUp(async () => Promise.reject(new Error('nobody asks')));
    runs.answered(query, connection, result);
    assert.deepEqual(ended, [
      {
        ...{ id: 'id', at: 7, query, connection: { id: 'one', name: 'Grid' }, requestsSpent: 2 },
        ...{ outcome: { kind: 'rows', rows: 24 }, savedId: questionKey(query, 'one') },
      },
    ]);
  });

  it('records why a run failed, and still fails', async () => {
    const error = new GridError('badRequest', { requestsSpent: 1 });
    const { runs, ended } = setUp(async () => Promise.reject(error));
    await assert.rejects(runs.run(asked, connection), error);
    assert.deepEqual([ended[0]?.outcome, ended[0]?.requestsSpent], [{ kind: 'failed', reason: 'badRequest' }, 1]);
  });

  it('records no run that was canceled or read only from the archive', async () => {
    const cancelled = setUp(async () => Promise.reject(new GridError('cancelled')));
    await assert.rejects(cancelled.runs.run(asked, connection), { reason: 'cancelled' });
    const looked = setUp(async () => Promise.resolve(result));
    await looked.runs.run(asked, connection, { refresh: 'never' });
    assert.deepEqual([...cancelled.ended, ...looked.ended], []);
  });

  it('confirms a plan that waits once, unless it was confirmed before', async () => {
    const plans: (boolean | undefined)[] = [];
    const { runs } = setUp(async options => {
      plans.push(await options.onPlan?.({ requests: 4, now: 3, waitMs: 60_000 }, { kept: 0, expected: 1 }));
      return result;
    });
    const onPlan = async (): Promise<boolean> => Promise.resolve(false);
    runs.agreeTo({ ...query, range: '2023' }, connection);
    await runs.run(asked, connection, { onPlan });
    runs.agreeTo(query, connection);
    await runs.run(asked, connection, { onPlan });
    await runs.run(asked, connection, { onPlan });
    assert.deepEqual(plans, [false, true, false]);
  });

  it('runs once in the group that was confirmed', async () => {
    const seen: (RunGroup | undefined)[] = [];
    const { runs } = setUp(async ({ together }) => {
      seen.push(together);
      return Promise.resolve(result);
    });
    const together = new RunGroup([asked]);
    runs.agreeTo(query, connection, together);
    await runs.run(asked, connection);
    await runs.run(asked, connection);
    assert.deepEqual([seen.length, seen[0] === together, seen[1]], [2, true, undefined]);
  });
});

function setUp(outcome: (options: RunOptions) => Promise<Result>): { runs: PanelRuns; ended: RecentRun[] } {
  const ended: RecentRun[] = [];
  const service = { run: async (_: unknown, __: unknown, options: RunOptions = {}) => outcome(options) };
  const runs = new PanelRuns({ service, nowAt: () => 7, newId: () => 'id', ended: run => ended.push(run) });
  return { runs, ended };
}
