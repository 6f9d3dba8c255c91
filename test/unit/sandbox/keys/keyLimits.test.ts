import assert from 'node:assert/strict';
import { KeyRing } from '../../../../src/sandbox/keys/keyRing.ts';
import { fakeClock, fakeService, gridStress, noon, range, systemState } from '../fakes.ts';

const day = range(noon - 24 * 3_600_000, noon);

async function requestStatuses(
  request: (path: string) => Promise<Response>,
  path: string,
  count: number,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++) statuses.push((await request(path + day)).status);
  return statuses;
}

describe('sandbox: limits of one key', () => {
  it('applies a custom limit of a key in one scope, and restores the default limit', async () => {
    const { request, keys, clock, prefix } = fakeService();
    assert.equal(keys.setTerms(prefix, { limits: { features: 5 } }), true);
    assert.deepEqual(await requestStatuses(request, gridStress, 6), [200, 200, 200, 200, 200, 429]);
    assert.equal((await requestStatuses(request, systemState, 11)).at(-1), 429);
    clock.advance(60_000);
    keys.setTerms(prefix, {});
    assert.deepEqual(await requestStatuses(request, gridStress, 4), [200, 200, 200, 429]);
  });

  it('allows all requests of a key without a limit, and rejects all if the limit is 0', async () => {
    const { request, keys, prefix } = fakeService();
    keys.setTerms(prefix, { limits: { features: null } });
    assert.deepEqual(new Set(await requestStatuses(request, gridStress, 50)), new Set([200]));
    keys.setTerms(prefix, { limits: { normalized_data: 0 } });
    const response = await request(systemState + day);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '60');
  });

  it('omits the Retry-After header, like Django, if a limit is lowered below the number of counted requests', async () => {
    const { request, keys, clock, prefix } = fakeService();
    await requestStatuses(request, systemState, 8);
    keys.setTerms(prefix, { limits: { normalized_data: 4 } });
    const response = await request(systemState + day);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), null);
    assert.deepEqual(await response.json(), { detail: 'Request was throttled.' });
    clock.advance(60_000);
    assert.deepEqual(await requestStatuses(request, systemState, 5), [200, 200, 200, 200, 429]);
  });

  it('counts the requests of each scope separately', async () => {
    const { request, usage, prefix } = fakeService();
    await requestStatuses(request, gridStress, 5);
    await request(systemState);
    const { features, normalized_data: data } = usage.getUsage(prefix);
    assert.deepEqual(features.lastMinute, { accepted: 3, refused: 2 });
    assert.deepEqual(data.lastHour, { accepted: 1, refused: 0 });
  });
});

describe('sandbox: access of one key', () => {
  it('returns 403 for a scope without access, and does not count the request', async () => {
    const { request, keys, usage } = fakeService();
    const { value, prefix } = keys.create('stress only', { scopes: ['features'] });
    for (let sent = 0; sent < 20; sent++) {
      const response = await request(systemState + day, { key: value });
      assert.equal(response.status, 403);
      assert.deepEqual(await response.json(), { detail: 'You do not have permission to perform this action.' });
    }
    assert.equal((await request(gridStress + day, { key: value })).status, 200);
    assert.equal(usage.getUsage(prefix).normalized_data.lastHour.refused, 0);
  });

  it('applies changed access of a key to its next request, and not to other keys with its name', async () => {
    const { request, keys, prefix } = fakeService();
    const sameNameKey = keys.create(prefix);
    assert.equal(keys.setTerms(prefix, { scopes: ['features'] }), true);
    assert.equal((await request(systemState + day)).status, 403);
    assert.equal((await request(systemState + day, { key: sameNameKey.value })).status, 200);
    keys.setTerms(prefix, {});
    assert.equal((await request(systemState + day)).status, 200);
    assert.equal(keys.setTerms('test', { scopes: [] }), false, 'a name is not a prefix');
    keys.revoke(sameNameKey.prefix);
    assert.equal(keys.setTerms(sameNameKey.prefix, {}), false, 'a revoked key cannot be changed');
  });
});

describe('sandbox: prefixes', () => {
  it('generates another key if the prefix is already used', () => {
    const bytes = [1, 1, 1, 2];
    const ring = new KeyRing(fakeClock(), count => new Uint8Array(count).fill(bytes.shift() ?? 9));
    const prefixes = [ring.create('first').prefix, ring.create('second').prefix];
    assert.deepEqual(prefixes, ['sb_test_0101', 'sb_test_0202']);
  });
});
