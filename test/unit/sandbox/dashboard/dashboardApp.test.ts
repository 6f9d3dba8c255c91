import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gridStress, noon, port, range, systemState } from '../fakes.ts';
import { fakeDashboard, pageHeaders } from './fakeDashboard.ts';

const pageFiles = readdirSync(
  fileURLToPath(new URL('../../../../src/sandbox/dashboard/page/', import.meta.url)),
).filter(name => name !== 'index.html' && name !== 'tsconfig.json');
const strangers = ['http://evil.example', 'http://127.0.0.1:1', 'null'];

/** Everything that the page may ask for with a session. */
const asked = [
  ['DELETE', 'session', undefined],
  ['GET', 'state', undefined],
  ['POST', 'keys', { name: 'new' }],
  ['POST', 'keys/terms', { prefix: 'sb_test_0101', scopes: [] }],
  ['POST', 'keys/matching', { which: 'test' }],
  ['POST', 'keys/revoke', { which: 'test' }],
  ['POST', 'faults', { rules: 'error' }],
] as const;

describe('dashboard: the page', () => {
  it('serves the page and its files to anybody, under a policy without inline code, frames or other hosts', async () => {
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

  it('serves no other file', async () => {
    const { send } = fakeDashboard();
    for (const path of ['/tsconfig.json', '/../sessions.ts', '/%2e%2e/sessions.ts', '/..%2fsessions.ts', '/nothing.js'])
      assert.equal((await send('GET', `/dashboard${path}`)).status, 404, path);
  });

  it('refuses another host name, also for a signed-in browser', async () => {
    const { send, signIn } = fakeDashboard();
    const cookie = await signIn();
    const headers = { ...pageHeaders, cookie, host: `rebound.example:${port}` };
    assert.equal((await send('GET', '/dashboard', { headers })).status, 400);
    assert.equal((await send('GET', '/dashboard/api/state', { headers })).status, 400);
  });
});

describe('dashboard: signing in', () => {
  it('exchanges a token once for an HttpOnly, SameSite cookie', async () => {
    const { send, sessions } = fakeDashboard();
    const body = { token: sessions.issueToken() };
    const response = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
    assert.equal(response.status, 204);
    const [pair = '', ...flags] = response.headers.get('set-cookie')?.split('; ') ?? [];
    assert.ok(pair.startsWith(`sandbox_dashboard_${port}=`));
    assert.deepEqual(flags.sort(), ['HttpOnly', 'SameSite=Strict']);
    assert.ok(!pair.includes(body.token));
    const again = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
    assert.deepEqual([again.status, again.headers.get('set-cookie')], [401, null]);
  });

  it('needs no token where the sandbox was started without signing in, but its own page all the same', async () => {
    const { send, keys } = fakeDashboard({ noSignIn: true });
    const body = { name: 'desk' };
    assert.equal((await send('POST', '/dashboard/api/keys', { body, headers: pageHeaders })).status, 201);
    for (const headers of [
      {},
      { ...pageHeaders, origin: 'http://evil.example' },
      { ...pageHeaders, host: 'evil.example' },
    ])
      assert.notEqual((await send('POST', '/dashboard/api/keys', { body, headers })).status, 201);
    assert.equal(keys.list().length, 1);
  });

  it('refuses a wrong token and an invalid body', async () => {
    const { send } = fakeDashboard();
    for (const body of [{ token: 'guess' }, { token: 7 }, {}, 'token', null]) {
      const response = await send('POST', '/dashboard/api/session', { body, headers: pageHeaders });
      assert.equal(response.status, 401);
      assert.equal(response.headers.get('set-cookie'), null);
    }
  });

  it('ends a session on sign-out, and on a new sign-in', async () => {
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

describe('dashboard: requests of the page', () => {
  it('requires a session for every request', async () => {
    const { ask, keys } = fakeDashboard();
    keys.create('test');
    for (const [method, path, body] of asked) {
      for (const cookie of ['', `sandbox_dashboard_${port}=guess`])
        assert.equal((await ask(method, path, cookie, body)).status, 401, path);
    }
    assert.deepEqual(
      keys.list().map(({ name, revoked, scopes }) => [name, revoked, scopes.length]),
      [['test', false, 2]],
    );
  });

  it('refuses a request of another page with the cookie', async () => {
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
      keys.list().map(({ name, revoked, scopes }) => [name, revoked, scopes.length]),
      [['test', false, 2]],
    );
  });

  it('accepts only small JSON bodies', async () => {
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
      { limits: { others: '5' } },
      ...['-1', '1.5', '1e3', '1000000001', 'many', 'denied', '', 5, null].map(features => ({ limits: { features } })),
    ]) {
      assert.equal((await ask('POST', 'keys', cookie, { name: 'a', ...terms })).status, 400, JSON.stringify(terms));
      const { prefix } = keys.create('there');
      const before = keys.list();
      const refused = await ask('POST', 'keys/terms', cookie, { prefix, ...terms });
      assert.equal(refused.status, 400, JSON.stringify(terms));
      const detail = 'Enter a limit: a whole number up to 1,000,000,000, or none for no limit.';
      assert.deepEqual(await refused.json(), { detail });
      assert.deepEqual(keys.list(), before);
    }
    assert.ok(keys.list().every(({ name }) => name === 'there'));
  });

  it('creates a key with its own limits and access, which are enforced and listed', async () => {
    const { ask, send, signIn, state } = fakeDashboard();
    const cookie = await signIn();
    const terms = { scopes: ['normalized_data'], limits: { normalized_data: ' 2 ' } };
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

  it('changes the access of a key from the next request on', async () => {
    const { ask, send, signIn, state, keys } = fakeDashboard();
    const cookie = await signIn();
    const { value, prefix } = keys.create('desk', { scopes: ['features'], limits: { features: 0 } });
    const use = async (path: string) =>
      (await send('GET', path + range(noon - 3_600_000, noon), { headers: { 'x-api-key': value } })).status;
    assert.deepEqual([await use(gridStress), await use(systemState)], [429, 403]);
    const all = ['normalized_data', 'features'];
    const changed = await ask('POST', 'keys/terms', cookie, { prefix, scopes: all, limits: { features: 'none' } });
    assert.equal(changed.status, 204);
    for (let sent = 0; sent < 20; sent++) assert.equal(await use(gridStress), 200);
    assert.equal(await use(systemState), 200);
    const [listed] = (await state(cookie)).keys;
    assert.deepEqual(listed?.limits, { normalized_data: 10, features: null });
    assert.deepEqual([listed.scopes, listed.ownLimits], [all, { features: null }]);
    // What is not said is the sandbox's again.
    await ask('POST', 'keys/terms', cookie, { prefix });
    assert.deepEqual((await state(cookie)).keys[0]?.ownLimits, {});
    keys.revoke(prefix);
    const late = await ask('POST', 'keys/terms', cookie, { prefix, scopes: [] });
    assert.equal(late.status, 404);
    const detail = 'No active key has this prefix. It was revoked meanwhile.';
    assert.deepEqual(await late.json(), { detail });
  });

  it("returns a new key's value once, and revokes it by prefix or name at once", async () => {
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
