import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { Run, type RunContext, type RunEvent, type RunOptions } from '../../../../src/service/query/run.ts';
import type { Result } from '../../../../src/shared/result.ts';

const result = { provenance: { requestsSpent: 1 } } as Result;
const price = { requests: 9, now: 3, waitMs: 60_000 };
const plan = { type: 'planned', price, steps: { archived: 0, expected: 8760 } } as const;
const doNothing = (): void => undefined;

async function listEventTypes(run: Run): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  return types;
}

describe('a run', () => {
  it('passes all events to each reader, and the result at the end', async () => {
    const watched: RunEvent[] = [];
    const work = async ({ emit }: RunContext): Promise<Result> => {
      emit({ type: 'waiting', ms: 5 });
      await new Promise(setImmediate);
      emit({ type: 'shared', isWaiting: true });
      return result;
    };
    const run = new Run({}, work, event => watched.push(event));
    const allTypes = ['waiting', 'shared', 'done'];
    assert.deepEqual(await Promise.all([listEventTypes(run), listEventTypes(run)]), [allTypes, allTypes]);
    assert.deepEqual(
      watched.map(({ type }) => type),
      allTypes,
    );
    assert.equal(await run.result, result);
    assert.deepEqual(await listEventTypes(run), ['done'], 'a late reader receives the result');
  });

  it('ends its events with the failure, and rejects the result with it', async () => {
    const error = new GridError('timeout');
    const run = new Run({}, async () => Promise.reject(error), doNothing);
    assert.deepEqual(await listEventTypes(run), ['failed']);
    await assert.rejects(run.result, error);
  });

  it('continues when a reader leaves', async () => {
    const run = new Run(
      {},
      async ({ emit }) => {
        emit({ type: 'waiting', ms: 5 });
        await new Promise(setImmediate);
        emit({ type: 'waiting', ms: 4 });
        return result;
      },
      doNothing,
    );
    for await (const event of run) if (event.type === 'waiting') break;
    assert.equal(await run.result, result);
  });

  it('waits for the first reply to a confirmation', async () => {
    for (const isAccepted of [true, false]) {
      const confirmations: boolean[] = [];
      const run = new Run(
        {},
        async ({ confirm }) => {
          confirmations.push(await confirm(plan));
          return result;
        },
        doNothing,
      );
      const seenEvents: RunEvent[] = [];
      for await (const event of run) {
        seenEvents.push(event);
        if (event.type !== 'planned') continue;
        assert.equal(event.price, price);
        event.reply(isAccepted);
        event.reply(!isAccepted);
      }
      assert.deepEqual(confirmations, [isAccepted]);
      assert.deepEqual(seenEvents[1], { type: 'replied', isAccepted });
    }
  });

  it('declines a pending confirmation when it is canceled', async () => {
    const confirmation = Promise.withResolvers<boolean>();
    const run = new Run(
      {},
      async ({ confirm, signal }) => {
        confirmation.resolve(await confirm(plan));
        signal.throwIfAborted();
        return result;
      },
      doNothing,
    );
    for await (const event of run) if (event.type === 'planned') run.cancel();
    assert.equal(await confirmation.promise, false);
    await assert.rejects(run.result, { name: 'AbortError' });
  });

  it("cancels the run when the caller's signal aborts or is already aborted, and does not abort the signal", async () => {
    const cancelOn = async (options: RunOptions): Promise<Run> => {
      const work = async ({ signal }: RunContext): Promise<Result> =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new GridError('cancelled'))));
      const run = new Run(options, work, doNothing);
      await new Promise(setImmediate);
      return run;
    };
    const caller = new AbortController();
    const run = await cancelOn({ signal: caller.signal });
    caller.abort();
    await assert.rejects(run.result, { reason: 'cancelled' });
    await assert.rejects((await cancelOn({ signal: caller.signal })).result, { reason: 'cancelled' });
    const controller = new AbortController();
    const cancelled = await cancelOn({ signal: controller.signal });
    cancelled.cancel();
    await assert.rejects(cancelled.result, { reason: 'cancelled' });
    assert.equal(controller.signal.aborted, false);
  });
});
