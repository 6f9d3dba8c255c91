import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { RunningSandbox, SandboxOptions } from '../../../src/sandbox/embedded.ts';
import { readFaultRules } from '../../../src/sandbox/faults/faultRules.ts';
import { assertDescribed, fetchDescribed } from '../../support/describedAnswers.ts';
import { startSandboxChild } from '../../support/sandboxChild.ts';
import { noon, range, systemState } from './fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);
const tenYears = range(Date.UTC(2018, 0), Date.UTC(2028, 0));
const megabyte = 1_048_576;

/** The answer, and how its connection ended: "end" or the code of what broke it. */
async function get(sandbox: { baseUrl: string }, key: string, path = systemState + day) {
  return new Promise<{ response?: IncomingMessage; bytes: number; end: string }>(resolve => {
    const chunks: Buffer[] = [];
    let response: IncomingMessage | undefined;
    const done = (end: string) => {
      const body = Buffer.concat(chunks);
      if (response && end === 'end') assertWhole(path, response, body);
      resolve({ bytes: body.length, end, ...(response && { response }) });
    };
    const broken = (error: NodeJS.ErrnoException) => done(error.code ?? error.message);
    request(sandbox.baseUrl + path, { headers: { 'x-api-key': key } }, answer => {
      response = answer;
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => done('end')).on('error', broken);
    })
      .on('error', broken)
      .end();
  });
}

function assertWhole(path: string, { statusCode: status = 0, headers: received }: IncomingMessage, body: Buffer): void {
  const headers = new Headers(Object.entries(received).map(([name, value]) => [name, String(value)]));
  assertDescribed({ method: 'GET', path, status, headers, body: body.toString() });
}

describe('sandbox on the wire', function () {
  this.timeout(60_000);
  let sandbox: RunningSandbox | undefined;
  let key = '';
  const start = async (options: SandboxOptions = {}): Promise<RunningSandbox> => {
    sandbox = await startSandbox({ limits: { normalized_data: null }, ...options });
    key = sandbox.createKey('test').value;
    return sandbox;
  };
  const startWith = async (text: string) => {
    const faults = readFaultRules(text);
    return typeof faults === 'string' ? assert.fail(faults) : start({ faults });
  };
  afterEach(async () => {
    await sandbox?.close();
    sandbox = undefined;
  });

  it('resets the connection', async () => {
    const { response, end } = await get(await startWith('reset'), key);
    assert.deepEqual([response, end], [undefined, 'ECONNRESET']);
  });

  it('cuts a body in the middle, after having said how long it is', async () => {
    const { response, bytes, end } = await get(await startWith('truncate'), key);
    assert.equal(end, 'ECONNRESET');
    assert.equal(response?.headers['x-sandbox-fault'], 'truncate');
    assert.equal(bytes, Math.floor(Number(response.headers['content-length']) / 2));
  });

  it('goes on serving others, and takes longer where it is told to', async () => {
    const running = await startWith('latency=30,oversize=2');
    const { response, bytes, end } = await get(running, key);
    assert.deepEqual([end, response?.headers['x-sandbox-fault']], ['end', 'latency=30, oversize=2']);
    assert.ok(bytes > 2 * megabyte);
    assert.deepEqual(running.faults?.met, { latency: 1, oversize: 1 });
  });

  it('has no switches unless it was started with them', async () => {
    const running = await start();
    assert.equal(running.faults, undefined);
    assert.equal((await get(running, key)).end, 'end');
  });

  it('cuts off who sends a request drop by drop, or none', async () => {
    const { baseUrl } = await start({ patience: { headMs: 200, requestMs: 400, stillMs: 60_000 } });
    const sockets = [0, 1].map(() => connect(Number(new URL(baseUrl).port), '127.0.0.1'));
    await Promise.all(sockets.map(async socket => once(socket, 'connect')));
    sockets[0]?.write('GET / HTTP/1.1\r\nHost: ');
    const drops = setInterval(() => sockets[0]?.write('x'), 50);
    await Promise.all(sockets.map(async socket => once(socket.on('error', () => undefined).resume(), 'close')));
    clearInterval(drops);
  });

  it('answers long ranges in parts, whole and in order', async () => {
    const running = await start({ now: Date.UTC(2020, 0) });
    const response = await fetchDescribed(running.baseUrl + systemState + tenYears, { headers: { 'x-api-key': key } });
    assert.equal(response.headers.get('content-length'), null);
    const { data } = (await response.json()) as { data: { ts: string }[] };
    const times = data.map(({ ts }) => ts);
    assert.ok(times.length > 17_000 && times.length <= 17_520, `${times.length}`);
    assert.deepEqual(times, [...new Set(times)].sort());
    assert.equal(times[0], '2018-01-01T00:00:00Z');
  });

  it('sends no ETag, and answers who asks for one as anybody else', async () => {
    const { baseUrl } = await start();
    const headers = { 'x-api-key': key, 'if-none-match': '*' };
    const response = await fetchDescribed(baseUrl + systemState + day, { headers });
    assert.deepEqual([response.status, response.headers.get('etag')], [200, null]);
  });
});

