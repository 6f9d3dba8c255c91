import assert from 'node:assert/strict';
import type { Budget, Limiter, RequestOutcome } from '../../../../src/service/limiter/limiter.ts';
import {
  expectResponse,
  budgetAt,
  catchFailure,
  headRead,
  limit,
  requestTo,
  setUpClient,
  parseBody,
} from './clientSetUp.ts';
import { head, respondInTurn, reply, startFaultServer, type FaultServer } from './faultServer.ts';
import { createFastClock } from '../hurriedClock.ts';
import type { GateResult, AttemptGate } from '../../../../src/service/client/apiClient.ts';

/** The total timeout, which never elapses on a fast clock. */
const longTimeout = { totalTimeoutMs: 60_000_000 };
const date = 'Sat, 21 Nov 2026 08:00:00 GMT';

const cases: readonly (readonly [string, readonly string[], number])[] = [
  ['seconds', ['Retry-After: 7'], 7_000],
  // The date is by the server's clock, which may differ from ours by years.
  ['a date', [`Date: ${date}`, 'Retry-After: Sat, 21 Nov 2026 08:00:09 GMT'], 9_000],
  ['a past date', [`Date: ${date}`, 'Retry-After: Sat, 21 Nov 2026 07:00:00 GMT'], 1_000],
  ['zero', ['Retry-After: 0'], 1_000],
  ['garbage', ['Retry-After: abc'], 60_000],
  ['a negative number', ['Retry-After: -5'], 60_000],
  ['a fraction', ['Retry-After: 1.5'], 60_000],
  ['a huge number', ['Retry-After: 99999999'], 120_000],
  ['nothing', [], 60_000],
];

/** Grants all permits and records the outcomes of their requests. */
function createRecordingLimiter() {
  const outcomes: RequestOutcome[] = [];
  const budget: Budget = {
    left: 1,
    nextFreeInMs: 0,
    lastStartsInMs: 0,
    nextSlotInMs: undefined,
    allowed: 1,
    waiting: 0,
    blockedUntil: undefined,
    refusal: undefined,
  };
  const limiter: Limiter = {
    acquire: () => Promise.resolve({ release: outcome => void outcomes.push(outcome) }),
    budget: () => Promise.resolve(budget),
    clearRejection: () => Promise.resolve(),
  };
  return { limiter, outcomes };
}

/** Creates a gate that returns these results in order, and then repeats the last. */
function createGate(...all: GateResult[]): AttemptGate {
  let resultIndex = 0;
  return {
    enter: () => Promise.resolve(all[resultIndex++] ?? all.at(-1) ?? 'go'),
    waitUntilFree: () => Promise.resolve(),
    leave: () => Promise.resolve(),
  };
}

