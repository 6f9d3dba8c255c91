import assert from 'node:assert/strict';
import type { Budget, Limiter, RequestOutcome } from '../../../../src/service/limiter/limiter.ts';
import { answerTo, budgetAt, failureOf, headRead, limit, requestTo, setUpClient, valueOf } from './clientSetUp.ts';
import { head, inTurn, reply, startFaultServer, type FaultServer } from './faultServer.ts';
import { hurriedClock } from '../hurriedClock.ts';
import type { GateResult, AttemptGate } from '../../../../src/service/client/apiClient.ts';

/** Never over on a hurried clock. */
const patient = { totalTimeoutMs: 60_000_000 };
const date = 'Sat, 21 Nov 2026 08:00:00 GMT';

const cases: readonly (readonly [string, readonly string[], number])[] = [
  ['seconds', ['Retry-After: 7'], 7_000],
  // By the server's own clock, which may differ from ours by years.
  ['a date', [`Date: ${date}`, 'Retry-After: Sat, 21 Nov 2026 08:00:09 GMT'], 9_000],
  ['a past date', [`Date: ${date}`, 'Retry-After: Sat, 21 Nov 2026 07:00:00 GMT'], 1_000],
  ['zero', ['Retry-After: 0'], 1_000],
  ['garbage', ['Retry-After: abc'], 60_000],
  ['a negative number', ['Retry-After: -5'], 60_000],
  ['a fraction', ['Retry-After: 1.5'], 60_000],
  ['a huge number', ['Retry-After: 99999999'], 120_000],
  ['nothing', [], 60_000],
];

