import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { GridError } from '../../../../src/core/errors.ts';
import {
  expectResponse,
  budgetAt,
  catchFailure,
  headRead,
  limit,
  requestTo,
  setUpClient,
  testKey,
  totalTimeoutMs,
  parseBody,
} from './clientSetUp.ts';
import type { Clock } from '../../../../src/core/ports.ts';
import { realClock } from '../../../support/realClock.ts';
import { faults } from './faults.ts';
import { respondInTurn, reply, startFaultServer, type Responder, type FaultServer } from './faultServer.ts';

/** Asserts that no eight consecutive characters of the key's secret part occur in the texts. */
function assertNoKey(texts: readonly string[]): void {
  const secret = testKey.slice('sb_test_'.length);
  for (const text of texts)
    for (let start = 0; start + 8 <= secret.length; start += 1)
      assert.ok(!text.includes(secret.slice(start, start + 8)), `part of the key in: ${text.slice(0, 300)}`);
}

describe('ApiClient against a failing server', () => {
  let server: FaultServer | undefined;
  const start = async (response: Responder): Promise<FaultServer> => (server = await startFaultServer(response));

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  for (const fault of faults)
    it(`${fault.name}: ${fault.reason}, ${fault.hits} hits, no trace of the key`, async () => {
      const { promise: confirmed, resolve: noteConfirmation } = Promise.withResolvers<undefined>();
      const { baseUrl, requests } = await start((socket, requestNumber) => {
        fault.respond(socket, requestNumber);
        noteConfirmation(undefined);
      });
      const timeIsOver = fault.timeIsOver === 'headRead' ? headRead() : confirmed;
      const clock: Clock = {
        ...realClock,
        sleep: async (ms, signal) =>
          fault.timeIsOver && ms === totalTimeoutMs ? timeIsOver : realClock.sleep(ms, signal),
      };
      const { client, lines } = setUpClient(fault.transport, clock);
      const error = await catchFailure(client.get(requestTo(baseUrl, { query: [['token', testKey]] })));
      assert.equal(error.reason, fault.reason, inspect(error));
      assert.equal(requests.length, fault.hits);
      assert.equal(error.facts.requestsSpent, fault.hits);
      assert.equal(error.facts.status, fault.status);
      if (fault.detail) assert.match(error.facts.detail ?? '', fault.detail);
      assert.equal(lines.length, fault.hits);
      assert.equal(error.cause, undefined);
      const inspected = inspect(error, { depth: Infinity, showHidden: true });
      assertNoKey([inspected, JSON.stringify(error), String(error), error.stack ?? '', ...lines]);
    });

  it('passes the failure of a request to the confirmation of its retry', async () => {
    const { baseUrl } = await start(reply(503, '{"detail":"Maintenance"}'));
    const failed: GridError[] = [];
    const confirmRetry = async (error: GridError): Promise<boolean> => Promise.resolve(failed.push(error) < 1);
    await catchFailure(setUpClient().client.get(requestTo(baseUrl, { confirmRetry })));
    assert.deepEqual(
      failed.map(({ reason, facts }) => [reason, facts]),
      [['serverError', { status: 503, requestsSpent: 1, detail: 'Maintenance' }]],
    );
  });

  it('succeeds when only the first response was a 503', async () => {
    const { baseUrl, requests } = await start(respondInTurn(reply(503, ''), reply(200, '[1]')));
    const { client, limiter } = setUpClient();
    const response = await expectResponse(client.get(requestTo(baseUrl)));
    assert.deepEqual(parseBody(response), [1]);
    assert.equal(response.requestsSpent, 2);
    assert.equal(requests.length, 2);
    assert.equal((await limiter.budget(budgetAt(baseUrl), limit)).left, 8);
  });

  it('succeeds when only the first connection broke', async () => {
    const { baseUrl } = await start(respondInTurn(socket => socket.resetAndDestroy(), reply(200, '[1]')));
    const response = await expectResponse(setUpClient().client.get(requestTo(baseUrl)));
    assert.equal(response.requestsSpent, 2);
  });

  it('limits the memory for a gzip bomb', async () => {
    const member = gzipSync(Buffer.alloc(10 * 2 ** 20));
    const bomb = Buffer.concat(Array.from({ length: 40 }, () => member));
    const { baseUrl } = await start(reply(200, bomb, 'Content-Encoding: gzip'));
    const previousRss = process.memoryUsage().rss;
    const error = await catchFailure(setUpClient().client.get(requestTo(baseUrl)));
    assert.equal(error.reason, 'responseTooLarge');
    assert.ok(process.memoryUsage().rss - previousRss < 100 * 2 ** 20);
  });

  it('reports a refused connection as unreachable, counts no request and frees its permits', async () => {
    const closed = createServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const baseUrl = `http://127.0.0.1:${port}`;
    const { client, limiter, lines } = setUpClient();
    const error = await catchFailure(client.get(requestTo(baseUrl)));
    assert.equal(error.reason, 'unreachable');
    assert.deepEqual(error.facts, { detail: 'connection refused (ECONNREFUSED)', requestsSpent: 0 });
    assert.equal(lines.length, 3);
    assert.equal((await limiter.budget(budgetAt(baseUrl), limit)).left, 10);
  });

  it('reports a server without TLS at an https address as unreachable', async () => {
    const plain = createServer(socket => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const error = await catchFailure(setUpClient().client.get(requestTo(`https://127.0.0.1:${port}`)));
    plain.close();
    assert.equal(error.reason, 'unreachable');
    assert.equal(error.facts.requestsSpent, 0);
    assert.match(error.facts.detail ?? '', /^no secure connection \([A-Z_0-9]+\)$/);
  });
});
