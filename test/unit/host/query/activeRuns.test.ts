import assert from 'node:assert/strict';
import { connection } from '../../../support/connection.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { resolveQuery } from '../../../../src/core/query/query.ts';
import { ActiveRuns, waitsForBudget } from '../../../../src/host/query/activeRuns.ts';
import type { Run, RunContext, RunOptions } from '../../../../src/service/query/run.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { FakeEngine } from '../../../support/fakeEngine.ts';

const resolved = resolveQuery(
  { dataset: 'systemState', range: '2023', interval: '1h', params: {}, timeZone: 'UTC' },
  0,
);
assert.ok(resolved.ok);
const query = resolved.value;
const price = { requests: 9, now: 3, waitMs: 60_000 };
const plan = { type: 'planned', price, steps: { archived: 0, expected: 8760 } } as const;

function createResult(requestsSpent: number, failure?: { reason: string; detail: string; ranges: [] }): Result {
  const frame = { rowCount: 24, columns: [] };
  return { frame, bodies: [], provenance: { requestsSpent, ...(failure && { failure }) } } as unknown as Result;
}

/** Creates the active runs of an engine whose runs end on demand, or with `cancelled` when they are aborted. */
function setUp() {
  const clock = { ms: 5_000, now: () => clock.ms };
  const working: { context: RunContext; finish: (result: Result) => void; fail: (error: Error) => void }[] = [];
  const engine = new FakeEngine(
    async context =>
      new Promise<Result>((resolve, reject) => {
        const { signal } = context;
        signal.addEventListener('abort', () => reject(new GridError('cancelled', { requestsSpent: 2 })));
        working.push({ context, finish: resolve, fail: reject });
      }),
  );
  const activeRuns = new ActiveRuns(engine, clock);
  const changes: string[] = [];
  const listening = activeRuns.onDidChange(change => changes.push(change));
  const begin = async (options?: RunOptions) => {
    const run = engine.run(query, connection, options);
    await new Promise(setImmediate);
    const inner = working.at(-1);
    assert.ok(inner);
    return { ...inner, run };
  };
  const getFailureReason = async ({ result }: Run): Promise<string> =>
    result.then(
      () => 'none',
      (error: unknown) => (error instanceof GridError ? error.reason : String(error)),
    );
  return { activeRuns, engine, clock, changes, listening, begin, getFailureReason };
}

describe('the active runs', () => {
  it('lists a run while it is active, the oldest first', async () => {
    const { activeRuns, changes, begin } = setUp();
    const first = await begin();
    const second = await begin();
    assert.deepEqual(
      activeRuns.list.map(({ query: { range }, connection: { name }, progress, awaitsConfirmation }) => {
        return { range, name, progress, awaitsConfirmation };
      }),
      Array(2).fill({ range: '2023', name: 'Grid', progress: undefined, awaitsConfirmation: false }),
    );
    const [oldest] = activeRuns.list;
    second.finish(createResult(1));
    assert.equal((await second.run.result).provenance.requestsSpent, 1);
    assert.deepEqual(
      activeRuns.list.map(({ id }) => id),
      [oldest?.id],
    );
    first.fail(new Error('a fault of ours'));
    await assert.rejects(first.run.result, /a fault of ours/);
    assert.deepEqual(activeRuns.list, []);
    assert.deepEqual(changes, ['started', 'started', 'done', 'failed']);
  });

  it('shows what a run waits for and its progress', async () => {
    const { activeRuns, clock, begin } = setUp();
    const { context } = await begin();
    context.emit({ type: 'waiting', ms: 12_000 });
    const waiting = activeRuns.list[0];
    assert.ok(waiting);
    assert.equal(waiting.waitsUntil, 17_000);
    assert.ok(waitsForBudget(waiting, clock.ms + 11_999));
    assert.ok(!waitsForBudget(waiting, clock.ms + 12_000), 'the request has been sent by then');
    context.emit({ type: 'progress', progress: { done: 3, total: 9 }, partialResult: undefined });
    assert.deepEqual(
      [activeRuns.list[0]?.progress, activeRuns.list[0]?.waitsUntil],
      [{ done: 3, total: 9 }, undefined],
    );
  });

  it('shows a plan that awaits confirmation until the user confirms or declines it', async () => {
    for (const goesOn of [true, false]) {
      const { activeRuns, engine, begin } = setUp();
      engine.onDidEmit(({ event }) => {
        if (event.type !== 'planned') return;
        assert.deepEqual(
          [activeRuns.list[0]?.awaitsConfirmation, activeRuns.list[0]?.progress],
          [true, { done: 0, total: 9 }],
        );
        event.reply(goesOn);
      });
      const { context } = await begin();
      assert.equal(await context.confirm(plan), goesOn);
      assert.equal(activeRuns.list[0]?.awaitsConfirmation, false);
    }
  });

  it('keeps the progress when the plan is confirmed again', async () => {
    const { activeRuns, begin } = setUp();
    const { context, run } = await begin();
    context.emit({ type: 'progress', progress: { done: 2, total: 4 }, partialResult: undefined });
    const confirmed = context.confirm(plan);
    assert.deepEqual(
      [activeRuns.list[0]?.awaitsConfirmation, activeRuns.list[0]?.progress],
      [true, { done: 2, total: 4 }],
    );
    run.cancel();
    assert.equal(await confirmed, false);
  });

  it('cancels only the given run', async () => {
    const { activeRuns, begin, getFailureReason } = setUp();
    const first = await begin();
    const second = await begin();
    activeRuns.list[0]?.cancel();
    assert.equal(await getFailureReason(first.run), 'cancelled');
    assert.equal(second.context.signal.aborted, false);
    assert.equal(activeRuns.list.length, 1);
  });

  it('keeps the last run of a connection that spent requests, even if it failed or was canceled', async () => {
    const { activeRuns, clock, begin, getFailureReason } = setUp();
    const last = (): unknown => {
      const request = activeRuns.lastRequest(connection);
      return request && [request.at, request.requestsSpent, request.rowCount, request.error?.message];
    };
    assert.equal(last(), undefined);
    const answered = await begin();
    clock.ms = 6_000;
    answered.finish(createResult(3));
    await answered.run.result;
    assert.deepEqual(last(), [6_000, 3, 24, undefined]);

    clock.ms = 7_000;
    const retained = await begin();
    retained.finish(createResult(0));
    await retained.run.result;
    const keyless = await begin();
    keyless.fail(new GridError('noKey'));
    await getFailureReason(keyless.run);
    assert.deepEqual(last(), [6_000, 3, 24, undefined], 'an archived result and a missing key spend no request');

    const partialRun = await begin();
    partialRun.finish(createResult(2, { reason: 'serverError', detail: 'boom', ranges: [] }));
    await partialRun.run.result;
    assert.deepEqual(last(), [7_000, 2, 24, 'serverError: boom']);

    const failed = await begin();
    failed.fail(new GridError('timeout', { requestsSpent: 1 }));
    await getFailureReason(failed.run);
    assert.deepEqual(last(), [7_000, 1, undefined, 'timeout']);

    const cancelled = await begin();
    activeRuns.list[0]?.cancel();
    await getFailureReason(cancelled.run);
    assert.deepEqual(last(), [7_000, 2, undefined, 'cancelled']);
    assert.equal(activeRuns.lastRequest({ id: 'another' }), undefined);
  });

  it('does not notify a removed listener', async () => {
    const { changes, listening, begin } = setUp();
    listening.dispose();
    await begin();
    assert.deepEqual(changes, []);
  });
});
