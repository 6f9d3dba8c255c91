import assert from 'node:assert/strict';
import type { Connection } from '../../../src/core/connection.ts';
import { GridError } from '../../../src/core/errors.ts';
import { resolveQuery } from '../../../src/core/query.ts';
import { RunBoard, waitsForBudget, type BoardChange } from '../../../src/host/runBoard.ts';
import type { RunOptions } from '../../../src/service/runOptions.ts';
import type { Result } from '../../../src/shared/result.ts';

const connection: Connection = {
  ...{ id: 'one', name: 'Grid', service: 'other', baseUrl: 'https://api.example.org' },
  ...{ keyPrefix: 'sb_test_', state: 'works' },
};
const resolved = resolveQuery({ dataset: 'systemState', range: '2023', interval: '1h', params: {} }, 0, 'UTC');
assert.ok(resolved.ok);
const query = resolved.value;
const price = { requests: 9, now: 3, waitMs: 60_000 };

function answer(requestsSpent: number, failure?: { reason: string; detail: string; stretches: [] }): Result {
  const frame = { rowCount: 24, columns: [] };
  return { frame, bodies: [], provenance: { requestsSpent, ...(failure && { failure }) } } as unknown as Result;
}

/** A board over a service whose runs end when the test says so, or with `cancelled` when their signal does. */
function setUp() {
  const clock = { ms: 5_000, now: () => clock.ms };
  const asked: { options: RunOptions; finish: (result: Result) => void; fail: (error: Error) => void }[] = [];
  const service = {
    run: (_query: unknown, _connection: unknown, options: RunOptions = {}) =>
      new Promise<Result>((resolve, reject) => {
        const cancel = (): void => reject(new GridError('cancelled', { requestsSpent: 2 }));
        if (options.signal?.aborted) cancel();
        options.signal?.addEventListener('abort', cancel);
        asked.push({ options, finish: resolve, fail: reject });
      }),
  };
  const board = new RunBoard({ service, clock });
  const changes: BoardChange[] = [];
  const stop = board.onDidChange(change => changes.push(change));
  const begin = (options?: RunOptions) => {
    const run = board.run(query, connection, options);
    const inner = asked.at(-1);
    assert.ok(inner);
    return { ...inner, run };
  };
  const reasonOf = async (run: Promise<Result>): Promise<string> =>
    run.then(
      () => 'none',
      (error: unknown) => (error instanceof GridError ? error.reason : String(error)),
    );
  return { board, clock, changes, stop, begin, reasonOf };
}

