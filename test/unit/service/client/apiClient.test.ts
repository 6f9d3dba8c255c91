import assert from 'node:assert/strict';
import dns from 'node:dns';
import { gzipSync } from 'node:zlib';
import { AxiosError, AxiosHeaders, type AxiosAdapter } from 'axios';
import { GridError } from '../../../../src/core/errors.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import { ApiClient, type ApiRequest } from '../../../../src/service/client/apiClient.ts';
import type { TransportOptions } from '../../../../src/service/client/apiClient.ts';
import { expectResponse, catchFailure, requestTo, setUpClient, testKey, readBody, parseBody } from './clientSetUp.ts';
import { head, reply, startFaultServer, type Responder, type FaultServer } from './faultServer.ts';
import { createWindow } from '../limiter/limiterSetUp.ts';
import { realClock } from '../../../support/realClock.ts';
import { settle, VirtualClock } from '../virtualClock.ts';

describe('ApiClient', () => {
  let server: FaultServer | undefined;
  const start = async (response: Responder) => (server = await startFaultServer(response));
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  it('returns the received text, its headers, times and cost', async () => {
    const text = '{ "data": [1.50, null],\n "id": 9007199254740993 }';
    const { baseUrl } = await start(reply(200, text, 'Date: Sat, 21 Nov 2026 08:00:00 GMT'));
    const startedAt = Date.now();
    const response = await expectResponse(setUpClient().client.get(requestTo(baseUrl)));
    assert.equal(readBody(response), text);
    assert.deepEqual(parseBody(response), { data: [1.5, null], id: new ExactNumber('9007199254740993') });
    assert.ok(startedAt <= response.sentAt && response.sentAt <= response.headAt && response.headAt <= Date.now());
    assert.equal(response.serverDate, Date.UTC(2026, 10, 21, 8));
    assert.equal(response.requestsSpent, 1);
    assert.equal(response.bytes, text.length);
  });

  it('records when the response began, however long the body takes', async () => {
    let requestCount = 0;
    let aheadMs = 0;
    const clock = { ...realClock, now: () => (requestCount++, realClock.now() + aheadMs) };
    // The rest of the body is sent an hour after the client has read the head.
    const { baseUrl } = await start(socket => {
      const previousCount = requestCount;
      socket.write(`${head(200, 'Content-Length: 2')}1`);
      const timer = setInterval(() => {
        if (requestCount === previousCount) return;
        clearInterval(timer);
        aheadMs = 3_600_000;
        socket.end('2');
      }, 2);
    });
    const response = await expectResponse(setUpClient({}, clock).client.get(requestTo(baseUrl)));
    const { sentAt, headAt } = response;
    assert.equal(parseBody(response), 12);
    assert.ok(headAt - sentAt < 1_800_000 && clock.now() - headAt >= 1_800_000, `${headAt - sentAt} ms`);
  });

  it('omits the server date when the response has none', async () => {
    const { baseUrl } = await start(reply(200, '1', 'Date: yesterday'));
    assert.ok(!('serverDate' in (await expectResponse(setUpClient().client.get(requestTo(baseUrl))))));
  });

  it('decodes gzip, drops a byte order mark, keeps any character', async () => {
    const body = gzipSync('\ufeff{"town":"Köln ⚡ 🙂"}');
    const { baseUrl } = await start(reply(200, body, 'Content-Encoding: gzip'));
    const response = await expectResponse(setUpClient().client.get(requestTo(baseUrl)));
    assert.equal(readBody(response), '{"town":"Köln ⚡ 🙂"}');
    assert.deepEqual(parseBody(response), { town: 'Köln ⚡ 🙂' });
  });

  for (const text of ['[]', 'null', '0', '""', '{"a":1,"a":2}', '{"__proto__":{"x":1}}'])
    it(`accepts ${text} as a response`, async () => {
      const { baseUrl } = await start(reply(200, text));
      assert.deepEqual(parseBody(await expectResponse(setUpClient().client.get(requestTo(baseUrl)))), JSON.parse(text));
    });

  it('appends path and query to the base path, with parameters in order, repeated ones too', async () => {
    const { baseUrl, requests } = await start(reply(200, '1'));
    const query = [
      ['start', '2026-11-01T00:00:00+02:00'],
      ['zone', 'a'],
      ['a b', '&=#?'],
      ['zone', 'b'],
    ] as const;
    await setUpClient().client.get(requestTo(`${baseUrl}/base/`, { query }));
    const url = new URL((requests[0] ?? '').split(' ')[1] ?? '', baseUrl);
    assert.equal(url.pathname, '/base/api/v1/grid');
    assert.deepEqual([...url.searchParams], query);
  });

  it('reaches localhost without a DNS lookup', async () => {
    const { port, requests } = await start(reply(200, '1'));
    const { lookup } = dns;
    let requestCount = 0;
    dns.lookup = ((_name: string, _options: object, done: (error: Error) => void) => {
      requestCount += 1;
      done(new Error('somewhere else'));
    }) as typeof lookup;
    try {
      await setUpClient().client.get(requestTo(`http://localhost:${port}`));
    } finally {
      dns.lookup = lookup;
    }
    assert.equal(requestCount, 0);
    assert.match(requests[0] ?? '', new RegExp(`\\r\\nHost: localhost:${port}(\\r\\n|$)`));
  });

  it('logs one line per request, without the key', async () => {
    const { baseUrl } = await start(reply(200, '[1]'));
    const { client, lines } = setUpClient();
    const query = [
      ['start', '2026-11-01T00:00:00Z'],
      ['token', `x${testKey}y`],
    ] as const;
    await client.get(requestTo(baseUrl, { query }));
    assert.match(
      lines.join('\n'),
      /^GET \/api\/v1\/grid\?start=2026-11-01T00:00:00Z&token=x\[key\]y 200, \d+ ms, 3 bytes, 1 row, budget left 9 of 10$/,
    );
  });

  it('handles concurrent calls independently', async () => {
    const { baseUrl } = await start((socket, requestNumber) =>
      reply(200, String(requestNumber))(socket, requestNumber),
    );
    const { client } = setUpClient();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => expectResponse(client.get(requestTo(baseUrl)))),
    );
    assert.deepEqual(new Set(responses.map(response => parseBody(response))), new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
  });
});

