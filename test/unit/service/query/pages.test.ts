import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Price } from '../../../../src/core/query/requestPlan.ts';
import type { ApiResponse, ApiRequest } from '../../../../src/service/client/apiClient.ts';
import { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { readResponse } from '../../../../src/service/client/readResponse.ts';
import type { EndpointRunner, RunHandlers } from '../../../support/followRun.ts';
import { RequestConfirmations } from '../../../../src/service/query/requestConfirmations.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import type { RunContext } from '../../../../src/service/query/run.ts';
import { GridWorld, hour, enterGate } from '../gridWorld.ts';

/** Creates a service whose responses have one hour each and a link to another page. `bytes` is the reported size of a page. */
function setUp(bytes = 100): { world: GridWorld; window: EndpointRunner; sentRequests: ApiRequest[] } {
  const world = new GridWorld('2026-11-21T08:05Z');
  const sentRequests: ApiRequest[] = [];
  const get = async (request: ApiRequest): Promise<ApiResponse> => {
    assert.ok(await enterGate(request), 'the hours are still due');
    const ts = new Date(Date.parse('2026-11-01T00:00Z') + (sentRequests.length % 24) * hour).toISOString();
    sentRequests.push(request);
    const page = Buffer.from(
      JSON.stringify({ next: `?page=${sentRequests.length + 1}`, results: [{ ts, wind_mw: 1 }] }),
    );
    const response = readResponse([page], '');
    if (!response.ok) throw new Error(response.why);
    const { decoded, next } = response;
    const times = { sentAt: world.now, headAt: world.now };
    const wire = { url: '…', status: 200, headers: [], sentAt: world.now, firstByteMs: 0, totalMs: 1, attempt: 1 };
    return Promise.resolve({ body: page, decoded, next, ...times, requestsSpent: 1, trace: { ...wire, bytes }, bytes });
  };
  return {
    world,
    window: world.window({ fetcher: new ResponseFetcher({ get }, new ResponseReader(new ReaderProcesses())) }),
    sentRequests,
  };
}

/** Accepts this number of confirmations, and records them. */
function createConfirmer(times: number): { plans: number[]; onMoreRequests: RunHandlers['onMoreRequests'] } {
  const plans: number[] = [];
  return { plans, onMoreRequests: async ({ requests }) => Promise.resolve(plans.push(requests) <= times) };
}

describe('a response of endless pages', () => {
  it('sends only the confirmed request if no one can confirm more', async () => {
    const { world, window, sentRequests } = setUp();
    const acceptPlan: RunHandlers['onPlan'] = async () => Promise.resolve(true);
    const result = await window.run(world.query('2026-11-01'), world.endpoint, { onPlan: acceptPlan });
    const { requestsSpent, incomplete } = result.provenance;
    assert.deepEqual([sentRequests.length, requestsSpent, incomplete], [1, 1, true]);
    assert.equal(result.frame?.rowCount, 1, 'received rows are preserved');
  });

  it('requests as many pages as each confirmation covers, and confirms further ones', async () => {
    const { world, window, sentRequests } = setUp();
    const { plans, onMoreRequests } = createConfirmer(3);
    const result = await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, sentRequests.length], [[1, 2, 4, 8], 1 + 1 + 2 + 4]);
    assert.equal([...generateRecords(result.frame ?? { rowCount: 0, columns: [] })].length, sentRequests.length);
  });

  it('confirms a retry that must wait, unless one was declined, and sends a retry without a wait', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.price = requests => ({ requests, now: 0, waitMs: 30_000 });
    const may: (boolean | undefined)[] = [];
    const failure = new GridError('serverError', { status: 503, requestsSpent: 2 });
    const get = async (request: ApiRequest): Promise<never> => {
      for (let attempt = 0; attempt < 3; attempt++) may.push(await request.confirmRetry?.(failure));
      throw failure;
    };
    const window = world.window({ fetcher: new ResponseFetcher({ get }, new ResponseReader(new ReaderProcesses())) });
    const prompts: [number, GridError | undefined][] = [];
    const onMoreRequests: RunHandlers['onMoreRequests'] = async ({ requests }, failed) =>
      Promise.resolve(prompts.push([requests, failed]) < 2);
    for (const query of [world.query('2026-11-01'), { ...world.query('2026-11-01'), intervalMs: undefined }]) {
      await assert.rejects(window.run(query, world.endpoint, { onMoreRequests }), { reason: 'serverError' });
      await assert.rejects(window.run(query, world.endpoint), { reason: 'serverError' });
      assert.deepEqual(may.splice(0), [true, false, false, false, false, false]);
      assert.deepEqual(prompts.splice(0), [
        [1, failure],
        [1, failure],
      ]);
    }
    world.price = requests => ({ requests, now: requests, waitMs: 0 });
    await assert.rejects(window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests }));
    assert.deepEqual([may, prompts], [[true, true, true], []]);
  });

  it('confirms a retry also if further pages were confirmed', async () => {
    const prompts: unknown[] = [];
    const failure = new GridError('serverError');
    const confirm: RunContext['confirm'] = async request =>
      Promise.resolve(prompts.push(request.type === 'moreRequests' && request.failed) > 0);
    const getPrice = async (requests: number): Promise<Price> => Promise.resolve({ requests, now: 0, waitMs: 30_000 });
    const confirmations = new RequestConfirmations(
      { confirmations: 'beyondPlan', confirm, signal: new AbortController().signal },
      getPrice,
    );
    const { confirmPage, confirmRetry } = confirmations.createOptions(0);
    await confirmPage(3);
    await confirmRetry(failure);
    await confirmPage(4);
    assert.deepEqual(prompts, [undefined, failure]);
  });

  it('stops when the pages together reach the size limit of a response', async () => {
    const { world, window, sentRequests } = setUp(30 * 2 ** 20);
    const { onMoreRequests } = createConfirmer(100);
    const { provenance } = await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([sentRequests.length, provenance.incomplete], [3, true]);
  });

  it('confirms pages even if they need not wait', async () => {
    const { world, window, sentRequests } = setUp();
    world.price = requests => ({ requests, now: requests, waitMs: 0 });
    const { plans, onMoreRequests } = createConfirmer(0);
    await window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, sentRequests.length], [[1], 1]);
  });

  it('includes the other parts of the plan in the confirmation, and shows it only once if it is declined', async () => {
    const { world, window, sentRequests } = setUp();
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    const { plans, onMoreRequests } = createConfirmer(0);
    await window.run(world.query('2026-10-01..2026-10-30'), world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, sentRequests.length], [[3], 3]);
  });

  it('stops a run that is canceled during the confirmation', async () => {
    const { world, window, sentRequests } = setUp();
    const run = new AbortController();
    const onMoreRequests = async (): Promise<boolean> => {
      run.abort();
      return Promise.resolve(false);
    };
    const running = window.run(world.query('2026-11-01'), world.endpoint, { onMoreRequests, signal: run.signal });
    await assert.rejects(running, { reason: 'cancelled', facts: { requestsSpent: 1 } });
    assert.equal(sentRequests.length, 1);
  });

  it('releases the series to other windows during the confirmation', async () => {
    const { world, window, sentRequests } = setUp();
    const query = world.query('2026-11-01');
    const shared: boolean[] = [];
    const { plans, onMoreRequests } = createConfirmer(1);
    const onFirst: RunHandlers['onMoreRequests'] = async (...asking) => {
      // Another window sends its request before this one continues.
      if (plans.length === 0) await window.run(query, world.endpoint, { onShared: waits => shared.push(waits) });
      return onMoreRequests?.(...asking) ?? false;
    };
    const result = await window.run(query, world.endpoint, { onMoreRequests: onFirst });
    assert.deepEqual([shared, sentRequests.length, result.provenance.requestsSpent], [[], 3, 2]);
  });

  it('spends one request for an interval of unknown length', async () => {
    const { world, window, sentRequests } = setUp();
    const query = { ...world.query('2026-11-01'), interval: 'hourly', intervalMs: undefined };
    await window.run(query, world.endpoint);
    const { plans, onMoreRequests } = createConfirmer(1);
    await window.run(query, world.endpoint, { onMoreRequests });
    assert.deepEqual([plans, sentRequests.length], [[1, 2], 1 + 2]);
  });

  it('sends one background request per hour', async () => {
    const { world, window, sentRequests } = setUp();
    const options = { priority: 'background', maxRequests: 1 } as const;
    const result = await window.run(world.query('2026-11-01'), world.endpoint, options);
    assert.deepEqual([sentRequests.length, result.provenance.requestsSpent], [1, 1]);
  });
});