describe('RunBoard', () => {
  it('lists a run while it is active, the oldest first', async () => {
    const { board, changes, begin } = setUp();
    const first = begin();
    const second = begin();
    assert.deepEqual(
      board.runs.map(({ query: { range }, connection: { name }, progress, asksPerson }) => {
        return { range, name, progress, asksPerson };
      }),
      Array(2).fill({ range: '2023', name: 'Grid', progress: undefined, asksPerson: false }),
    );
    const [oldest] = board.runs;
    second.finish(answer(1));
    assert.equal((await second.run).provenance.requestsSpent, 1);
    assert.deepEqual(
      board.runs.map(({ id }) => id),
      [oldest?.id],
    );
    first.fail(new Error('a fault of ours'));
    await assert.rejects(first.run, /a fault of ours/);
    assert.deepEqual(board.runs, []);
    assert.deepEqual(changes, ['begun', 'begun', 'ended', 'ended']);
  });

  it('forwards what a run waits for and its progress', () => {
    const { board, clock, begin } = setUp();
    const heard: unknown[] = [];
    const { options } = begin({
      refresh: 'always',
      onWait: ms => heard.push(ms),
      onProgress: (_, progress) => heard.push(progress),
    });
    assert.equal(options.refresh, 'always');
    options.onWait?.(12_000);
    const waiting = board.runs[0];
    assert.ok(waiting);
    assert.equal(waiting.waitsUntil, 17_000);
    assert.ok(waitsForBudget(waiting, clock.ms + 11_999));
    assert.ok(!waitsForBudget(waiting, clock.ms + 12_000), 'by then the request is out');
    options.onProgress?.(answer(1), { done: 3, total: 9 });
    assert.deepEqual([board.runs[0]?.progress, board.runs[0]?.waitsUntil], [{ done: 3, total: 9 }, undefined]);
    assert.deepEqual(heard, [12_000, { done: 3, total: 9 }]);
  });

  it('tracks runs without a listener, and asks about no plan then', () => {
    const { board, begin } = setUp();
    const { options } = begin();
    options.onWait?.(1000);
    assert.equal(board.runs[0]?.waitsUntil, 6000);
    assert.equal(options.onPlan, undefined);
  });

  it('shows a plan that awaits confirmation, and forwards the answer', async () => {
    for (const goesOn of [true, false]) {
      const { board, begin } = setUp();
      const { options } = begin({ onPlan: async () => Promise.resolve(goesOn) });
      const asking = options.onPlan?.(price, { kept: 0, expected: 8760 });
      assert.deepEqual([board.runs[0]?.asksPerson, board.runs[0]?.progress], [true, { done: 0, total: 9 }]);
      assert.equal(await asking, goesOn);
      assert.equal(board.runs[0]?.asksPerson, false);
    }
  });

  it('keeps the progress when the plan is confirmed again', async () => {
    const { board, begin } = setUp();
    const { options } = begin({ onPlan: async () => Promise.resolve(true) });
    options.onProgress?.(answer(1), { done: 2, total: 4 });
    const asking = options.onPlan?.(price, { kept: 0, expected: 8760 });
    assert.deepEqual([board.runs[0]?.asksPerson, board.runs[0]?.progress], [true, { done: 2, total: 4 }]);
    await asking;
  });

  it('cancels one run and no other', async () => {
    const { board, begin, reasonOf } = setUp();
    const [first, second] = [begin(), begin()];
    board.runs[0]?.cancel();
    assert.equal(await reasonOf(first.run), 'cancelled');
    assert.equal(second.options.signal?.aborted, false);
    assert.equal(board.runs.length, 1);
  });

  it('cancels a run whose plan is not answered', async () => {
    const { board, begin, reasonOf } = setUp();
    const { options, run } = begin({ onPlan: () => new Promise(() => undefined) });
    const asking = options.onPlan?.(price, { kept: 0, expected: 8760 });
    board.runs[0]?.cancel();
    assert.equal(await asking, false);
    assert.equal(await reasonOf(run), 'cancelled');
  });

  it("obeys the caller's signal, also one aborted before", async () => {
    const { begin, reasonOf } = setUp();
    const caller = new AbortController();
    const { run } = begin({ signal: caller.signal });
    caller.abort();
    assert.equal(await reasonOf(run), 'cancelled');
    assert.equal(await reasonOf(begin({ signal: caller.signal }).run), 'cancelled');
  });

  it("leaves the caller's signal unaborted", async () => {
    const { board, begin, reasonOf } = setUp();
    const caller = new AbortController();
    const { run } = begin({ signal: caller.signal });
    board.runs[0]?.cancel();
    await reasonOf(run);
    assert.equal(caller.signal.aborted, false);
  });

  it('keeps the last run of a connection that spent requests, however it ended', async () => {
    const { board, clock, begin, reasonOf } = setUp();
    const last = (): unknown => {
      const request = board.lastRequest(connection);
      return request && [request.at, request.requestsSpent, request.rowCount, request.error?.message];
    };
    assert.equal(last(), undefined);
    const answered = begin();
    clock.ms = 6_000;
    answered.finish(answer(3));
    await answered.run;
    assert.deepEqual(last(), [6_000, 3, 24, undefined]);

    clock.ms = 7_000;
    const kept = begin();
    kept.finish(answer(0));
    await kept.run;
    const refused = begin();
    refused.fail(new GridError('noKey'));
    await reasonOf(refused.run);
    assert.deepEqual(last(), [6_000, 3, 24, undefined], 'neither the archive nor a missing key spends a request');

    const partly = begin();
    partly.finish(answer(2, { reason: 'serverError', detail: 'boom', stretches: [] }));
    await partly.run;
    assert.deepEqual(last(), [7_000, 2, 24, 'serverError: boom']);

    const failed = begin();
    failed.fail(new GridError('timeout', { requestsSpent: 1 }));
    await reasonOf(failed.run);
    assert.deepEqual(last(), [7_000, 1, undefined, 'timeout']);

    const cancelled = begin();
    board.runs[0]?.cancel();
    await reasonOf(cancelled.run);
    assert.deepEqual(last(), [7_000, 2, undefined, 'cancelled']);
    assert.equal(board.lastRequest({ id: 'another' }), undefined);
  });

  it('notifies no removed listener', () => {
    const { changes, stop, begin } = setUp();
    stop();
    begin();
    assert.deepEqual(changes, []);
  });
});
