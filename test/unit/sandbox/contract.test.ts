import assert from 'node:assert/strict';
import { stressNote } from '../../../src/sandbox/data/gridHour.ts';
import { hourMs } from '../../../src/shared/durations.ts';
import { parseResponse, fakeService, gridStress, noon, range, systemState } from './fakes.ts';

const day = range(noon - 24 * hourMs, noon);

describe('sandbox: authentication', () => {
  it('requires a key when the header is missing or empty', async () => {
    const { request } = fakeService();
    for (const path of [systemState, gridStress])
      for (const key of [undefined, '']) {
        const response = await request(path + day, { key });
        assert.equal(response.status, 401);
        assert.equal(response.headers.get('www-authenticate'), 'X-API-KEY');
        assert.deepEqual(await response.json(), { detail: 'Authentication credentials were not provided.' });
      }
  });

  it('rejects an unknown key', async () => {
    const response = await fakeService().request(systemState + day, { key: 'not-a-real-key' });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), { detail: 'Invalid API key.' });
  });

  it('rejects a revoked key immediately, and records the last use of a key', async () => {
    const { request, keys, prefix, clock } = fakeService();
    assert.equal((await request(systemState + day)).status, 200);
    assert.equal(keys.list()[0]?.lastUsed, clock.now());
    keys.revoke(prefix);
    const response = await request(systemState + day);
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), { detail: 'Invalid API key.' });
  });
});

describe('sandbox: limits', () => {
  it('allows 10 and 3 requests per key in the two scopes, and returns when to retry', async () => {
    const { request, keys, clock } = fakeService();
    for (const [path, limit] of [
      [systemState, 10],
      [gridStress, 3],
    ] as const) {
      for (let sent = 0; sent < limit; sent++) assert.equal((await request(path + day)).status, 200);
      clock.advance(1_500);
      const response = await request(path + day);
      assert.equal(response.status, 429);
      assert.equal(response.headers.get('retry-after'), '59');
      assert.deepEqual(await response.json(), {
        detail: 'Request was throttled. Expected available in 59 seconds.',
      });
    }
    const otherKey = keys.create('other').value;
    assert.equal((await request(systemState + day, { key: otherKey })).status, 200);
  });

  it('uses the singular "second", and allows a request exactly at the end of the window', async () => {
    const { request, clock } = fakeService();
    for (let sent = 0; sent < 3; sent++) await request(gridStress + day);
    clock.advance(59_999);
    const response = await request(gridStress + day);
    assert.deepEqual(await response.json(), { detail: 'Request was throttled. Expected available in 1 second.' });
    clock.advance(1);
    assert.equal((await request(gridStress + day)).status, 200);
  });

  it('does not count requests that return 401, 404 or 429, but counts 400, 405 and OPTIONS', async () => {
    const { request } = fakeService();
    for (let sent = 0; sent < 5; sent++) {
      await request(gridStress, { key: 'not-a-real-key' });
      await request('/api/v1/features');
    }
    assert.equal((await request(gridStress)).status, 400);
    assert.equal((await request(gridStress, { method: 'POST' })).status, 405);
    assert.equal((await request(gridStress, { method: 'OPTIONS' })).status, 200);
    for (let sent = 0; sent < 5; sent++) assert.equal((await request(gridStress + day)).status, 429);
  });
});

