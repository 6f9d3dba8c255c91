import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSpellings } from '../../../hostile/keySpellings.ts';
import { catchFailure, requestTo, setUpClient, testKey } from './clientSetUp.ts';
import { reply, startFaultServer } from './faultServer.ts';
import type { FaultServer } from './faultServer.ts';

describe('ApiClient with paths and redirects to other hosts', () => {
  let otherServer: FaultServer;
  let server: FaultServer;
  let location = '';

  beforeEach(async () => {
    otherServer = await startFaultServer(reply(200, '[1]'));
    server = await startFaultServer((socket, requestNumber) =>
      reply(status, '', `Location: ${location}`)(socket, requestNumber),
    );
  });
  afterEach(() => Promise.all([otherServer.close(), server.close()]));

  let status = 302;
  for (const redirect of [300, 301, 302, 303, 304, 307, 308])
    for (const originKind of ['another', 'the same'] as const)
      it(`follows no ${redirect} to ${originKind} origin`, async () => {
        status = redirect;
        location = originKind === 'another' ? `${otherServer.baseUrl}/x` : '/x';
        const error = await catchFailure(setUpClient().client.get(requestTo(server.baseUrl)));
        assert.equal(error.reason, 'redirected');
        assert.deepEqual(error.facts, { status: redirect, requestsSpent: 1 });
        assert.equal(server.requests.length, 1);
        assert.equal(otherServer.openSockets + otherServer.requests.length, 0);
      });

  for (const path of [
    'http://127.0.0.1:1/x',
    '//127.0.0.1:1/x',
    'api/v1',
    '',
    '/\\127.0.0.1',
    '/x?y=1',
    '/x#y',
    '/a b',
    '/a\n',
  ])
    it(`rejects the path ${JSON.stringify(path)} before anything is sent`, async () => {
      const error = await catchFailure(setUpClient().client.get(requestTo(server.baseUrl, { path })));
      assert.equal(error.reason, 'badRequest');
      assert.equal(server.requests.length, 0);
    });

  for (const path of ['/../other', '/%2e%2e/other', '/a/../../other'])
    it(`rejects the path ${path} that leaves the base path`, async () => {
      const error = await catchFailure(setUpClient().client.get(requestTo(`${server.baseUrl}/base`, { path })));
      assert.equal(error.reason, 'badRequest');
      assert.equal(server.requests.length, 0);
    });

  for (const baseUrl of ['http://api.example.invalid', 'https://a@api.example.invalid', 'ftp://127.0.0.1', ''])
    it(`sends no key to ${JSON.stringify(baseUrl)}`, async () => {
      const error = await catchFailure(setUpClient().client.get(requestTo(baseUrl)));
      assert.equal(error.reason, 'noConnection');
    });

  it('prints no address and no key when DEBUG makes packages print everything', async () => {
    status = 302;
    location = `${otherServer.baseUrl}/x`;
    const helper = JSON.stringify(import.meta.resolve('./clientSetUp.ts'));
    const program = `const { catchFailure, requestTo, setUpClient } = await import(${helper});
      console.log((await catchFailure(setUpClient().client.get(requestTo(${JSON.stringify(server.baseUrl)})))).reason);`;
    const env = { ...process.env, DEBUG: '*', HTTP_PROXY: otherServer.baseUrl };
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
    assert.deepEqual(await run, { stdout: 'redirected\n', stderr: '' });
  });

  it('ignores the proxy of the environment', async () => {
    const previousEnv = { ...process.env };
    try {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
        process.env[name] = otherServer.baseUrl;
      for (const name of ['NO_PROXY', 'no_proxy']) Reflect.deleteProperty(process.env, name);
      status = 200;
      await catchFailure(setUpClient().client.get(requestTo(server.baseUrl)));
      assert.equal(server.requests.length, 1);
      assert.equal(otherServer.requests.length, 0);
    } finally {
      for (const name of Object.keys(process.env))
        if (!(name in previousEnv)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, previousEnv);
    }
  });

  for (const key of ['', 'short', 'sb_test_with blank', 'sb_test_\r\nX-Evil: 1', ' sb_test_untrimmed', 'sb_test_ключ'])
    it(`does not send the invalid key ${JSON.stringify(key)}`, async () => {
      const error = await catchFailure(setUpClient().client.get(requestTo(server.baseUrl, { key })));
      assert.equal(error.reason, 'noKey');
      assert.equal(server.requests.length, 0);
    });

  it('sends the key only in its header, and requests English JSON', async () => {
    await catchFailure(setUpClient().client.get(requestTo(server.baseUrl)));
    const [request = ''] = server.requests;
    const otherSpellings = findSpellings(request, testKey).filter(spelling => !testKey.includes(spelling));
    assert.deepEqual(otherSpellings, []);
    const lines = request.split('\r\n').map(line => line.toLowerCase());
    const withKey = lines.filter(line => line.includes(testKey.toLowerCase()));
    assert.deepEqual(withKey, [`x-api-key: ${testKey.toLowerCase()}`]);
    assert.ok(lines.includes('accept: application/json'));
    assert.ok(lines.includes('accept-language: en'));
    assert.equal(lines[0], 'get /api/v1/grid?interval=1h http/1.1');
  });
});