describe('ApiClient against a throttling server', () => {
  let server: FaultServer | undefined;
  afterEach(() => server?.close());

  for (const [name, headers, retryAfterMs] of cases)
    it(`waits ${retryAfterMs} ms for ${name} in Retry-After each time, and gives up at the fourth 429`, async () => {
      const hits: number[] = [];
      const clock = createFastClock(1_000);
      server = await startFaultServer(socket => {
        hits.push(clock.now());
        // The last block is read while it lasts, however slow the machine is.
        if (hits.length === 4) clock.stop();
        reply(429, '{"detail":"Request was throttled."}', ...headers)(socket, hits.length);
      });
      const { client, limiter, lines } = setUpClient(longTimeout, clock);
      const error = await catchFailure(client.get(requestTo(server.baseUrl)));
      assert.equal(error.reason, 'throttled');
      const detail = 'Request was throttled.';
      assert.deepEqual(error.facts, { status: 429, requestsSpent: 4, detail, retryAfterMs });
      assert.equal(hits.length, 4);
      assert.equal(lines.length, 4);
      for (const [index, hit] of hits.entries())
        if (index > 0) assert.ok(hit - (hits[index - 1] ?? 0) >= retryAfterMs + 250);
      const { left, blockedUntil = 0 } = await limiter.budget(budgetAt(server.baseUrl), limit);
      assert.equal(left, 0);
      assert.ok(blockedUntil >= (hits[3] ?? 0) + retryAfterMs + 250);
    });

  it('returns the response after a 429, and counts both requests', async () => {
    server = await startFaultServer(respondInTurn(reply(429, '', 'Retry-After: 30'), reply(200, '[1]')));
    const { client } = setUpClient(longTimeout, createFastClock(1_000));
    const response = await expectResponse(client.get(requestTo(server.baseUrl)));
    assert.deepEqual(parseBody(response), [1]);
    assert.equal(response.requestsSpent, 2);
  });

  it('waits as long as the rate limit headers require after a 429 without Retry-After', async () => {
    server = await startFaultServer(reply(429, '', 'RateLimit: "default";r=0;t=9'));
    const clock = createFastClock(1_000);
    const error = await catchFailure(setUpClient(longTimeout, clock).client.get(requestTo(server.baseUrl)));
    assert.equal(error.facts.retryAfterMs, 9_000);
  });

  for (const [name, headers, waitMs] of [
    ['no request remains', ['X-RateLimit-Limit: 500', 'X-RateLimit-Remaining: 0', 'X-RateLimit-Reset: 7'], 7_250],
    ['none remains for ever', ['X-RateLimit-Remaining: 0', 'X-RateLimit-Reset: 999999999'], 120_250],
    ['more remain than were set', ['RateLimit-Policy: "default";q=500;w=1', 'RateLimit: "default";r=499;t=1'], 0],
  ] as const)
    it(`waits ${waitMs} ms before the next request when a response reports that ${name}`, async () => {
      server = await startFaultServer(reply(200, '1', ...headers));
      const clock = createFastClock(1);
      clock.stop();
      const { client, limiter } = setUpClient(longTimeout, clock);
      await expectResponse(client.get(requestTo(server.baseUrl)));
      const { left, nextFreeInMs, allowed } = await limiter.budget(budgetAt(server.baseUrl), limit);
      assert.deepEqual([left, nextFreeInMs, allowed], [waitMs > 0 ? 0 : 9, waitMs, 10]);
      // The request is counted once the wait has ended.
      assert.equal(
        (await limiter.budget(budgetAt(server.baseUrl), { ...limit, requests: 1 })).nextFreeInMs > 60_000,
        true,
      );
    });

  it('reports each 429 before it sends the request again', async () => {
    server = await startFaultServer(respondInTurn(reply(429, '', 'Retry-After: 1'), reply(429, ''), reply(200, '1')));
    const throttledAfter: number[] = [];
    const { requests } = server;
    const onThrottled = (): void => void throttledAfter.push(requests.length);
    await expectResponse(
      setUpClient(longTimeout, createFastClock(1_000)).client.get(requestTo(server.baseUrl, { onThrottled })),
    );
    assert.deepEqual(throttledAfter, [1, 2]);
  });

  it('delays the next request of the same scope and key only', async () => {
    server = await startFaultServer(respondInTurn(reply(429, '', 'Retry-After: 5'), reply(200, '1')));
    const clock = createFastClock(1);
    // Less than five seconds pass, however slow the machine is.
    clock.stop();
    const { client } = setUpClient({}, clock);
    const first = new AbortController();
    const failure = catchFailure(
      client.get(requestTo(server.baseUrl, { signal: first.signal, onWait: () => first.abort() })),
    );
    assert.equal((await failure).facts.requestsSpent, 1);
    const aborter = new AbortController();
    const waits: number[] = [];
    const onWait = (ms: number) => {
      waits.push(ms);
      aborter.abort();
    };
    const waiting = await catchFailure(client.get(requestTo(server.baseUrl, { signal: aborter.signal, onWait })));
    assert.equal(waiting.reason, 'cancelled');
    assert.deepEqual(waits, [5_250]);
    await client.get(requestTo(server.baseUrl, { scope: 'other' }));
    await client.get(requestTo(server.baseUrl, { key: 'sb_test_another_key' }));
    assert.equal(server.requests.length, 3);
  });

  for (const [name, response, expected] of [
    ['an answer', reply(200, '1'), ['counted']],
    ['a bad request', reply(400, ''), ['counted']],
    ['a broken server', reply(502, ''), ['counted', 'counted', 'counted']],
    ['a key that the service rejects', reply(401, ''), [{ refused: 'keyRejected' }]],
    ['a scope that the key may not use', reply(403, ''), [{ refused: 'forbidden' }]],
  ] as const)
    it(`notifies the limiter of ${name}: ${JSON.stringify(expected)}`, async () => {
      server = await startFaultServer(response);
      const { limiter, outcomes } = createRecordingLimiter();
      const { client } = setUpClient({}, undefined, limiter);
      await client.get(requestTo(server.baseUrl)).catch(() => undefined);
      assert.deepEqual(outcomes, expected);
    });

  for (const [name, isAnswered, expected] of [
    ['before an answer', false, 'abandoned'],
    ['inside an answer, which was counted before it began', true, 'counted'],
  ] as const)
    it(`notifies the limiter of a request canceled ${name}: ${expected}`, async () => {
      const { promise: arrived, resolve } = Promise.withResolvers<unknown>();
      server = await startFaultServer(socket => {
        if (isAnswered) socket.write(`${head(200)}1`);
        resolve(isAnswered ? headRead() : undefined);
      });
      const { limiter, outcomes } = createRecordingLimiter();
      const aborter = new AbortController();
      const call = setUpClient({}, undefined, limiter).client.get(
        requestTo(server.baseUrl, { signal: aborter.signal }),
      );
      await arrived;
      aborter.abort();
      assert.equal((await catchFailure(call)).reason, 'cancelled');
      assert.deepEqual(outcomes, [expected]);
    });

  for (const times of [{ idleTimeoutMs: 30 }, { totalTimeoutMs: 30 }])
    it(`notifies the limiter of a request that timed out: ${JSON.stringify(times)}`, async () => {
      server = await startFaultServer(() => undefined);
      const { limiter, outcomes } = createRecordingLimiter();
      const { client } = setUpClient(times, undefined, limiter);
      assert.equal((await catchFailure(client.get(requestTo(server.baseUrl)))).reason, 'timeout');
      assert.deepEqual(outcomes, ['timedOut']);
    });

  it('sends no request with a rejected key until it is entered again', async () => {
    server = await startFaultServer(respondInTurn(reply(401, ''), reply(200, '1')));
    const { client, limiter } = setUpClient();
    assert.equal((await catchFailure(client.get(requestTo(server.baseUrl)))).facts.requestsSpent, 1);
    for (const scope of ['grid', 'other']) {
      const error = await catchFailure(client.get(requestTo(server.baseUrl, { scope })));
      assert.equal(error.reason, 'keyRejected');
      const { refusedAt, ...facts } = error.facts;
      assert.deepEqual(facts, { requestsSpent: 0, status: 401 });
      assert.equal(typeof refusedAt, 'number');
    }
    assert.equal(server.requests.length, 1);
    await limiter.clearRejection(budgetAt(server.baseUrl));
    assert.equal((await client.get(requestTo(server.baseUrl))).requestsSpent, 1);
  });

  it('sends no request when the response is no longer needed, and releases the permit', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const response = await client.get(requestTo(server.baseUrl, { gate: createGate('unneeded') }));
    assert.deepEqual(response, { unneeded: true, requestsSpent: 0 });
    assert.equal(server.requests.length, 0);
    assert.equal((await limiter.budget(budgetAt(server.baseUrl), limit)).left, limit.requests);
    await expectResponse(client.get(requestTo(server.baseUrl, { gate: createGate('go') })));
  });

  it('reports the requests sent before the response was no longer needed', async () => {
    server = await startFaultServer(reply(503, ''));
    const response = await setUpClient().client.get(requestTo(server.baseUrl, { gate: createGate('go', 'unneeded') }));
    assert.deepEqual([response, server.requests.length], [{ unneeded: true, requestsSpent: 1 }, 1]);
  });

  it('holds no permit while another window has the series, and queues again afterwards', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const remaining: number[] = [];
    const note = async () => void remaining.push((await limiter.budget(budgetAt(origin), limit)).left);
    const origin = server.baseUrl;
    const gate = { ...createGate('busy', 'go'), waitUntilFree: note };
    await expectResponse(client.get(requestTo(origin, { gate })));
    await note();
    assert.deepEqual(remaining, [limit.requests, limit.requests - 1]);
  });

  for (const status of [429, 503])
    it(`releases the series while it waits after a ${status}`, async () => {
      server = await startFaultServer(respondInTurn(reply(status, '', 'Retry-After: 1'), reply(200, '1')));
      const clock = createFastClock(1_000);
      // The wait does not end before it has begun, however slow the machine is.
      clock.stop();
      const events: string[] = [];
      const gate: AttemptGate = {
        enter: () => Promise.resolve(events.push('turn') > 0 ? 'go' : 'busy'),
        waitUntilFree: () => Promise.resolve(),
        leave: () => Promise.resolve(void events.push('left')),
      };
      const { client } = setUpClient(longTimeout, clock);
      const onWait = () => {
        // The remaining seconds are reported while they pass.
        if (events.at(-1) !== 'waits') events.push('waits');
        clock.goOn();
      };
      await expectResponse(client.get(requestTo(server.baseUrl, { gate, onWait })));
      assert.deepEqual(events, ['turn', 'left', 'waits', 'turn']);
    });

  it('releases the permit when aborted while it checks whether the request is needed', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const aborter = new AbortController();
    const enter = () => {
      aborter.abort();
      return Promise.resolve('go' as const);
    };
    const gate = { ...createGate(), enter };
    const error = await catchFailure(client.get(requestTo(server.baseUrl, { signal: aborter.signal, gate })));
    assert.equal(error.reason, 'cancelled');
    assert.equal(server.requests.length, 0);
    assert.equal((await limiter.budget(budgetAt(server.baseUrl), limit)).left, limit.requests);
  });
});