describe('sandbox: methods and paths', () => {
  it('rejects unsupported methods by name, after authentication', async () => {
    const { request } = fakeService();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await request(systemState, { method });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.deepEqual(await response.json(), { detail: `Method "${method}" not allowed.` });
    }
    assert.equal((await request(systemState, { method: 'POST', key: undefined })).status, 401);
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const { request } = fakeService();
    const fullResponse = await request(systemState + day);
    const head = await request(systemState + day, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), String((await fullResponse.arrayBuffer()).byteLength));
    assert.equal(await head.text(), '');
  });

  it('returns 404 for any other path, with or without a key', async () => {
    const { request } = fakeService();
    for (const path of ['/', '/api/v1/grid', `${systemState}/`, '/api/v2/grid/system-state']) {
      const response = await request(path, { key: undefined });
      assert.equal(response.status, 404);
      assert.deepEqual(await response.json(), { error: 'not_found', detail: 'Not found.' });
    }
  });

  it('returns JSON for an internal error', async () => {
    const broken = fakeService().source;
    broken.hour = () => {
      throw new Error('secret detail');
    };
    const response = await fakeService({ source: broken }).request(systemState + day);
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), { error: 'server_error', detail: 'A server error occurred.' });
  });

  it('sends every response as JSON in UTF-8, and allows no other origin', async () => {
    const { request } = fakeService();
    const responses = [
      await request(systemState + day),
      await request(systemState),
      await request(systemState, { key: undefined }),
      await request('/nowhere'),
      await request(systemState, { method: 'DELETE' }),
      await request(systemState, { headers: { host: 'elsewhere.example' } }),
    ];
    assert.deepEqual(
      responses.map(response => response.status),
      [200, 400, 401, 404, 405, 400],
    );
    for (const { headers } of responses) {
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('vary'), 'Accept-Encoding');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
  });
});

describe('sandbox: origin of requests', () => {
  it('rejects a Host header that does not name this machine', async () => {
    const { request } = fakeService();
    for (const host of [
      ...['rebound.example:49152', '127.0.0.1.nip.io:49152', '0.0.0.0:49152', 'localhost.evil.example:49152'],
      ...['evil.example:49152@localhost', 'localhost@evil.example', '127.0.0.2:49152', 'localhost:49152.evil.example'],
    ])
      assert.equal((await request(systemState + day, { headers: { host } })).status, 400);
    // A proxy or a forwarded port changes the port of the Host header. A page with DNS rebinding keeps its host name.
    for (const host of [
      '127.0.0.1:49152',
      'localhost:49152',
      'LOCALHOST:49152',
      '127.0.0.1:8080',
      'localhost',
      '[::1]:8080',
    ])
      assert.equal((await request(systemState + day, { headers: { host } })).status, 200);
  });

  it('rejects requests from pages of another origin', async () => {
    const { request } = fakeService();
    for (const origin of ['https://page.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:49152'])
      assert.equal((await request(systemState + day, { headers: { origin } })).status, 403);
    const sameOrigin = await request(systemState + day, { headers: { origin: 'http://127.0.0.1:49152' } });
    assert.equal(sameOrigin.status, 200);
    const proxied = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' };
    assert.equal((await request(systemState + day, { headers: proxied })).status, 200);
    const otherPort = { ...proxied, origin: 'http://127.0.0.1:49152' };
    assert.equal((await request(systemState + day, { headers: otherPort })).status, 403);
  });
});

