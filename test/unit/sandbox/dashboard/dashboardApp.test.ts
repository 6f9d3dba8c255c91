import assert from 'node:assert/strict';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { hostileTexts } from '../../../hostile/texts.ts';
import { gridStress, noon, port, range, systemState } from '../fakes.ts';
import { fakeDashboard, encodeFields, dashboardHeaders, getVisibleText, type Fields } from './fakeDashboard.ts';

const hourMs = 3_600_000;
const files = ['/style.css', '/copy.js', '/icon.svg'];

/** The forms of the pages, with valid values. */
const forms: readonly (readonly [path: string, ...Fields])[] = [
  ['signOut'],
  ['create', ['name', 'new']],
  ['limits', ['prefix', 'sb_test_0101']],
  ['revoke', ['which', 'test'], ['confirmed', 'yes']],
  ['faults', ['rules', 'error']],
];

describe('dashboard: the pages', () => {
  it('sends a policy without inline code, frames or other hosts', async () => {
    const { send, signIn, keys } = fakeDashboard({ faults: new FaultInjector(1) });
    const { prefix } = keys.create('desk');
    const cookie = await signIn();
    for (const path of ['', `?limits=${prefix}`, '?done=open', ...files])
      for (const headers of [{ cookie }, {}]) {
        const response = await send('GET', `/dashboard${path}`, { headers });
        assert.equal(response.status, headers.cookie || files.includes(path) ? 200 : 401, path);
        assert.equal(response.headers.get('cache-control'), 'no-store');
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(response.headers.get('x-frame-options'), 'DENY');
        assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
        assert.equal(response.headers.get('referrer-policy'), 'same-origin');
        assert.equal(response.headers.get('access-control-allow-origin'), null);
        const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
        for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"])
          assert.ok(policy.includes(rule), rule);
        assert.doesNotMatch(policy.join(), /unsafe|\*|https?:/);
        const text = await response.text();
        assert.doesNotMatch(text.replaceAll('http://www.w3.org/2000/svg', ''), /https?:\/\//, path);
        assert.doesNotMatch(text, /\bstyle=|\bon[a-z]+="|innerHTML|<script>/, path);
      }
  });

  it('serves the pages and no other file', async () => {
    const { send, signIn } = fakeDashboard();
    const headers = { cookie: await signIn() };
    for (const path of ['/pages.ts', '/../sessions.ts', '/%2e%2e/sessions.ts', '/..%2fsessions.ts', '/limits'])
      assert.equal((await send('GET', `/dashboard${path}`, { headers })).status, 404, path);
  });

  it('rejects another host name, even from a signed-in browser', async () => {
    const { send, signIn, sessions } = fakeDashboard();
    const headers = { ...dashboardHeaders, cookie: await signIn(), host: `rebound.example:${port}` };
    assert.equal((await send('GET', '/dashboard', { headers })).status, 400);
    assert.equal(
      (
        await send('POST', '/dashboard', {
          form: [
            ['action', 'create'],
            ['name', 'a'],
          ],
          headers,
        })
      ).status,
      400,
    );
    const token = sessions.issueToken();
    assert.equal((await send('GET', `/dashboard?token=${token}`, { headers })).status, 400);
    assert.ok(sessions.exchange(token), 'the token was not used');
  });

  it('shows names as plain text, even if they contain markup', async () => {
    const { signIn, open, post, keys } = fakeDashboard();
    const cookie = await signIn();
    const names = hostileTexts
      .map(({ text }) => text.slice(0, 100))
      .concat('"><script>alert(1)</script>', "' autofocus");
    for (const name of names) {
      const created = await post('create', cookie, ['name', name]);
      const page = await created.text();
      if (created.status === 400) continue;
      const { prefix } = keys.list().at(-1) ?? assert.fail();
      const pages = [page, await open('', cookie), await open(`?limits=${prefix}`, cookie)];
      pages.push(await (await post('revoke', cookie, ['which', prefix])).text());
      for (const pageText of pages) {
        assert.doesNotMatch(pageText, /<(?:img|script>|svg|textarea|a href="command|form action="https|h1>x)/, name);
        assert.ok(getVisibleText(pageText).includes(name.toWellFormed().trim().replace(/\s+/g, ' ')), name);
      }
      keys.revoke(prefix);
    }
    assert.ok(keys.list().length > 20);
  });
});

describe('dashboard: signing in', () => {
  it('exchanges the token of a link once for an HttpOnly, SameSite cookie', async () => {
    const { send, sessions } = fakeDashboard();
    const link = `/dashboard?token=${sessions.issueToken()}`;
    const response = await send('GET', link);
    const [pair = '', ...flags] = response.headers.get('set-cookie')?.split('; ') ?? [];
    assert.ok(pair.startsWith(`sandbox_dashboard_${port}=`));
    assert.deepEqual(flags.sort(), ['HttpOnly', 'SameSite=Strict']);
    assert.ok(!pair.includes(link.split('token=')[1] ?? ''));
    assert.match(await response.text(), /<meta http-equiv="refresh" content="0; url=dashboard" \/>/);
    const secondResponse = await send('GET', link);
    assert.deepEqual([secondResponse.status, secondResponse.headers.get('set-cookie')], [401, null]);
    assert.match(
      getVisibleText(await secondResponse.text()),
      /This link was already used or has expired\. Get a new one\./,
    );
    const signedIn = await send('GET', link, { headers: { cookie: pair } });
    assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, 'dashboard?done=open']);
  });

  it('accepts a token in the form in which VS Code encodes it in a URL', async () => {
    const { send, sessions } = fakeDashboard();
    const response = await send('GET', `/dashboard?token%3D${sessions.issueToken()}`);
    assert.ok(response.headers.has('set-cookie'));
  });

  it('needs no token if the sandbox was started without sign-in, but still rejects other pages', async () => {
    const { open, post, send, keys } = fakeDashboard({ noSignIn: true });
    assert.match(getVisibleText(await open('', '')), /API keys/);
    assert.doesNotMatch(getVisibleText(await open('', '')), /Sign out/);
    assert.equal((await post('create', '', ['name', 'desk'])).status, 201);
    const form: Fields = [
      ['action', 'create'],
      ['name', 'other'],
    ];
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { ...dashboardHeaders, host: 'evil.example' },
    ])
      assert.ok((await send('POST', '/dashboard', { form, headers })).status >= 400);
    assert.equal(keys.list().length, 1);
  });

  it('rejects any other token, and explains how to get a link', async () => {
    const { send } = fakeDashboard();
    for (const query of ['?token=guess', '?token=', '', '?token=a&token=b', '?token']) {
      const response = await send('GET', `/dashboard${query}`);
      assert.deepEqual([response.status, response.headers.get('set-cookie')], [401, null]);
    }
    const plain = getVisibleText(await (await send('GET', '/dashboard')).text());
    assert.match(plain, /Sign in with a link.*Grid Data: Open Dashboard.*press Enter/);
    assert.doesNotMatch(plain, /API keys|Sign out/);
  });

  it('ends a session on sign-out, and on a new sign-in', async () => {
    const { send, post, signIn } = fakeDashboard();
    const status = async (cookie: string) => (await send('GET', '/dashboard', { headers: { cookie } })).status;
    const first = await signIn();
    const second = await signIn({ cookie: first });
    assert.deepEqual([await status(first), await status(second)], [401, 200]);
    const out = await post('signOut', second);
    assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/);
    assert.match(getVisibleText(await out.text()), /You are signed out\./);
    assert.equal(await status(second), 401);
  });
});

