import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startSandbox } from '../../../src/sandbox/embedded.ts';
import type { RunningSandbox, SandboxOptions } from '../../../src/sandbox/embedded.ts';
import { SandboxError } from '../../../src/sandbox/sandboxError.ts';
import { assertDocumented } from '../../support/documentedResponses.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { countingBytes, fakeClock, noon, range, systemState } from './fakes.ts';

const week = range(noon - 7 * 24 * 3_600_000, noon);

async function get(url: string, headers: Readonly<Record<string, string>>): Promise<[IncomingMessage, Buffer]> {
  const clientRequest = request(url, { headers }).end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { statusCode: status = 0, headers: received } = response;
  assertDocumented({
    method: 'GET',
    path: new URL(url).pathname,
    status,
    headers: new Headers(Object.entries(received).map(([name, value]) => [name, String(value)])),
    body: (received['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString(),
  });
  return [response, body];
}

describe('startSandbox', () => {
  let sandbox: RunningSandbox;
  const start = (options: SandboxOptions = {}) =>
    startSandbox({ clock: fakeClock(), randomBytes: countingBytes(), ...options });

  beforeEach(async () => {
    sandbox = await start();
  });
  afterEach(() => sandbox.close());

  it('listens on 127.0.0.1 at a free port, with its own key', async () => {
    assert.match(sandbox.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(sandbox.identity, 'synthetic-2-seed-1');
    assert.equal(sandbox.dataStart, Date.UTC(2018, 0));
    const { value } = sandbox.createKey('test');
    const [response, body] = await get(sandbox.baseUrl + systemState + week, { 'x-api-key': value });
    assert.equal(response.statusCode, 200);
    assert.ok((JSON.parse(body.toString()) as { data: unknown[] }).data.length > 160);
  });

  it('compresses responses for clients that accept gzip, except small ones', async () => {
    const { value } = sandbox.createKey('test');
    const url = sandbox.baseUrl + systemState;
    const headers = { 'x-api-key': value, 'accept-encoding': 'gzip, deflate, br' };
    const [zipped, zippedBody] = await get(url + week, headers);
    const [plain, plainBody] = await get(url + week, { 'x-api-key': value });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(zipped.headers.vary, 'Accept-Encoding');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.ok(zippedBody.length < plainBody.length / 2);
    assert.deepEqual(gunzipSync(zippedBody), plainBody);
    const [small] = await get(url, headers);
    assert.equal(small.statusCode, 400);
    assert.equal(small.headers['content-encoding'], undefined);
  });

  it('rejects a rebound host name and an invalid request target', async () => {
    const { value } = sandbox.createKey('test');
    for (const host of ['rebound.example', 'a b', '127.0.0.1:1@rebound.example']) {
      const [response, body] = await get(sandbox.baseUrl + systemState + week, { host, 'x-api-key': value });
      assert.equal(response.statusCode, 400, host);
      assert.equal((JSON.parse(body.toString()) as { error: string }).error, 'bad_request');
    }
  });

  it('limits requests by the given window', async () => {
    const quick = await start({ windowMs: 2_000 });
    try {
      const { value } = quick.createKey('test');
      let last: IncomingMessage | undefined;
      for (let sent = 0; sent < 11; sent++)
        [last] = await get(quick.baseUrl + systemState + week, { 'x-api-key': value });
      assert.equal(last?.statusCode, 429);
      assert.equal(last.headers['retry-after'], '2');
    } finally {
      await quick.close();
    }
  });

  it('on close, closes open connections and frees the port, and can be closed twice', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await Promise.all([sandbox.close(), ended]);
    await sandbox.close();
    const secondSandbox = await start({ port });
    assert.equal(secondSandbox.baseUrl, `http://127.0.0.1:${port}`);
    await secondSandbox.close();
  });

  it('accepts no request before its keys are loaded', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await sandbox.close();
    const stateFolder = createTemporaryFolder();
    // A damaged file is reported while the keys are opened.
    writeFileSync(join(stateFolder, 'keys.json'), '');
    const earlyConnections: Promise<unknown>[] = [];
    const tryToConnect = async () => {
      const client = connect(port, '127.0.0.1');
      return once(client, 'connect').then(
        () => client.destroy(),
        (error: unknown) => (error as NodeJS.ErrnoException).code,
      );
    };
    const secondSandbox = await start({ port, stateFolder, report: () => earlyConnections.push(tryToConnect()) });
    try {
      assert.deepEqual(await Promise.all(earlyConnections), ['ECONNREFUSED']);
    } finally {
      await secondSandbox.close();
    }
  });

  it('unlocks the state folder when the port is in use', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    const stateFolder = createTemporaryFolder();
    await assert.rejects(start({ port, stateFolder }), { name: 'SandboxError', message: /is already in use/ });
    assert.deepEqual(readdirSync(stateFolder), []);
  });

  it('explains in one sentence that a port is in use or a file is missing', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await assert.rejects(start({ port }), (error: unknown) => {
      assert.ok(error instanceof SandboxError);
      assert.equal(error.message, `Port ${port} is already in use; give another one, or none for any free port.`);
      return true;
    });
    await assert.rejects(start({ replay: ['no/such/folder/hours.csv'] }), {
      name: 'SandboxError',
      message: 'hours.csv cannot be read (there is no such file); check its path.',
    });
  });
});