describe('sandbox among many', function () {
  this.timeout(120_000);

  it('holds 10,000 idle connections and slow readers of long answers, plain and zipped, in little memory, and gives it back', async () => {
    const child = await startSandboxChild();
    const sockets: Socket[] = [];
    try {
      // What it keeps of its data, it keeps from here on.
      await (
        await fetch(child.baseUrl + systemState + tenYears, { headers: { 'x-api-key': child.key } })
      ).arrayBuffer();
      const before = (await child.use()).held;
      // Each side has a process, and so a limit of open files, of its own.
      const files = openFiles();
      const wanted = Math.min(10_000, files - 500);
      if (wanted < 10_000)
        console.log(`      (${wanted} connections: this machine allows ${files} open files a process)`);
      const port = Number(new URL(child.baseUrl).port);
      const told = new Set<string>();
      while (sockets.length < wanted) {
        const some = Array.from({ length: Math.min(200, wanted - sockets.length) }, () => connect(port, '127.0.0.1'));
        await Promise.all(some.map(async socket => once(socket, 'connect')));
        for (const socket of some)
          socket.on('error', () => undefined).on('data', chunk => told.add(chunk.toString().split('\r\n')[0] ?? ''));
        sockets.push(...some);
      }
      const idle = [...sockets];
      for (let slow = 0; slow < 10; slow++)
        for (const encoding of ['identity', 'gzip'])
          sockets.push(await askWithoutReading(child.baseUrl, child.key, encoding));
      assert.equal((await get(child, child.key)).end, 'end');
      const held = (await child.use()).held - before;
      const open = idle.filter(({ closed }) => !closed).length;
      if (open < wanted) console.log(`      (${wanted - open} connections were cut off before all were there)`);
      // Twenty answers of 29 MB would be 580.
      assert.ok(held < 150 * megabyte, `${Math.round(held / megabyte)} MB`);
      // The patience of the service ends: nobody else closes them.
      await Promise.all(idle.map(async socket => socket.closed || once(socket, 'close')));
      assert.deepEqual([...told], ['HTTP/1.1 408 Request Timeout']);
      for (const socket of sockets) socket.destroy();
      let left = Number.POSITIVE_INFINITY;
      // It hears of the last ones while it answers others.
      for (let asked = 0; asked < 20 && left >= 10 * megabyte; asked++) {
        assert.equal((await get(child, child.key)).end, 'end');
        left = (await child.use()).held - before;
      }
      assert.ok(left < 10 * megabyte, `${Math.round(left / megabyte)} MB are left`);
    } finally {
      for (const socket of sockets) socket.destroy();
      await child.close();
    }
  });
});

/** Asks for ten years and takes nothing after the first bytes. */
async function askWithoutReading(baseUrl: string, key: string, encoding: string): Promise<Socket> {
  const { port, host } = new URL(baseUrl);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const head = [`Host: ${host}`, `X-API-KEY: ${key}`, `Accept-Encoding: ${encoding}`].join('\r\n');
  socket.write(`GET ${systemState}${tenYears} HTTP/1.1\r\n${head}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** How many files (and sockets) this process may have open. */
function openFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  return Number(userLimits?.open_files?.soft) || Number.POSITIVE_INFINITY;
}
