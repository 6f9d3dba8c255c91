import assert from 'node:assert/strict';
import type { Limiter } from '../../../src/service/limiter.ts';
import { scopeKeyOf } from '../../../src/service/scopeKey.ts';
import { failureOf, limit, requestTo, setUpClient, testKey } from './clientSetUp.ts';
import { reply, startFaultServer } from './faultServer.ts';
import type { FaultServer } from './faultServer.ts';

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

describe('ApiClient against a throttling server', () => {
  let server: FaultServer | undefined;
  afterEach(() => server?.close());

  for (const [name, headers, retryAfterMs] of cases)
    it(`takes ${name} in Retry-After for ${retryAfterMs} ms, hits once and closes the scope`, async () => {
      server = await startFaultServer(reply(429, '{"detail":"Request was throttled."}', ...headers));
      const { client, limiter } = setUpClient();
      const error = await failureOf(client.get(requestTo(server.baseUrl)));
      assert.equal(error.reason, 'throttled');
      const detail = 'Request was throttled.';
      assert.deepEqual(error.facts, { status: 429, requestsSpent: 1, detail, retryAfterMs });
      assert.equal(server.requests.length, 1);
      const { left, nextFreeInMs } = limiter.budget(scopeKeyOf(server.baseUrl, testKey, 'grid'), limit);
      assert.equal(left, 0);
      assert.ok(Math.abs(nextFreeInMs - retryAfterMs) < 500, String(nextFreeInMs));
    });

  it('holds the next request of the scope back, and only of this scope and key', async () => {
    server = await startFaultServer((socket, hit) =>
      (hit === 1 ? reply(429, '', 'Retry-After: 5') : reply(200, '1'))(socket, hit),
    );
    const { client } = setUpClient();
    await failureOf(client.get(requestTo(server.baseUrl)));
    const aborter = new AbortController();
    const waits: number[] = [];
    const onWait = (ms: number) => {
      waits.push(ms);
      aborter.abort();
    };
    const waiting = await failureOf(client.get(requestTo(server.baseUrl, { signal: aborter.signal, onWait })));
    assert.equal(waiting.reason, 'cancelled');
    assert.ok(waits[0] !== undefined && waits[0] > 4_000);
    await client.get(requestTo(server.baseUrl, { scope: 'other' }));
    await client.get(requestTo(server.baseUrl, { key: 'sb_test_another_key' }));
    assert.equal(server.requests.length, 3);
  });

  for (const [name, answer, told] of [
    ['an answer', reply(200, '1'), ['acquire', 'counted']],
    ['a refusal', reply(429, ''), ['acquire', 'block', 'free']],
    ['a bad request', reply(400, ''), ['acquire', 'counted']],
    ['a broken server', reply(502, ''), ['acquire', 'counted', 'acquire', 'counted', 'acquire', 'counted']],
  ] as const)
    it(`tells the limiter of ${name}: ${told.join(', ')}`, async () => {
      server = await startFaultServer(answer);
      const events: string[] = [];
      const limiter: Limiter = {
        acquire: () => {
          events.push('acquire');
          return Promise.resolve({ release: outcome => void events.push(outcome) });
        },
        block: () => void events.push('block'),
        budget: () => ({ left: 1, nextFreeInMs: 0 }),
      };
      const { client } = setUpClient({}, limiter);
      await client.get(requestTo(server.baseUrl)).catch(() => undefined);
      assert.deepEqual(events, told);
    });

  it('takes a permit for each attempt, and does not charge the wait for it to the total time', async () => {
    server = await startFaultServer((socket, hit) => (hit === 1 ? reply(503, '') : reply(200, '1'))(socket, hit));
    const { client } = setUpClient({ totalTimeoutMs: 300 });
    const waits: number[] = [];
    const oneInAWhile = { requests: 1, seconds: 0.5 };
    const request = requestTo(server.baseUrl, { limit: oneInAWhile, onWait: ms => waits.push(ms) });
    const answer = await client.get(request);
    assert.equal(answer.requestsSpent, 2);
    assert.equal(waits.length, 1);
    assert.ok((waits[0] ?? 0) > 450);
  });
});
