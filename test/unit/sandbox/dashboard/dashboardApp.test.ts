import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageFiles } from '../../../../src/sandbox/dashboard/pageFiles.ts';
import { gridStress, noon, port, range, systemState } from '../fakes.ts';
import { fakeDashboard, pageHeaders } from './fakeDashboard.ts';

const page = fileURLToPath(new URL('../../../../src/sandbox/dashboard/page/', import.meta.url));
const strangers = ['http://evil.example', 'http://127.0.0.1:1', 'null'];

/** Everything that the page may ask for with a session. */
const asked = [
  ['DELETE', 'session', undefined],
  ['GET', 'state', undefined],
  ['POST', 'keys', { name: 'new' }],
  ['POST', 'keys/matching', { which: 'test' }],
  ['POST', 'keys/revoke', { which: 'test' }],
  ['POST', 'faults', { rules: 'error' }],
] as const;

describe('dashboard: the page', () => {
  it('is served with all its files to anybody, under a policy without inline code, frames or other hosts', async () => {
    const { send } = fakeDashboard();
    for (const name of ['', ...pageFiles.map(file => `/${file}`)]) {
      const response = await send('GET', `/dashboard${name}`);
      assert.equal(response.status, 200, name);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(response.headers.get('x-frame-options'), 'DENY');
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
      const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
        assert.ok(policy.includes(rule), rule);
      assert.doesNotMatch(policy.join(), /unsafe|\*|https?:/);
      const text = await response.text();
      assert.doesNotMatch(text.replaceAll('http://www.w3.org/2000/svg', ''), /https?:\/\//, name);
      assert.doesNotMatch(text, /\bstyle=|\bon[a-z]+="|innerHTML/, name);
    }
  });

  it('serves every file of its folder, and nothing beside it', async () => {
    const there = readdirSync(page).filter(name => name !== 'index.html' && name !== 'tsconfig.json');
    assert.deepEqual(there.sort(), [...pageFiles].sort());
    const { send } = fakeDashboard();
    for (const path of ['/tsconfig.json', '/../sessions.ts', '/%2e%2e/sessions.ts', '/..%2fsessions.ts', '/nothing.js'])
      assert.equal((await send('GET', `/dashboard${path}`)).status, 404, path);
  });

  it('is refused under another host name, also to who is signed in', async () => {
    const { send, signIn } = fakeDashboard();
    const cookie = await signIn();
    const headers = { ...pageHeaders, cookie, host: `rebound.example:${port}` };
    assert.equal((await send('GET', '/dashboard', { headers })).status, 400);
    assert.equal((await send('GET', '/dashboard/api/state', { headers })).status, 400);
  });
});

describe('dashboard: signing in', () => {
  it('gives a cookie that no script reads and no other site sends, for a token, once', async () => {
    const { send, sessions } = fakeDashboard();
    const body = { token: sessions.issueToken() };
    const response = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
    assert.equal(response.status, 204);
    const [pair = '', ...flags] = response.headers.get('set-cookie')?.split('; ') ?? [];
    assert.ok(pair.startsWith(`sandbox_dashboard_${port}=`));
    assert.deepEqual(flags.sort(), ['HttpOnly', 'Path=/dashboard', 'SameSite=Strict']);
    assert.ok(!pair.includes(body.token));
    const again = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
    assert.deepEqual([again.status, again.headers.get('set-cookie')], [401, null]);
  });

  it('refuses a wrong token, and a body that is none', async () => {
    const { send } = fakeDashboard();
    for (const body of [{ token: 'guess' }, { token: 7 }, {}, 'token', null]) {
      const response = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
      assert.equal(response.status, 401);
      assert.equal(response.headers.get('set-cookie'), null);
    }
  });

  it('ends with signing out, and with signing in anew', async () => {
    const { ask, signIn, send, sessions } = fakeDashboard();
    const first = await signIn();
    const body = { token: sessions.issueToken() };
    await send('POST', '/dashboard/api/session', { body, headers: { ...pageHeaders, cookie: first } });
    assert.equal((await ask('GET', 'state', first)).status, 401);
    const second = await signIn();
    assert.equal((await ask('GET', 'state', second)).status, 200);
    const out = await ask('DELETE', 'session', second);
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/);
    assert.equal((await ask('GET', 'state', second)).status, 401);
  });
});

describe('dashboard: what the page asks for', () => {
  it('takes a session, and does nothing without', async () => {
    const { ask, keys } = fakeDashboard();
    keys.create('test');
    for (const [method, path, body] of asked) {
      for (const cookie of ['', `sandbox_dashboard_${port}=guess`])
        assert.equal((await ask(method, path, cookie, body)).status, 401, path);
    }
    assert.deepEqual(
      keys.list().map(({ name, revoked }) => [name, revoked]),
      [['test', false]],
    );
  });

  it('refuses what another page sends with the cookie', async () => {
    const { send, signIn, keys } = fakeDashboard();
    keys.create('test');
    const cookie = await signIn();
    for (const [method, path, body] of asked) {
      const address = `/dashboard/api/${path}`;
      const forged = [
        // A form, or a script that must not set headers.
        { cookie },
        { cookie, origin: `http://127.0.0.1:${port}` },
        { ...pageHeaders, cookie, 'sec-fetch-site': 'same-site' },
        { ...pageHeaders, cookie, 'sec-fetch-site': 'cross-site' },
        ...strangers.map(origin => ({ ...pageHeaders, cookie, origin })),
      ];
      for (const headers of forged)
        assert.equal((await send(method, address, { body, headers })).status, 403, JSON.stringify([path, headers]));
      const preflight = await send('OPTIONS', address, { headers: { origin: 'http://127.0.0.1:1' } });
      assert.equal(preflight.headers.get('access-control-allow-origin'), null);
    }
    assert.deepEqual(
      keys.list().map(({ name, revoked }) => [name, revoked]),
      [['test', false]],
    );
  });

  it('takes small JSON alone', async () => {
    const { send, ask, signIn, keys } = fakeDashboard();
    const cookie = await signIn();
    const headers = { ...pageHeaders, cookie, 'content-type': 'text/plain' };
    assert.equal((await send('POST', '/dashboard/api/keys', { body: { name: 'a' }, headers })).status, 400);
    const long = { ...pageHeaders, cookie, 'content-length': '4097' };
    assert.equal((await send('POST', '/dashboard/api/keys', { body: { name: 'a' }, headers: long })).status, 400);
    for (const name of ['', '   ', 'x'.repeat(101), 7, 'two\nlines', 'safe\u202egnp.exe'])
      assert.equal((await ask('POST', 'keys', cookie, { name })).status, 400);
    for (const terms of [
      { scopes: ['everything'] },
      { scopes: 'features' },
      { limits: { features: -1 } },
      { limits: { features: 1.5 } },
      { limits: { features: '5' } },
      { limits: { others: 5 } },
    ])
      assert.equal((await ask('POST', 'keys', cookie, { name: 'a', ...terms })).status, 400, JSON.stringify(terms));
    assert.deepEqual(keys.list(), []);
  });

  it('creates a key with limits and access of its own, which hold and are listed', async () => {
    const { ask, send, signIn, state } = fakeDashboard();
    const cookie = await signIn();
    const terms = { scopes: ['normalized_data'], limits: { normalized_data: 2 } };
    const created = await ask('POST', 'keys', cookie, { name: 'desk', ...terms });
    const { value, prefix } = (await created.json()) as { value: string; prefix: string };
    const use = async (path: string) =>
      (await send('GET', path + range(noon - 3_600_000, noon), { headers: { 'x-api-key': value } })).status;
    assert.deepEqual([await use(gridStress), await use(systemState)], [403, 200]);
    assert.deepEqual([await use(systemState), await use(systemState)], [200, 429]);
    const shown = await state(cookie);
    assert.deepEqual(
      shown.keys.map(({ scopes, limits }) => ({ scopes, limits })),
      [{ scopes: ['normalized_data'], limits: { normalized_data: 2, features: 3 } }],
    );
    assert.deepEqual(shown.limits, { normalized_data: 10, features: 3 });
    assert.equal(shown.chart?.prefix, prefix);
    assert.deepEqual(
      shown.chart.scopes.map(({ scope, limit }) => [scope, limit]),
      [['normalized_data', 2]],
    );
  });

  it('creates a key whose value is in this one answer, and revokes it by prefix or name with effect at once', async () => {
    const { ask, send, signIn } = fakeDashboard();
    const cookie = await signIn();
    const use = async (value: string) =>
      (await send('GET', gridStress + range(noon - 3_600_000, noon), { headers: { 'x-api-key': value } })).status;
    for (const by of ['prefix', 'name'] as const) {
      const created = await ask('POST', 'keys', cookie, { name: ` Desk ${by} ` });
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('cache-control'), 'no-store');
      const key = (await created.json()) as { name: string; prefix: string; value: string };
      assert.equal(key.name, `Desk ${by}`);
      assert.equal(await use(key.value), 200);
      const state = await (await ask('GET', 'state', cookie)).text();
      assert.ok(state.includes(key.prefix) && !state.includes(key.value));
      const matching = await ask('POST', 'keys/matching', cookie, { which: key[by] });
      assert.deepEqual(await matching.json(), [{ name: key.name, prefix: key.prefix }]);
      assert.equal(await use(key.value), 200);
      const revoked = await ask('POST', 'keys/revoke', cookie, { which: key[by] });
      assert.deepEqual(await revoked.json(), { revoked: 1 });
      assert.equal(await use(key.value), 401);
      assert.equal((await ask('POST', 'keys/revoke', cookie, { which: key[by] })).status, 404);
    }
  });
});