describe('ApiClient in virtual time', () => {
  function setUp(adapter: AxiosAdapter, options: TransportOptions = {}) {
    const clock = new VirtualClock();
    const limiter = createWindow(clock);
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const client = new ApiClient({
      limiter,
      reader: new ResponseReader(new ReaderProcesses()),
      clock,
      random: () => 0.5,
      logger,
      transportOptions: { ...options, adapter },
    });
    return { clock, client };
  }

  /** Advances the clock until the call sleeps again or has ended; the retry library sets a timer of its own in between. */
  async function pass(clock: VirtualClock, call: Promise<unknown>, ms: number): Promise<void> {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    void call.then(end, end);
    await clock.advance(ms);
    while (clock.pending === 0 && !state.isOver) await new Promise(resolve => setTimeout(resolve));
    await settle();
  }

  it('makes two retries, each after a wait, and leaves no timer', async () => {
    const sentTimes: number[] = [];
    const { clock, client } = setUp(config => {
      sentTimes.push(clock.now());
      return Promise.reject(new AxiosError('reset', 'ECONNRESET', config));
    });
    const failure = catchFailure(client.get(requestTo('https://api.example.invalid')));
    const countAttemptsAfter = async (ms: number) => {
      await pass(clock, failure, ms);
      return sentTimes.length;
    };
    assert.equal(await countAttemptsAfter(0), 1);
    assert.equal(await countAttemptsAfter(749), 1);
    assert.equal(await countAttemptsAfter(1), 2);
    assert.equal(await countAttemptsAfter(1_499), 2);
    assert.equal(await countAttemptsAfter(1), 3);
    assert.equal((await failure).reason, 'unreachable');
    assert.equal(clock.pending, 0);
  });

  for (const [failure, retryAfter, limit, passed] of [
    ['the wait that a 503 asks for', '30', { requests: 10, seconds: 60 }, [0, 29_999, 1]],
    // The limiter adds a margin to the window.
    ['the wait for a permit of its own', '0', { requests: 1, seconds: 90 }, [0, 750, 89_249, 1, 46]],
  ] as const)
    it(`retries after ${failure}, and excludes the wait from the time on the wire`, async () => {
      const sentTimes: number[] = [];
      const adapter: AxiosAdapter = config => {
        sentTimes.push(clock.now());
        const headers = new AxiosHeaders({ 'retry-after': retryAfter });
        const response = { data: Buffer.from('1'), status: 200, statusText: '', headers, config };
        if (sentTimes.length > 1) return Promise.resolve(response);
        return Promise.reject(new AxiosError('', '', config, undefined, { ...response, status: 503 }));
      };
      const { clock, client } = setUp(adapter, { totalTimeoutMs: 20_000 });
      const started = clock.now();
      const response = expectResponse(client.get(requestTo('https://api.example.invalid', { limit })));
      for (const ms of passed) await pass(clock, response, ms);
      assert.equal((await response).requestsSpent, 2);
      assert.deepEqual(sentTimes, [started, clock.now()]);
    });

  it('reports each second how long it waits after a 503, and the response of the service', async () => {
    const waits: (readonly [number, number | undefined])[] = [];
    let hits = 0;
    const { clock, client } = setUp(config => {
      const headers = new AxiosHeaders({ 'retry-after': '3' });
      const response = { data: Buffer.from('1'), status: 200, statusText: '', headers, config };
      if (++hits > 1) return Promise.resolve(response);
      return Promise.reject(new AxiosError('', '', config, undefined, { ...response, status: 503 }));
    });
    const onWait: ApiRequest['onWait'] = (ms, failed) => void waits.push([ms, failed?.facts.status]);
    const response = expectResponse(client.get(requestTo('https://api.example.invalid', { onWait })));
    await pass(clock, response, 0);
    assert.deepEqual(waits, [[3_000, 503]]);
    await pass(clock, response, 3_000);
    await response;
    assert.deepEqual(
      waits.map(([ms]) => ms),
      [3_000, 2_000, 1_000, 0],
    );
  });

  it('times out after two minutes on the wire and leaves no timer', async () => {
    const { clock, client } = setUp(
      config =>
        new Promise((_, reject) => {
          config.signal?.addEventListener?.('abort', () => reject(new AxiosError('gone', 'ERR_CANCELED', config)));
        }),
    );
    let ended = false;
    const failure = catchFailure(client.get(requestTo('https://api.example.invalid'))).finally(() => (ended = true));
    await clock.advance(119_999);
    assert.equal(ended, false);
    await clock.advance(1);
    assert.equal((await failure).reason, 'timeout');
    assert.equal(clock.pending, 0);
  });

  it('counts all attempts toward the two minutes, but not the waits between them', async () => {
    const sentTimes: number[] = [];
    const { clock, client } = setUp(async config => {
      sentTimes.push(clock.now());
      await clock.sleep(100_000, config.signal as AbortSignal);
      throw new AxiosError('reset', 'ECONNRESET', config);
    });
    const started = clock.now();
    const failure = catchFailure(client.get(requestTo('https://api.example.invalid'))).then(error => [
      error,
      clock.now(),
    ]);
    await pass(clock, failure, 100_000);
    await pass(clock, failure, 750);
    await clock.advance(60_000);
    const [error, ended] = await failure;
    assert.ok(error instanceof GridError);
    assert.equal(error.reason, 'timeout');
    assert.equal(error.facts.requestsSpent, 2);
    assert.deepEqual(sentTimes, [started, started + 100_750]);
    assert.equal(ended, started + 100_750 + 20_000);
  });
});
