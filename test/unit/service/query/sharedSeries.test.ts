import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/core/ports.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import type { EndpointRunner, RunHandlers } from '../../../support/followRun.ts';
import type { Result } from '../../../../src/shared/result.ts';
import {
  sendJson,
  startCannedService,
  type CannedService,
  type ReceivedRequest,
} from '../../../support/cannedService.ts';
import { createDiskWindow } from '../../../support/diskWindow.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { createFastClock } from '../hurriedClock.ts';

/** Windows of one folder request the same month from a service that is slow or rejects the first requests. */
describe('windows that wait for each other', () => {
  let folder: string;
  let service: CannedService;
  let warnings: string[];

  beforeEach(() => {
    folder = createTemporaryFolder();
    warnings = [];
  });
  afterEach(async () => service.close());

  function createEndpoint(requests: number) {
    const { baseUrl } = service;
    const limits = { normalized_data: { requests, seconds: 60 } };
    return { name: 'World', source: baseUrl, baseUrl, key: 'not-a-real-key', limits };
  }

  function open(name: string, clock: Clock): EndpointRunner {
    const warn = (line: string): void => {
      if (line.includes('take turns')) warnings.push(line);
    };
    const logger = { info: () => undefined, warn, error: warn };
    return createDiskWindow({ folder, name, clock, logger, fingerprint: async () => Promise.resolve('0123abcd') })
      .runner;
  }

  /** Runs the month in this number of windows, which are named by number. */
  async function runAll(
    count: number,
    clock: Clock,
    requests: number,
    createHandlers: (name: string) => RunHandlers = () => ({}),
  ): Promise<Result[]> {
    const names = Array.from({ length: count }, (_, index) => String(index));
    return Promise.all(
      names.map(async name => open(name, clock).run(resolveMonth(), createEndpoint(requests), createHandlers(name))),
    );
  }

  for (const [status, windows, requests] of [
    [429, 2, 10],
    [503, 3, 3],
  ] as const)
    it(`holds neither permit nor series against another window after a ${status}`, async () => {
      const fastClock = createFastClock(10);
      // The clock stops before a permit or a series becomes free, so that this test hangs if a window holds either needlessly.
      let lastInstant = Infinity;
      const clock = { ...fastClock, now: () => Math.min(fastClock.now(), lastInstant) };
      const { promise: areWaiting, resolve: allWait } = Promise.withResolvers<undefined>();
      service = await startCannedService((request, response) => {
        if (service.receivedRequests.length > 1) {
          sendJson(response, 200, { data: getHours(request) });
          return;
        }
        void areWaiting.then(() => {
          lastInstant = fastClock.now() + 50_000;
          sendJson(response, status, { detail: 'not now' }, { 'Retry-After': '1' });
        });
      });
      const waiting = new Set<string>();
      const results = await runAll(windows, clock, requests, name => ({
        onMoreRequests: async () => Promise.resolve(true),
        onShared: waits => {
          if (waits) waiting.add(name);
          if (waiting.size === windows - 1) allWait(undefined);
        },
      }));
      assert.deepEqual(
        results.map(({ frame }) => frame?.rowCount),
        results.map(() => 744),
      );
      assert.equal(service.receivedRequests.length, 2, 'the rejected request and the successful one');
      assert.equal(
        results.reduce((sum, { provenance }) => sum + provenance.requestsSpent, 0),
        2,
      );
      assert.deepEqual(warnings, []);
    });

  it('waits for a response that takes eighty seconds, reports it, and sends no request', async () => {
    const fastClock = createFastClock(100);
    const { promise: isLate, resolve: respondLate } = Promise.withResolvers<undefined>();
    const notifications: string[] = [];
    let sleptMs = 0;
    const clock: Clock = {
      ...fastClock,
      sleep: async (ms, signal) => {
        await fastClock.sleep(ms, signal);
        if (notifications.length > 0) sleptMs += ms;
        if (sleptMs >= 80_000) respondLate(undefined);
      },
    };
    service = await startCannedService((request, response) => {
      void isLate.then(() => sendJson(response, 200, { data: getHours(request) }));
    });
    const results = await runAll(2, clock, 10, name => ({ onShared: waits => notifications.push(`${name} ${waits}`) }));
    assert.deepEqual(
      results.map(({ frame }) => frame?.rowCount),
      [744, 744],
    );
    assert.equal(service.receivedRequests.length, 1);
    const waiting = results.findIndex(({ provenance }) => provenance.requestsSpent === 0);
    assert.deepEqual([notifications, warnings], [[`${waiting} true`, `${waiting} false`], []]);
  });

  it('leaves the budget to other queries while one window waits for a second window', async () => {
    const clock = createFastClock(20);
    const { promise: isOther, resolve: otherIsDone } = Promise.withResolvers<undefined>();
    service = await startCannedService((request, response) => {
      // The clock stops while the first request is in flight, so that this test hangs if the other query gets no permit.
      if (service.receivedRequests.length === 1) clock.stop();
      const isWaiting = service.receivedRequests.length === 1 ? isOther : undefined;
      void Promise.resolve(isWaiting).then(() => sendJson(response, 200, { data: getHours(request) }));
    });
    let order = '';
    let otherRun: Promise<unknown> | undefined;
    // The waiting window has released its permit, so that another query can use it.
    const startOtherRun = async (): Promise<void> => {
      await open('other', clock).run(resolveMonth({ area: 'other' }), createEndpoint(2));
      order += 'other ';
      clock.goOn();
      otherIsDone(undefined);
    };
    const onShared = (waits: boolean): void => {
      if (waits) otherRun ??= startOtherRun();
    };
    await runAll(2, clock, 2, () => ({ onShared }));
    order += 'both';
    await otherRun;
    assert.deepEqual([order, service.receivedRequests.length], ['other both', 2]);
  });
});

function resolveMonth(params: Record<string, string> = {}): ResolvedQuery {
  const query = resolveQuery({ dataset: 'systemState', range: '2023-01', interval: '1h', params, timeZone: 'UTC' }, 0);
  if (!query.ok) throw new Error(query.problem);
  return query.value;
}

function getHours({ query }: ReceivedRequest): unknown[] {
  const start = Date.parse(query.get('start') ?? '');
  const end = Date.parse(query.get('end') ?? '');
  return Array.from({ length: (end - start) / 3_600_000 }, (_, index) => ({
    ts: new Date(start + index * 3_600_000).toISOString(),
    residual_demand_mw: index,
  }));
}