describe('dashboard: the forms', () => {
  const unchanged = [['test', false, 2]];
  const listed = ({ keys }: ReturnType<typeof fakeDashboard>) =>
    keys.list().map(({ name, revoked, scopes }) => [name, revoked, scopes.length]);

  it('requires a session for each form', async () => {
    const dashboard = fakeDashboard({ faults: new FaultInjector(1) });
    dashboard.keys.create('test');
    for (const [path, ...form] of forms)
      for (const cookie of ['', `sandbox_dashboard_${port}=guess`])
        assert.equal((await dashboard.post(path, cookie, ...form)).status, 401, path);
    assert.deepEqual(listed(dashboard), unchanged);
  });

  it('rejects forms from any other page, with or without the cookie', async () => {
    const faults = new FaultInjector(1);
    const dashboard = fakeDashboard({ faults });
    const { send, signIn, keys } = dashboard;
    keys.create('test');
    const cookie = await signIn();
    const strangers = ['http://evil.example', 'http://127.0.0.1:1', 'http://localhost', 'null'];
    for (const [path, ...form] of forms) {
      const forged = [
        { cookie },
        { cookie, 'sec-fetch-site': 'same-site' },
        { cookie, 'sec-fetch-site': 'cross-site' },
        { cookie, 'sec-fetch-site': 'none' },
        ...strangers.map(origin => ({ cookie, origin })),
        ...strangers.map(origin => ({ cookie, origin, 'sec-fetch-site': 'same-site' })),
      ];
      for (const headers of forged)
        assert.equal(
          (await send('POST', '/dashboard', { form: [['action', path], ...form], headers })).status,
          403,
          JSON.stringify([path, headers]),
        );
      // A link or an image of another page changes nothing.
      await send('GET', `/dashboard?${encodeFields([['action', path], ...form]).toString()}`, { headers: { cookie } });
    }
    assert.deepEqual([listed(dashboard), faults.rules], [unchanged, []]);
    assert.equal((await send('GET', '/dashboard', { headers: { cookie } })).status, 200);
  });

  it('rejects a body that is too long or not a form', async () => {
    const { app, send, signIn, keys } = fakeDashboard();
    const headers = { ...dashboardHeaders, cookie: await signIn() };
    const long = await send('POST', '/dashboard', {
      form: [
        ['action', 'create'],
        ['name', 'a'],
        ['x', 'x'.repeat(5_000)],
      ],
      headers,
    });
    assert.equal(long.status, 413);
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const request = { method: 'POST', body: '{"name":"a"}', headers: { ...headers, 'content-type': type } };
      const { status } = await app.request(`http://127.0.0.1:${port}/dashboard`, {
        ...request,
        headers: { ...request.headers, host: `127.0.0.1:${port}` },
      });
      assert.equal(status, 400, type);
    }
    assert.deepEqual(keys.list(), []);
  });

  it('reports invalid names and limits, and changes nothing', async () => {
    const { post, signIn, keys } = fakeDashboard();
    const cookie = await signIn();
    for (const name of ['', '   ', 'x'.repeat(101), 'two\nlines', 'safe\u202egnp.exe']) {
      const response = await post('create', cookie, ['name', name]);
      assert.equal(response.status, 400);
      assert.match(getVisibleText(await response.text()), /Enter a name of 1 to 100 characters/);
    }
    assert.deepEqual(keys.list(), []);
    const { prefix } = keys.create('there', { limits: { features: 5 } });
    const previousKeys = keys.list();
    for (const limit of ['-1', '1.5', '1e3', '1000000001', 'many', 'denied'])
      for (const [path, field] of [
        ['create', 'name'],
        ['limits', 'prefix'],
      ] as const) {
        const response = await post(path, cookie, [field, prefix], ['scope', 'features'], ['limit-features', limit]);
        assert.equal(response.status, 400, limit);
        assert.match(getVisibleText(await response.text()), /a whole number up to 1,000,000,000, or none for no limit/);
      }
    assert.deepEqual(keys.list(), previousKeys);
  });
});

