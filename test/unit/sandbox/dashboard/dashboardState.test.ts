import assert from 'node:assert/strict';
import { chartSeconds } from '../../../../src/sandbox/dashboard/dashboardState.ts';
import { FaultInjector } from '../../../../src/sandbox/faults/faultInjector.ts';
import { gridStress, noon, range, systemState } from '../fakes.ts';
import { fakeDashboard } from './fakeDashboard.ts';

const hourMs = 3_600_000;
const day = range(noon - 24 * hourMs, noon);

describe('dashboardState', () => {
  it('lists each key with its use, its limits and no value, the newest first and revoked ones last', async () => {
    const { keys, clock, send, signIn, state } = fakeDashboard();
    const [gone, desk] = [keys.create('gone'), keys.create('desk')];
    keys.create('new');
    keys.revoke('gone');
    keys.setTerms(desk.prefix, { limits: { features: 1 } });
    clock.advance(1_000);
    for (let sent = 0; sent < 3; sent++) await send('GET', gridStress + day, { headers: { 'x-api-key': desk.value } });
    const cookie = await signIn();
    const shown = await state(cookie);
    assert.deepEqual(
      shown.keys.map(({ name, lastUsed, revoked }) => [name, lastUsed, revoked]),
      [
        ['new', undefined, false],
        ['desk', noon + 1_000, false],
        ['gone', undefined, true],
      ],
    );
    const listed = shown.keys[1];
    assert.deepEqual(listed?.limits, { normalized_data: 10, features: 1 });
    assert.deepEqual(listed.ownLimits, { features: 1 });
    assert.deepEqual(listed.usage.features.lastMinute, { accepted: 1, refused: 2 });
    assert.deepEqual(listed.usage.features.lastHour, { accepted: 1, refused: 2 });
    assert.ok(!JSON.stringify(shown).includes(desk.value) && !JSON.stringify(shown).includes(gone.value));
  });

  it('charts the last used or selected key: the requests in its window, by second', async () => {
    const { keys, clock, send, signIn, state } = fakeDashboard({ windowMs: 10_000 });
    const [desk, other] = [keys.create('desk'), keys.create('other')];
    const ask = async (value: string) => send('GET', gridStress + day, { headers: { 'x-api-key': value } });
    for (let sent = 0; sent < 4; sent++) await ask(desk.value);
    clock.advance(9_000);
    await ask(desk.value);
    clock.advance(2_000);
    await ask(desk.value);
    const cookie = await signIn();
    const { chart } = await state(cookie);
    assert.equal(chart?.prefix, desk.prefix);
    const features = chart.scopes.find(({ scope }) => scope === 'features');
    assert.ok(features);
    assert.deepEqual([features.limit, features.windowSeconds], [3, 10]);
    assert.deepEqual(features.accepted.slice(-13), [0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 1]);
    assert.deepEqual(features.refused.slice(-13), [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    assert.deepEqual([features.accepted.length, features.refused.length], [chartSeconds, chartSeconds]);
    assert.equal((await state(cookie, other.prefix)).chart?.prefix, other.prefix);
    assert.equal((await state(cookie, 'unknown')).chart?.prefix, desk.prefix);
  });

  it('counts one minute for a longer window, and returns the limit with its own window', async () => {
    const { keys, signIn, state } = fakeDashboard({ windowMs: 24 * hourMs });
    keys.create('desk');
    const { chart } = await state(await signIn());
    assert.deepEqual(
      chart?.scopes.map(({ limit, limitSeconds, windowSeconds }) => [limit, limitSeconds, windowSeconds]),
      [
        [10, 86_400, 60],
        [3, 86_400, 60],
      ],
    );
  });

  it('reports what is served, and the publication state', async () => {
    const { publication, signIn, state } = fakeDashboard();
    const cookie = await signIn();
    const { data, keys, chart, faults } = await state(cookie);
    assert.deepEqual([keys, chart, faults], [[], undefined, undefined]);
    assert.deepEqual([data.kind, data.identity], ['synthetic', 'synthetic-2-seed-1']);
    assert.deepEqual([data.start, data.publishedEnd, data.end], [Date.UTC(2018, 0), noon, undefined]);
    assert.deepEqual([data.now, data.standsStill, data.delayHours, data.holes], [noon, false, 0, 0]);
    assert.deepEqual(
      data.endpoints.map(({ path }) => path),
      [systemState, gridStress],
    );
    publication.setNow(noon + hourMs);
    publication.delayHours = 6;
    publication.holes = new Set([1, 2]);
    const { data: set } = await state(cookie);
    assert.deepEqual([set.now, set.standsStill, set.delayHours, set.holes], [noon + hourMs, true, 6, 2]);
    assert.equal(set.publishedEnd, noon - 5 * hourMs);
  });

  it('reports which faults are on, and how often each occurred', async () => {
    const faults = new FaultInjector(1, [{ kind: 'error', amount: 503, rate: 1, scope: 'features' }]);
    const { keys, send, signIn, state } = fakeDashboard({ faults });
    await send('GET', gridStress + day, { headers: { 'x-api-key': keys.create('desk').value } });
    const cookie = await signIn();
    assert.deepEqual((await state(cookie)).faults, [
      { rule: 'error=503', meaning: 'a JSON error of the service', rate: 1, scope: 'features', met: 1 },
    ]);
    faults.set([]);
    assert.deepEqual((await state(cookie)).faults, []);
  });

  it('lists two hundred keys and counts the rest', async () => {
    const { keys, signIn, state } = fakeDashboard();
    for (let made = 0; made < 203; made++) keys.create(`key ${made}`);
    const shown = await state(await signIn());
    assert.deepEqual([shown.keys.length, shown.unlisted, shown.keys[0]?.name], [200, 3, 'key 202']);
  });
});
