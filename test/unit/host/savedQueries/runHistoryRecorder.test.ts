import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import { RunHistoryRecorder, lastRunKey } from '../../../../src/host/savedQueries/runHistoryRecorder.ts';
import type { RunOptions } from '../../../../src/service/query/run.ts';
import type { RecentRun } from '../../../../src/service/savedQueries/recentRuns.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { FakeEngine } from '../../../support/fakeEngine.ts';

const query = { dataset: 'systemState', range: 'last 24 hours', interval: '1h', params: { a: '1' }, timeZone: 'UTC' };
const resolved = resolveQuery(query, Date.UTC(2026, 10, 14));
assert.ok(resolved.ok);
const resolvedQuery = resolved.value;
const result = { frame: { rowCount: 24 }, provenance: { requestsSpent: 2, meta: {} } } as Result;
const recorded: RecentRun = {
  id: 'id',
  at: 7,
  query,
  connection: { id: 'one', name: 'Grid' },
  requestsSpent: 2,
  outcome: { kind: 'rows', rows: 24 },
  savedId: lastRunKey(query, 'one'),
};

describe('the recorder of the run history', () => {
  it('adds a run with its result', async () => {
    const { run, added } = setUp(async () => Promise.resolve(result));
    assert.equal(await run(), result);
    assert.deepEqual(added, [recorded]);
  });

  it('adds whether the rows are sandbox data', async () => {
    for (const data of ['replay', 'synthetic'] as const) {
      const provenance = { ...result.provenance, meta: { meta: { source: data } } };
      const { run, added } = setUp(async () => Promise.resolve({ ...result, provenance }));
      await run();
      assert.deepEqual(added, [{ ...recorded, data }]);
    }
  });

  it('adds the id of the saved query', async () => {
    const { run, added } = setUp(async () => Promise.resolve(result));
    await run({ isRecorded: true, savedEntryId: 'own/morning' });
    assert.deepEqual(added, [{ ...recorded, entry: 'own/morning' }]);
  });

  it('marks an hourly refresh as automatic', async () => {
    const { run, added } = setUp(async () => Promise.resolve(result));
    await run({ isRecorded: true, priority: 'background' });
    assert.deepEqual(added, [{ ...recorded, isRefresh: true }]);
  });

  it('adds days of a zone with the interval of the query', async () => {
    const days = { ...query, interval: '1d@SAST', range: '2026-10' };
    const resolvedDays = resolveQuery(days, Date.UTC(2026, 10, 14));
    assert.ok(resolvedDays.ok);
    const { run, added } = setUp(async () => Promise.resolve(result));
    await run({ isRecorded: true }, resolvedDays.value);
    assert.equal(added[0]?.savedId, lastRunKey(days, 'one'));
  });

  it('adds the run of a connection that was not saved yet', () => {
    const { history, added } = setUp(async () => Promise.reject(new Error('nobody asks')));
    history.record(query, connection, result);
    assert.deepEqual(added, [recorded]);
  });

  it('adds why a run failed', async () => {
    const error = new GridError('badRequest', { requestsSpent: 1 });
    const { run, added } = setUp(async () => Promise.reject(error));
    await assert.rejects(run(), error);
    assert.deepEqual([added[0]?.outcome, added[0]?.requestsSpent], [{ kind: 'failed', reason: 'badRequest' }, 1]);
  });

  it('adds no run that was canceled, read only from the archive, or is not to be recorded', async () => {
    const canceled = setUp(async () => Promise.reject(new GridError('cancelled')));
    await assert.rejects(canceled.run(), { reason: 'cancelled' });
    const { run, added } = setUp(async () => Promise.resolve(result));
    await run({ isRecorded: true, refresh: 'never' });
    await run({});
    assert.deepEqual([...canceled.added, ...added], []);
  });
});

function setUp(work: () => Promise<Result>) {
  const added: RecentRun[] = [];
  const engine = new FakeEngine(work);
  const add = (run: RecentRun): void => void added.push(run);
  const history = new RunHistoryRecorder({ engine, nowAt: () => 7, newId: () => 'id', add });
  const run = async (options: RunOptions = { isRecorded: true }, of = resolvedQuery): Promise<Result> =>
    engine.run(of, connection, options).result;
  return { history, added, run };
}
