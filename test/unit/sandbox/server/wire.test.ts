import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import {
  createHttpServer,
  startSandbox,
  defaultTimeouts,
  type RunningSandbox,
  type SandboxOptions,
} from '../../../../src/sandbox/embedded.ts';
import { parseFaultRules } from '../../../../src/sandbox/faults/faultRules.ts';
import { assertDocumented, fetchDocumented } from '../../../support/documentedResponses.ts';
import { noon, range, systemState } from '../fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);
const tenYears = range(Date.UTC(2018, 0), Date.UTC(2028, 0));
const megabyte = 1_048_576;

/** Requests a path. Resolves to the response and how the connection ended: "end" or the code of the error. */
async function get(sandbox: { baseUrl: string }, key: string, path = systemState + day) {
  return new Promise<{ response?: IncomingMessage; bytes: number; end: string }>(resolve => {
    const chunks: Buffer[] = [];
    let response: IncomingMessage | undefined;
    const finish = (end: string) => {
      const body = Buffer.concat(chunks);
      if (response && end === 'end') assertComplete(path, response, body);
      resolve({ bytes: body.length, end, ...(response && { response }) });
    };
    const onError = (error: NodeJS.ErrnoException) => finish(error.code ?? error.message);
    request(sandbox.baseUrl + path, { headers: { 'x-api-key': key } }, incoming => {
      response = incoming;
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => finish('end')).on('error', onError);
    })
      .on('error', onError)
      .end();
  });
}

function assertComplete(
  path: string,
  { statusCode: status = 0, headers: received }: IncomingMessage,
  body: Buffer,
): void {
  const headers = new Headers(Object.entries(received).map(([name, value]) => [name, String(value)]));
  assertDocumented({ method: 'GET', path, status, headers, body: body.toString() });
}

describe('sandbox on the wire', () => {
  let sandbox: RunningSandbox | undefined;
  let key = '';
  const start = async (options: SandboxOptions = {}): Promise<RunningSandbox> => {
    sandbox = await startSandbox({ limits: { normalized_data: null }, ...options });
    key = sandbox.createKey('test').value;
    return sandbox;
  };
  const startWith = async (text: string) => {
    const faults = parseFaultRules(text);
    return typeof faults === 'string' ? assert.fail(faults) : start({ faults });
  };
  afterEach(async () => {
    await sandbox?.close();
    sandbox = undefined;
  });

  it('responds with 405 to unsupported methods, including TRACE, which a Request cannot have', async () => {
    const { baseUrl } = await start();
    for (const path of ['/healthz', '/openapi.json', systemState])
      for (const method of ['TRACE', 'DELETE']) {
        const clientRequest = request(baseUrl + path, { method, headers: { 'x-api-key': key } }).end();
        const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
        assert.deepEqual(
          [response.statusCode, response.headers.allow],
          [405, 'GET, HEAD, OPTIONS'],
          `${method} ${path}`,
        );
        response.resume();
      }
  });

  it('resets the connection', async () => {
    const { response, end } = await get(await startWith('reset'), key);
    assert.deepEqual([response, end], [undefined, 'ECONNRESET']);
  });

  it('truncates a body after sending its length', async () => {
    const { response, bytes, end } = await get(await startWith('truncate'), key);
    assert.equal(end, 'ECONNRESET');
    assert.equal(response?.headers['x-sandbox-fault'], 'truncate');
    assert.equal(bytes, Math.floor(Number(response.headers['content-length']) / 2));
  });

  it('serves other requests meanwhile, and delays on request', async () => {
    const running = await startWith('latency=30,oversize=2');
    const { response, bytes, end } = await get(running, key);
    assert.deepEqual([end, response?.headers['x-sandbox-fault']], ['end', 'latency=30, oversize=2']);
    assert.ok(bytes > 2 * megabyte);
    assert.deepEqual(running.faults?.metCounts, { latency: 1, oversize: 1 });
  });

  it('exposes no fault controls unless started with them', async () => {
    const running = await start();
    assert.equal(running.faults, undefined);
    assert.equal((await get(running, key)).end, 'end');
  });

  it('disconnects a client that sends its request very slowly, or none', async () => {
    const { baseUrl } = await start({ timeouts: { headMs: 200, requestMs: 400, idleMs: 60_000 } });
    const sockets = [0, 1].map(() => connect(Number(new URL(baseUrl).port), '127.0.0.1'));
    await Promise.all(sockets.map(async socket => once(socket, 'connect')));
    sockets[0]?.write('GET / HTTP/1.1\r\nHost: ');
    const drops = setInterval(() => sockets[0]?.write('x'), 50);
    sockets[0]?.once('close', () => clearInterval(drops));
    // Bytes that are in flight when the server closes the connection cause a reset.
    const closed = (socket: Socket) =>
      new Promise(
        resolve =>
          void socket
            .on('error', () => undefined)
            .resume()
            .once('close', resolve),
      );
    await Promise.all(sockets.map(closed));
    // If they were closed later, the default timeouts could be the cause.
  }).timeout(defaultTimeouts.headMs);

  it('limits the time of a head, of a request and without a byte, each by its own number', () => {
    const { headersTimeout, requestTimeout, timeout } = createHttpServer({ headMs: 1, requestMs: 2, idleMs: 3 });
    assert.deepEqual([headersTimeout, requestTimeout, timeout], [1, 2, 3]);
  });

  it('streams long ranges in chunks, complete and in order', async () => {
    const running = await start({ now: Date.UTC(2020, 0) });
    const response = await fetchDocumented(running.baseUrl + systemState + tenYears, { headers: { 'x-api-key': key } });
    assert.equal(response.headers.get('content-length'), null);
    const { data } = (await response.json()) as { data: { ts: string }[] };
    const times = data.map(({ ts }) => ts);
    assert.ok(times.length > 17_000 && times.length <= 17_520, `${times.length}`);
    assert.deepEqual(times, [...new Set(times)].sort());
    assert.equal(times[0], '2018-01-01T00:00:00Z');
  });

  it('sends no ETag, and ignores If-None-Match', async () => {
    const { baseUrl } = await start();
    const headers = { 'x-api-key': key, 'if-none-match': '*' };
    const response = await fetchDocumented(baseUrl + systemState + day, { headers });
    assert.deepEqual([response.status, response.headers.get('etag')], [200, null]);
  });
});