/** Lets everything start and notes what becomes of it. */
function notingLimiter() {
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

/** Says one after the other, and then the last of them for ever. */
function gateThatSays(...all: GateResult[]): AttemptGate {
  let said = 0;
  return {
    enter: () => Promise.resolve(all[said++] ?? all.at(-1) ?? 'go'),
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
      const clock = hurriedClock(1_000);
      server = await startFaultServer(socket => {
        hits.push(clock.now());
        // What the last one leaves is looked at while it holds, however slow the machine is.
        if (hits.length === 4) clock.stop();
        reply(429, '{"detail":"Request was throttled."}', ...headers)(socket, hits.length);
      });
      const { client, limiter, lines } = setUpClient(patient, clock);
      const error = await failureOf(client.get(requestTo(server.baseUrl)));
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
    server = await startFaultServer(inTurn(reply(429, '', 'Retry-After: 30'), reply(200, '[1]')));
    const { client } = setUpClient(patient, hurriedClock(1_000));
    const answer = await answerTo(client.get(requestTo(server.baseUrl)));
    assert.deepEqual(valueOf(answer), [1]);
    assert.equal(answer.requestsSpent, 2);
  });

  it('waits for as long as rate limit headers say after a 429 without Retry-After', async () => {
    server = await startFaultServer(reply(429, '', 'RateLimit: "default";r=0;t=9'));
    const clock = hurriedClock(1_000);
    const error = await failureOf(setUpClient(patient, clock).client.get(requestTo(server.baseUrl)));
    assert.equal(error.facts.retryAfterMs, 9_000);
  });

  for (const [name, headers, waitMs] of [
    ['no request remains', ['X-RateLimit-Limit: 500', 'X-RateLimit-Remaining: 0', 'X-RateLimit-Reset: 7'], 7_250],
    ['none remains for ever', ['X-RateLimit-Remaining: 0', 'X-RateLimit-Reset: 999999999'], 120_250],
    ['more remain than were set', ['RateLimit-Policy: "default";q=500;w=1', 'RateLimit: "default";r=499;t=1'], 0],
  ] as const)
    it(`waits ${waitMs} ms before the next request where a response says that ${name}`, async () => {
      server = await startFaultServer(reply(200, '1', ...headers));
      const clock = hurriedClock(1);
      clock.stop();
      const { client, limiter } = setUpClient(patient, clock);
      await answerTo(client.get(requestTo(server.baseUrl)));
      const { left, nextFreeInMs, allowed } = await limiter.budget(budgetAt(server.baseUrl), limit);
      assert.deepEqual([left, nextFreeInMs, allowed], [waitMs > 0 ? 0 : 9, waitMs, 10]);
      // The request counts, too, once the wait is over.
      assert.equal(
        (await limiter.budget(budgetAt(server.baseUrl), { ...limit, requests: 1 })).nextFreeInMs > 60_000,
        true,
      );
    });

  it('tells of each 429 before it sends the request again', async () => {
    server = await startFaultServer(inTurn(reply(429, '', 'Retry-After: 1'), reply(429, ''), reply(200, '1')));
    const refused: number[] = [];
    const { requests } = server;
    const onThrottled = (): void => void refused.push(requests.length);
    await answerTo(setUpClient(patient, hurriedClock(1_000)).client.get(requestTo(server.baseUrl, { onThrottled })));
    assert.deepEqual(refused, [1, 2]);
  });

  it('delays the next request of the same scope and key only', async () => {
    server = await startFaultServer(inTurn(reply(429, '', 'Retry-After: 5'), reply(200, '1')));
    const clock = hurriedClock(1);
    // However slow the machine is, none of the five seconds is over.
    clock.stop();
    const { client } = setUpClient({}, clock);
    const first = new AbortController();
    const refused = failureOf(
      client.get(requestTo(server.baseUrl, { signal: first.signal, onWait: () => first.abort() })),
    );
    assert.equal((await refused).facts.requestsSpent, 1);
    const aborter = new AbortController();
    const waits: number[] = [];
    const onWait = (ms: number) => {
      waits.push(ms);
      aborter.abort();
    };
    const waiting = await failureOf(client.get(requestTo(server.baseUrl, { signal: aborter.signal, onWait })));
    assert.equal(waiting.reason, 'cancelled');
    assert.deepEqual(waits, [5_250]);
    await client.get(requestTo(server.baseUrl, { scope: 'other' }));
    await client.get(requestTo(server.baseUrl, { key: 'sb_test_another_key' }));
    assert.equal(server.requests.length, 3);
  });

  for (const [name, answer, told] of [
    ['an answer', reply(200, '1'), ['counted']],
    ['a bad request', reply(400, ''), ['counted']],
    ['a broken server', reply(502, ''), ['counted', 'counted', 'counted']],
    ['a key it does not take', reply(401, ''), [{ refused: 'keyRejected' }]],
    ['a scope the key may not use', reply(403, ''), [{ refused: 'forbidden' }]],
  ] as const)
    it(`notifies the limiter of ${name}: ${JSON.stringify(told)}`, async () => {
      server = await startFaultServer(answer);
      const { limiter, outcomes } = notingLimiter();
      const { client } = setUpClient({}, undefined, limiter);
      await client.get(requestTo(server.baseUrl)).catch(() => undefined);
      assert.deepEqual(outcomes, told);
    });

  for (const [name, isAnswered, told] of [
    ['before an answer', false, 'abandoned'],
    ['inside an answer, which was counted before it began', true, 'counted'],
  ] as const)
    it(`notifies the limiter of a request canceled ${name}: ${told}`, async () => {
      const { promise: arrived, resolve } = Promise.withResolvers<unknown>();
      server = await startFaultServer(socket => {
        if (isAnswered) socket.write(`${head(200)}1`);
        resolve(isAnswered ? headRead() : undefined);
      });
      const { limiter, outcomes } = notingLimiter();
      const aborter = new AbortController();
      const call = setUpClient({}, undefined, limiter).client.get(
        requestTo(server.baseUrl, { signal: aborter.signal }),
      );
      await arrived;
      aborter.abort();
      assert.equal((await failureOf(call)).reason, 'cancelled');
      assert.deepEqual(outcomes, [told]);
    });

  for (const times of [{ idleTimeoutMs: 30 }, { totalTimeoutMs: 30 }])
    it(`notifies the limiter of a request that timed out: ${JSON.stringify(times)}`, async () => {
      server = await startFaultServer(() => undefined);
      const { limiter, outcomes } = notingLimiter();
      const { client } = setUpClient(times, undefined, limiter);
      assert.equal((await failureOf(client.get(requestTo(server.baseUrl)))).reason, 'timeout');
      assert.deepEqual(outcomes, ['timedOut']);
    });

  it('sends nothing with a rejected key until it is entered again', async () => {
    server = await startFaultServer(inTurn(reply(401, ''), reply(200, '1')));
    const { client, limiter } = setUpClient();
    assert.equal((await failureOf(client.get(requestTo(server.baseUrl)))).facts.requestsSpent, 1);
    for (const scope of ['grid', 'other']) {
      const error = await failureOf(client.get(requestTo(server.baseUrl, { scope })));
      assert.equal(error.reason, 'keyRejected');
      const { refusedAt, ...facts } = error.facts;
      assert.deepEqual(facts, { requestsSpent: 0, status: 401 });
      assert.equal(typeof refusedAt, 'number');
    }
    assert.equal(server.requests.length, 1);
    await limiter.clearRejection(budgetAt(server.baseUrl));
    assert.equal((await client.get(requestTo(server.baseUrl))).requestsSpent, 1);
  });

  it('sends nothing when the response is no longer needed, and releases the permit', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const answer = await client.get(requestTo(server.baseUrl, { gate: gateThatSays('unneeded') }));
    assert.deepEqual(answer, { unneeded: true, requestsSpent: 0 });
    assert.equal(server.requests.length, 0);
    assert.equal((await limiter.budget(budgetAt(server.baseUrl), limit)).left, limit.requests);
    await answerTo(client.get(requestTo(server.baseUrl, { gate: gateThatSays('go') })));
  });

  it('reports what was sent before the response was no longer needed', async () => {
    server = await startFaultServer(reply(503, ''));
    const answer = await setUpClient().client.get(requestTo(server.baseUrl, { gate: gateThatSays('go', 'unneeded') }));
    assert.deepEqual([answer, server.requests.length], [{ unneeded: true, requestsSpent: 1 }, 1]);
  });

  it('holds no permit while another window has the series, and queues again afterwards', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const left: number[] = [];
    const note = async () => void left.push((await limiter.budget(budgetAt(origin), limit)).left);
    const origin = server.baseUrl;
    const gate = { ...gateThatSays('busy', 'go'), waitUntilFree: note };
    await answerTo(client.get(requestTo(origin, { gate })));
    await note();
    assert.deepEqual(left, [limit.requests, limit.requests - 1]);
  });

  for (const status of [429, 503])
    it(`releases the series while it waits after a ${status}`, async () => {
      server = await startFaultServer(inTurn(reply(status, '', 'Retry-After: 1'), reply(200, '1')));
      const clock = hurriedClock(1_000);
      // However slow the machine is, the wait is not over before it begins.
      clock.stop();
      const events: string[] = [];
      const gate: AttemptGate = {
        enter: () => Promise.resolve(events.push('turn') > 0 ? 'go' : 'busy'),
        waitUntilFree: () => Promise.resolve(),
        leave: () => Promise.resolve(void events.push('left')),
      };
      const { client } = setUpClient(patient, clock);
      const onWait = () => {
        // Its seconds are told as they go on.
        if (events.at(-1) !== 'waits') events.push('waits');
        clock.goOn();
      };
      await answerTo(client.get(requestTo(server.baseUrl, { gate, onWait })));
      assert.deepEqual(events, ['turn', 'left', 'waits', 'turn']);
    });

  it('releases the permit when aborted while it checks whether the request is needed', async () => {
    server = await startFaultServer(reply(200, '1'));
    const { client, limiter } = setUpClient();
    const aborter = new AbortController();
    const begin = () => {
      aborter.abort();
      return Promise.resolve('go' as const);
    };
    const gate = { ...gateThatSays(), enter: begin };
    const error = await failureOf(client.get(requestTo(server.baseUrl, { signal: aborter.signal, gate })));
    assert.equal(error.reason, 'cancelled');
    assert.equal(server.requests.length, 0);
    assert.equal((await limiter.budget(budgetAt(server.baseUrl), limit)).left, limit.requests);
  });
});
