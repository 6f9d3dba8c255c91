import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createFingerprint } from '../../../../src/service/limiter/sharedLimiter.ts';
import {
  sendJson,
  startCannedService,
  type CannedService,
  type ReceivedRequest,
} from '../../../support/cannedService.ts';
import { createLimiter } from '../../../support/diskWindow.ts';
import { QueryProcess } from '../../../support/queryWindows.ts';
import { realClock as clock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';

const hour = 3_600_000;
const key = 'not-a-real-key';
const months = ['2023-01', '2023-03', '2023-05'];
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('processes that request the same hours at once', () => {
  let folder: string;
  let service: CannedService;
  let windows: QueryProcess[] = [];
  /** How the service responds now. */
  let respond: (request: ReceivedRequest, response: ServerResponse) => void;

  beforeEach(async () => {
    folder = createTemporaryFolder();
    respond = sendHours;
    service = await startCannedService((request, response) => respond(request, response));
  });
  afterEach(async () => {
    for (const window of windows) await window.kill();
    await service.close();
  });

  async function start(count: number, limit = { requests: 10, seconds: 60 }): Promise<QueryProcess[]> {
    windows = Array.from({ length: count }, (_, index) => {
      return new QueryProcess({ folder, baseUrl: service.baseUrl, name: `window ${index}`, key, limit });
    });
    await Promise.all(windows.map(window => window.waitForMessage('ready')));
    return windows;
  }

  const delayResponse = (ms: number) => (request: ReceivedRequest, response: ServerResponse) =>
    void setTimeout(() => sendHours(request, response), ms);

  for (const [count, latencyMs] of [
    [2, 0],
    [2, 300],
    [4, 0],
    [4, 300],
  ] as const)
    it(`sends one request for ${count} windows with a response after ${latencyMs} ms, and returns all rows in each`, async () => {
      respond = delayResponse(latencyMs);
      const startedWindows = await start(count);
      for (const [round, month] of months.entries()) {
        for (const window of startedWindows) window.runQuery(month);
        const done = await Promise.all(startedWindows.map(window => window.waitForMessage('done', round + 1)));
        assert.equal(service.receivedRequests.length, round + 1, `requests after ${month}`);
        assert.deepEqual(
          done.map(({ rows }) => rows),
          startedWindows.map(() => 744),
        );
        assert.equal(
          done.reduce((sum, { requestsSpent }) => sum + requestsSpent, 0),
          1,
        );
      }
      assert.deepEqual(
        startedWindows.flatMap(window => window.listMessages('warning')),
        [],
      );
    });

  it('sends one request when all wait for the budget, without a second permit', async () => {
    const limit = { requests: 1, seconds: 30 };
    const budgetScope = { origin: service.baseUrl, key, scope: 'normalized_data' };
    const createLimiterAt = (now: () => number) =>
      createLimiter({
        folder,
        name: 'before',
        clock: { ...clock, now },
        logger: quiet,
        fingerprint: createFingerprint(),
      });
    const startedWindows = await start(4, limit);
    // A request was sent 27 seconds ago: the first permit is free in three seconds, the second half a minute later.
    const earlierLimiter = createLimiterAt(() => clock.now() - 27_000);
    (await earlierLimiter.acquire(budgetScope, limit)).release('counted');
    assert.equal((await earlierLimiter.budget(budgetScope, limit)).left, 0);
    const limiter = createLimiterAt(() => clock.now());
    for (const window of startedWindows) window.runQuery('2023-05');
    await Promise.all(startedWindows.map(window => window.waitForMessage('waiting')));
    assert.equal(service.receivedRequests.length, 0);
    const done = await Promise.all(startedWindows.map(window => window.waitForMessage('done')));
    // The slot of the only request is still used, so that no window can have waited for a second permit.
    const { left } = await limiter.budget(budgetScope, limit);
    assert.deepEqual({ left, requests: service.receivedRequests.length }, { left: 0, requests: 1 });
    assert.deepEqual(
      done.map(({ rows }) => rows),
      [744, 744, 744, 744],
    );
  });

  it('requests from another window when the requesting one is killed', async () => {
    let arrived: () => void = () => undefined;
    const request = new Promise<void>(resolve => (arrived = resolve));
    // Delays the response to the window that will be killed.
    respond = () => arrived();
    const startedWindows = await start(2);
    for (const window of startedWindows) window.runQuery('2023-05');
    await request;
    const requestingWindows = startedWindows.filter(window => window.listMessages('requesting').length > 0);
    assert.equal(requestingWindows.length, 1);
    respond = sendHours;
    await requestingWindows[0]?.kill();
    const survivor = startedWindows.find(window => !requestingWindows.includes(window));
    assert.ok(survivor);
    const { rows, requestsSpent } = await survivor.waitForMessage('done');
    assert.deepEqual(
      { rows, requestsSpent, seen: service.receivedRequests.length },
      { rows: 744, requestsSpent: 1, seen: 2 },
    );
  });
});

function sendHours({ query }: ReceivedRequest, response: ServerResponse): void {
  const start = Date.parse(query.get('start') ?? '');
  const end = Date.parse(query.get('end') ?? '');
  const data = Array.from({ length: (end - start) / hour }, (_, index) => ({
    ts: new Date(start + index * hour).toISOString(),
    residual_demand_mw: index,
  }));
  sendJson(response, 200, { data });
}
