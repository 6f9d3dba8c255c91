import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Price } from '../../../../src/core/query/requestPlan.ts';
import type { ApiResponse, ApiRequest } from '../../../../src/service/client/apiClient.ts';
import { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { readResponse } from '../../../../src/service/client/readResponse.ts';
import type { EndpointRunner, Following } from '../../../support/followedRun.ts';
import { RequestConfirmations } from '../../../../src/service/query/requestConfirmations.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { RunContext } from '../../../../src/service/query/run.ts';
import { GridWorld, hour, mayGo } from '../gridWorld.ts';

/** A service whose every answer has an hour and says that there is a page after it; `bytes` is the size it is said to be of. */
function setUp(bytes = 100): { world: GridWorld; window: EndpointRunner; asked: ApiRequest[] } {
  const world = new GridWorld('2026-11-21T08:05Z');
  const asked: ApiRequest[] = [];
  const get = async (request: ApiRequest): Promise<ApiResponse> => {
    assert.ok(await mayGo(request), 'the hours are still due');
    const ts = new Date(Date.parse('2026-11-01T00:00Z') + (asked.length % 24) * hour).toISOString();
    asked.push(request);
    const page = Buffer.from(JSON.stringify({ next: `?page=${asked.length + 1}`, results: [{ ts, wind_mw: 1 }] }));
    const read = readResponse([page], '');
    if (!read.ok) throw new Error(read.why);
    const { decoded, next } = read;
    const times = { sentAt: world.now, headAt: world.now };
    const wire = { url: '…', status: 200, headers: [], sentAt: world.now, firstByteMs: 0, totalMs: 1, attempt: 1 };
    return Promise.resolve({ body: page, decoded, next, ...times, requestsSpent: 1, trace: { ...wire, bytes }, bytes });
  };
  return {
    world,
    window: world.window({ fetcher: new ResponseFetcher({ get }, new ResponseReader(new ReaderProcesses())) }),
    asked,
  };
}

/** Agrees to so many questions, and keeps what they were about. */
function agreeing(times: number): { plans: number[]; onMoreRequests: Following['onMoreRequests'] } {
  const plans: number[] = [];
  return { plans, onMoreRequests: async ({ requests }) => Promise.resolve(plans.push(requests) <= times) };
}

describe('a response of endless pages', () => {
  it('spends only the confirmed request when nobody is asked', async () => {
    const { world, window, asked } = setUp();
    const agreed: Following['onPlan'] = async () => Promise.resolve(true);
    const result = await window.run(world.query('2026-11-01'), world.endpoint, { onPlan: agreed });
    const { requestsSpent, incomplete } = result.provenance;
    assert.deepEqual([asked.length, requestsSpent, incomplete], [1, 1, true]);
    assert.equal(result.frame?.rowCount, 1, 'what came is kept');
  });

  it('requests as many pages as each prompt covers, and asks again before more', async () => {
    const { world, window, asked } = setUp();
    const { plans, onMoreRequests } = agreeing(3);
    const result = await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, asked.length], [[1, 2, 4, 8], 1 + 1 + 2 + 4]);
    assert.equal([...generateRecords(result.frame ?? { rowCount: 0, columns: [] })].length, asked.length);
  });

  it('asks before a retry that waits, and not again once declined; one without a wait is sent', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.price = requests => ({ requests, now: 0, waitMs: 30_000 });
    const may: (boolean | undefined)[] = [];
    const failure = new GridError('serverError', { status: 503, requestsSpent: 2 });
    const get = async (request: ApiRequest): Promise<never> => {
      for (let attempt = 0; attempt < 3; attempt++) may.push(await request.confirmRetry?.(failure));
      throw failure;
    };
    const window = world.window({ fetcher: new ResponseFetcher({ get }, new ResponseReader(new ReaderProcesses())) });
    const asked: [number, GridError | undefined][] = [];
    const onMoreRequests: Following['onMoreRequests'] = async ({ requests }, failed) =>
      Promise.resolve(asked.push([requests, failed]) < 2);
    for (const query of [world.query('2026-11-01'), { ...world.query('2026-11-01'), stepMs: undefined }]) {
      await assert.rejects(window.run(query, world.endpoint, { onMoreRequests }), { reason: 'serverError' });
      await assert.rejects(window.run(query, world.endpoint), { reason: 'serverError' });
      assert.deepEqual(may.splice(0), [true, false, false, false, false, false]);
      assert.deepEqual(asked.splice(0), [
        [1, failure],
        [1, failure],
      ]);
    }
    world.price = requests => ({ requests, now: requests, waitMs: 0 });
    await assert.rejects(window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests }));
    assert.deepEqual([may, asked], [[true, true, true], []]);
  });

  it('asks about a retry also when further pages were confirmed', async () => {
    const asked: unknown[] = [];
    const failure = new GridError('serverError');
    const confirm: RunContext['confirm'] = async question =>
      Promise.resolve(asked.push(question.type === 'moreRequests' && question.failed) > 0);
    const priceOf = async (requests: number): Promise<Price> => Promise.resolve({ requests, now: 0, waitMs: 30_000 });
    const agreement = new RequestConfirmations(
      { confirmations: 'beyondPlan', confirm, signal: new AbortController().signal },
      priceOf,
    );
    const { confirmPage, confirmRetry } = agreement.createOptions(0);
    await confirmPage(3);
    await confirmRetry(failure);
    await confirmPage(4);
    assert.deepEqual(asked, [undefined, failure]);
  });

  it('stops when the pages together reach the size limit of a response', async () => {
    const { world, window, asked } = setUp(30 * 2 ** 20);
    const { onMoreRequests } = agreeing(100);
    const { provenance } = await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([asked.length, provenance.incomplete], [3, true]);
  });

  it('asks about pages although they need not wait', async () => {
    const { world, window, asked } = setUp();
    world.price = requests => ({ requests, now: requests, waitMs: 0 });
    const { plans, onMoreRequests } = agreeing(0);
    await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, asked.length], [[1], 1]);
  });

  it('includes the other parts of the plan in the prompt, and asks once when declined', async () => {
    const { world, window, asked } = setUp();
    world.learned.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    const { plans, onMoreRequests } = agreeing(0);
    await window.run(world.query('2026-10-01..2026-10-30'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, asked.length], [[3], 3]);
  });

  it('stops a run that is canceled during the prompt', async () => {
    const { world, window, asked } = setUp();
    const run = new AbortController();
    const onMoreRequests = async (): Promise<boolean> => {
      run.abort();
      return Promise.resolve(false);
    };
    const running = window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests, signal: run.signal });
    await assert.rejects(running, { reason: 'cancelled', facts: { requestsSpent: 1 } });
    assert.equal(asked.length, 1);
  });

  it('releases the series to other windows during the prompt', async () => {
    const { world, window, asked } = setUp();
    const query = world.query('2026-11-01');
    const shared: boolean[] = [];
    const { plans, onMoreRequests } = agreeing(1);
    const onFirst: Following['onMoreRequests'] = async (...asking) => {
      // Another window needs its request before this one goes on.
      if (plans.length === 0) await window.run(query, world.endpoint, { onShared: waits => shared.push(waits) });
      return onMoreRequests?.(...asking) ?? false;
    };
    const result = await window.run(query, world.endpoint, { onMoreRequests: onFirst });
    assert.deepEqual([shared, asked.length, result.provenance.requestsSpent], [[], 3, 2]);
  });

  it('spends one request also for an interval of unknown length', async () => {
    const { world, window, asked } = setUp();
    const query = { ...world.query('2026-11-01'), interval: 'hourly', stepMs: undefined };
    await window.run(query, world.endpoint);
    const { plans, onMoreRequests } = agreeing(1);
    await window.run(query, world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, asked.length], [[1, 2], 1 + 2]);
  });

  it('spends one background request an hour', async () => {
    const { world, window, asked } = setUp();
    const options = { priority: 'background', maxRequests: 1 } as const;
    const result = await window.run(world.query('2026-11-01'), world.endpoint, options);
    assert.deepEqual([asked.length, result.provenance.requestsSpent], [1, 1]);
  });
});
