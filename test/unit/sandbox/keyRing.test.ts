import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { KeyRing } from '../../../src/sandbox/keyRing.ts';
import { countingBytes, fakeClock } from './fakes.ts';

function fakeRing() {
  const clock = fakeClock();
  return { clock, ring: new KeyRing(clock, countingBytes()) };
}

describe('KeyRing', () => {
  it('makes keys of 32 hex digits from the random bytes, and shows a short prefix of them', () => {
    const { ring } = fakeRing();
    assert.deepEqual(ring.create('laptop'), { value: `sb_test_${'01'.repeat(16)}`, prefix: 'sb_test_0101' });
    assert.deepEqual(ring.create('server'), { value: `sb_test_${'02'.repeat(16)}`, prefix: 'sb_test_0202' });
  });

  it('lists name, prefix, creation, last use and revocation', () => {
    const { ring, clock } = fakeRing();
    const { value, prefix } = ring.create('laptop');
    const created = clock.now();
    const access = { scopes: ['normalized_data', 'features'], limits: {} };
    const info = { name: 'laptop', prefix, created, revoked: false, ...access };
    assert.deepEqual(ring.list(), [{ ...info, lastUsed: undefined }]);
    clock.advance(5_000);
    ring.authenticate(value);
    ring.authenticate('not-a-real-key');
    assert.deepEqual(ring.list(), [{ ...info, lastUsed: created + 5_000 }]);
  });

  it('holds no value, only its hash', () => {
    const { ring } = fakeRing();
    const { value } = ring.create('laptop');
    const everything =
      inspect(ring, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(ring.list());
    assert.equal(everything.includes(value), false);
    assert.equal(everything.includes(value.slice('sb_test_'.length + 4)), false);
    assert.equal(ring.authenticate(value)?.prefix, value.slice(0, 12));
  });

  it('revokes by prefix or by name, at once and for good', () => {
    const { ring } = fakeRing();
    const first = ring.create('laptop');
    const second = ring.create('server');
    assert.equal(ring.revoke('nobody'), 0);
    assert.equal(ring.revoke(first.prefix), 1);
    assert.equal(ring.authenticate(first.value), undefined);
    assert.notEqual(ring.authenticate(second.value), undefined);
    assert.equal(ring.revoke('server'), 1);
    assert.equal(ring.authenticate(second.value), undefined);
    assert.equal(ring.revoke('server'), 0);
    assert.deepEqual(
      ring.list().map(key => key.revoked),
      [true, true],
    );
  });

  it('keeps a new key of the same name apart from the revoked one', () => {
    const { ring } = fakeRing();
    const old = ring.create('laptop');
    ring.revoke('laptop');
    const fresh = ring.create('laptop');
    assert.equal(ring.authenticate(old.value), undefined);
    assert.notEqual(ring.authenticate(fresh.value), undefined);
  });
});