describe('sandbox: response envelope', () => {
  it('describes system state by hour and by day', async () => {
    const { request } = fakeService();
    const common = {
      dataset: 'grid.system_state',
      start: '2023-06-14T12:00:00Z',
      end: '2023-06-15T12:00:00Z',
      timezone: 'UTC',
      schema_version: '1.0',
      derived: true,
      source: 'synthetic',
      note: 'This is sample data, made up by the sandbox.',
    };
    const hourly = await parseResponse(await request(systemState + day));
    assert.deepEqual(hourly.meta, { ...common, interval: '1h' });
    assert.deepEqual(Object.keys(hourly), ['meta', 'data']);
    const daily = await parseResponse(await request(`${systemState}${day}&interval=1d`));
    assert.deepEqual(daily.meta, { ...common, interval: '1d', derivation_method: 'aggregation_from_1h' });
  });

  it('describes grid stress, with components only on request', async () => {
    const { request, clock } = fakeService();
    const plain = await parseResponse(await request(gridStress + day));
    assert.equal(plain.meta['dataset'], 'features.grid_stress_index');
    assert.equal(plain.meta['feature'], 'grid_stress_index');
    assert.equal(plain.meta['version'], 'v1');
    assert.equal(plain.meta['derivation_method'], 'computed_from_grid.system_state');
    assert.equal(plain.meta['note'], `This is sample data, made up by the sandbox. ${stressNote}`);
    assert.deepEqual(Object.keys(plain.data[0] ?? {}), ['ts', 'value', 'version']);
    for (const [value, expected] of [
      ['1', true],
      ['true', true],
      ['YES', true],
      ['0', false],
      ['on', false],
    ] as const) {
      clock.advance(60_000);
      const { data } = await parseResponse(await request(`${gridStress}${day}&components=${value}`));
      assert.equal('components' in (data[0] ?? {}), expected);
    }
  });

  it('publishes the fields of the system-state record, in their order', async () => {
    const { data } = await parseResponse(await fakeService().request(systemState + day));
    assert.equal(
      Object.keys(data[0] ?? {}).join(' '),
      'ts residual_demand_mw residual_forecast_mw thermal_mw nuclear_mw eskom_gas_mw eskom_ocgt_mw hydro_water_mw ' +
        'wind_mw pv_mw total_re_mw imports_mw exports_mw net_import_mw renewable_share_pct ocgt_ramp_mw forecast_error_mw',
    );
  });

  it('publishes an hour as soon as it has ended', async () => {
    const { request, clock } = fakeService();
    const laterPath = systemState + range(noon - 2 * hourMs, noon + 5 * hourMs);
    const readTimes = async () => (await parseResponse(await request(laterPath))).data.map(record => record['ts']);
    assert.deepEqual(await readTimes(), ['2023-06-15T10:00:00Z', '2023-06-15T11:00:00Z']);
    clock.advance(hourMs - 1);
    assert.equal((await readTimes()).at(-1), '2023-06-15T11:00:00Z');
    clock.advance(1);
    assert.equal((await readTimes()).at(-1), '2023-06-15T12:00:00Z');
  });

  it('includes the start of the range and excludes its end', async () => {
    const { request } = fakeService();
    const { data } = await parseResponse(await request(systemState + range(noon - 4 * hourMs, noon - 2 * hourMs)));
    assert.deepEqual(
      data.map(record => record['ts']),
      ['2023-06-15T08:00:00Z', '2023-06-15T09:00:00Z'],
    );
    const unaligned = await parseResponse(await request(systemState + range(noon - 3.5 * hourMs, noon - 2.5 * hourMs)));
    assert.deepEqual(
      unaligned.data.map(record => record['ts']),
      ['2023-06-15T09:00:00Z'],
    );
  });

  it('returns no data before 2018 or in the future', async () => {
    const { request } = fakeService();
    for (const query of [
      range(Date.UTC(1999, 0), Date.UTC(2018, 0)),
      range(noon, noon + hourMs),
      range(noon, noon + hourMs, '&interval=1d'),
    ])
      assert.deepEqual((await parseResponse(await request(systemState + query))).data, []);
    const first = await parseResponse(await request(systemState + range(0, Date.UTC(2018, 0, 1, 3))));
    assert.equal(first.data[0]?.['ts'], '2018-01-01T00:00:00Z');
    assert.equal(first.data[0]['ocgt_ramp_mw'], null);
  });

  it('reports delayed data', async () => {
    const { request } = fakeService({ delayHours: 3 });
    const delayedResponse = await parseResponse(await request(systemState + day));
    assert.equal(delayedResponse.meta['data_delay'], true);
    assert.equal(delayedResponse.meta['last_available'], '2023-06-15T08:00:00Z');
    assert.equal(delayedResponse.data.at(-1)?.['ts'], '2023-06-15T08:00:00Z');
    const old = await parseResponse(await request(systemState + range(noon - 9 * hourMs, noon - 3 * hourMs)));
    assert.equal('data_delay' in old.meta, false);
  });
});