describe('dashboard: keys', () => {
  const sendRequests = async ({ send }: ReturnType<typeof fakeDashboard>, value: string, path = gridStress) =>
    (await send('GET', path + range(noon - hourMs, noon), { headers: { 'x-api-key': value } })).status;

  it('shows the value of a new key once, and revokes it by prefix or name after a confirmation', async () => {
    const dashboard = fakeDashboard();
    const { post, open, signIn, keys } = dashboard;
    const cookie = await signIn();
    assert.match(getVisibleText(await open('', cookie)), /There is no key yet\./);
    for (const by of ['prefix', 'name'] as const) {
      const created = await post('create', cookie, ['name', ` Desk ${by} `], ['scope', 'features']);
      assert.deepEqual([created.status, created.headers.get('cache-control')], [201, 'no-store']);
      const page = await created.text();
      assert.match(
        getVisibleText(page),
        new RegExp(`Key “Desk ${by}” is active\\. Copy it now: it cannot be shown again\\.`),
      );
      const value = /value="(sb_test_[0-9a-f]{32})"/.exec(page)?.[1] ?? assert.fail();
      const key = keys.list().at(-1) ?? assert.fail();
      assert.ok(value.startsWith(key.prefix));
      assert.equal(await sendRequests(dashboard, value), 200);
      const list = await open('', cookie);
      assert.ok(list.includes(`${key.prefix}…`) && !list.includes(value));
      const confirmation = await post('revoke', cookie, ['which', key[by]]);
      assert.match(
        getVisibleText(await confirmation.text()),
        new RegExp(`Revoke “Desk ${by}” \\(${key.prefix}…\\)\\? This cannot be undone`),
      );
      assert.equal(await sendRequests(dashboard, value), 200);
      const revoked = await post('revoke', cookie, ['which', key[by]], ['confirmed', 'yes']);
      assert.deepEqual([revoked.status, revoked.headers.get('location')], [303, 'dashboard?done=revoked']);
      assert.match(
        getVisibleText(await open('?done=revoked', cookie)),
        /Revoked: every request with that key is refused/,
      );
      assert.equal(await sendRequests(dashboard, value), 401);
      for (const confirmed of ['yes', 'no']) {
        const response = await post('revoke', cookie, ['which', key[by]], ['confirmed', confirmed]);
        assert.equal(response.status, 404);
        assert.match(getVisibleText(await response.text()), /No active key has this prefix or name\./);
      }
    }
  });

  it('confirms before it revokes all keys of a name', async () => {
    const { post, signIn, keys } = fakeDashboard();
    const twins = [keys.create('Twin'), keys.create('Twin')];
    keys.create('Other');
    const cookie = await signIn();
    const text = getVisibleText(await (await post('revoke', cookie, ['which', ' Twin '])).text());
    assert.match(text, /Revoke 2 keys\?/);
    for (const { prefix } of twins) assert.ok(text.includes(prefix));
    await post('revoke', cookie, ['which', 'Twin'], ['confirmed', 'yes']);
    assert.deepEqual(
      keys.list().map(({ revoked }) => revoked),
      [true, true, false],
    );
  });

  it('lists the keys with their use and limits, the newest first and revoked keys last', async () => {
    const dashboard = fakeDashboard();
    const { keys, clock, open, signIn } = dashboard;
    const gone = keys.create('gone');
    const desk = keys.create('desk');
    keys.create('new', { scopes: ['features'], limits: { features: null } });
    keys.revoke('gone');
    keys.setTerms(desk.prefix, { limits: { features: 1 } });
    clock.advance(1_000);
    for (let sent = 0; sent < 3; sent++) await sendRequests(dashboard, desk.value);
    const page = await open('', await signIn());
    const rows = [...page.matchAll(/<tr[^>]*>(?:(?!<\/tr>)[^])*<\/tr>/g)].map(([row]) =>
      getVisibleText(`<body>${row}`),
    );
    const created = new Date(noon).toISOString().slice(0, 19).replace('T', ' ');
    const used = created.replace(':00:00', ':00:01');
    const none = '0 in the last minute, 0 in the last hour';
    assert.deepEqual(rows.slice(1), [
      `new ${keys.list()[2]?.prefix}… ${created} never normalized_data: no access ${none} features: no limit ${none} Limits… Revoke…`,
      `desk ${desk.prefix}… ${created} ${used} normalized_data: 10 in 60 s ${none} features: 1 in 60 s 1 + 2 refused in the last minute, 1 + 2 refused in the last hour Limits… Revoke…`,
      `gone ${gone.prefix}… ${created} never normalized_data: 10 in 60 s ${none} features: 3 in 60 s ${none} revoked`,
    ]);
    assert.ok(!page.includes(desk.value) && !page.includes(gone.value));
  });

  it('lists two hundred keys and counts the rest', async () => {
    const { keys, signIn, open } = fakeDashboard();
    for (let index = 0; index < 203; index++) keys.create(`key ${index}`);
    const page = await open('', await signIn());
    assert.equal(page.match(/<tr/g)?.length, 201);
    assert.match(getVisibleText(page), /key 202.*3 keys more, not listed\./);
  });

  it('creates a key with custom limits and access, and enforces them', async () => {
    const dashboard = fakeDashboard();
    const { post, signIn } = dashboard;
    const form: Fields = [
      ['name', 'desk'],
      ['scope', 'normalized_data'],
      ['limit-normalized_data', ' 2 '],
      ['limit-features', 'x'],
    ];
    const page = await (await post('create', await signIn(), ...form)).text();
    const value = /value="(sb_test_[0-9a-f]{32})"/.exec(page)?.[1] ?? assert.fail();
    assert.match(getVisibleText(page), /normalized_data: 2 in 60 s .* features: no access/);
    assert.deepEqual(
      [await sendRequests(dashboard, value), await sendRequests(dashboard, value, systemState)],
      [403, 200],
    );
    assert.deepEqual(
      [await sendRequests(dashboard, value, systemState), await sendRequests(dashboard, value, systemState)],
      [200, 429],
    );
  });

  it('changes limits and access of a key from the next request on', async () => {
    const dashboard = fakeDashboard();
    const { open, post, signIn, keys } = dashboard;
    const cookie = await signIn();
    const { value, prefix } = keys.create('desk', { scopes: ['features'], limits: { features: 0 } });
    assert.deepEqual(
      [await sendRequests(dashboard, value), await sendRequests(dashboard, value, systemState)],
      [429, 403],
    );
    const form = await open(`?limits=${prefix}`, cookie);
    assert.match(form, /name="scope"\s+value="normalized_data"\s+\/>/);
    assert.match(form, /name="scope"\s+value="features"\s+checked/);
    assert.match(form, /name="limit-features"\s+value="0"\s+placeholder="sandbox: 3"/);
    const fields: Fields = [
      ['prefix', prefix],
      ['scope', 'normalized_data'],
      ['scope', 'features'],
    ];
    const changed = await post('limits', cookie, ...fields, ['limit-features', 'none']);
    assert.deepEqual([changed.status, changed.headers.get('location')], [303, 'dashboard?done=limits']);
    for (let sent = 0; sent < 20; sent++) assert.equal(await sendRequests(dashboard, value), 200);
    assert.equal(await sendRequests(dashboard, value, systemState), 200);
    // An empty field restores the limit of the sandbox.
    await post('limits', cookie, ...fields, ['limit-features', ' ']);
    assert.deepEqual(keys.list()[0]?.limits, {});
    keys.revoke(prefix);
    for (const late of [
      await post('limits', cookie, ...fields),
      await dashboard.send('GET', `/dashboard?limits=${prefix}`, { headers: { cookie } }),
    ]) {
      assert.equal(late.status, 404);
      assert.match(getVisibleText(await late.text()), /No active key has this prefix\. It was revoked meanwhile\./);
    }
  });
});

describe('dashboard: data', () => {
  it('describes the served and published data', async () => {
    const { publication, signIn, open } = fakeDashboard();
    const cookie = await signIn();
    const served = 'Synthetic hours (synthetic-2-seed-1) from 2018-01-01 00:00 to 2023-06-15';
    const text = getVisibleText(await open('', cookie));
    assert.ok(
      text.includes(`As of 2023-06-15 12:00:00 UTC`) && text.includes(`${served} 11:00 UTC are published.`),
      text,
    );
    publication.setNow(Date.UTC(2023, 5, 15, 12, 30));
    publication.delayHours = 6;
    const late = getVisibleText(await open('', cookie));
    assert.ok(late.includes('As of 2023-06-15 12:30:00 UTC') && late.includes(`${served} 05:00 UTC`), late);
    publication.setNow(Date.UTC(2018, 0, 1));
    assert.match(getVisibleText(await open('', cookie)), /Nothing is published yet\./);
  });
});
