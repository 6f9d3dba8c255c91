import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret, KeyRing, type StoredKey } from '../../../../src/sandbox/keys/keyRing.ts';
import { SandboxError } from '../../../../src/sandbox/sandboxError.ts';
import { KeyFile } from '../../../../src/sandbox/keys/openKeyStore.ts';
import { collectInnerTexts } from '../../../support/innerTexts.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { countingBytes, fakeClock } from '../fakes.ts';

function createFakeRing() {
  const clock = fakeClock();
  return { clock, ring: new KeyRing(clock, countingBytes()) };
}

describe('KeyRing', () => {
  it('generates keys of 32 hex digits from random bytes, with a short prefix to identify them', () => {
    const { ring } = createFakeRing();
    assert.deepEqual(ring.create('laptop'), { value: `sb_test_${'01'.repeat(16)}`, prefix: 'sb_test_0101' });
    assert.deepEqual(ring.create('server'), { value: `sb_test_${'02'.repeat(16)}`, prefix: 'sb_test_0202' });
  });

  it('lists the name, prefix, creation, last use and revocation of each key', () => {
    const { ring, clock } = createFakeRing();
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

  it('stores only the hash of a key, in memory and on disk', () => {
    const folder = createTemporaryFolder();
    const clock = fakeClock();
    const ring = new KeyRing(clock, countingBytes(), new KeyFile(folder, clock, sentence => assert.fail(sentence)));
    // A stored name proves that the search below finds what is stored.
    const storedName = `sb_test_${'ab'.repeat(16)}`;
    ring.create(storedName);
    const { value } = ring.create('laptop');
    assert.equal(ring.authenticate(value)?.prefix, value.slice(0, 12));
    ring.flush();
    const storedTexts = [...collectInnerTexts(ring), readFileSync(join(folder, 'keys.json'), 'utf8')];
    const countTexts = (text: string) => storedTexts.filter(stored => stored.includes(text)).length;
    assert.equal(countTexts(storedName), 2);
    assert.equal(countTexts(hashSecret(value)), 2);
    assert.equal(countTexts(value.slice('sb_test_'.length + 4)), 0);
  });

  it('revokes keys by prefix or name, immediately and permanently', () => {
    const { ring } = createFakeRing();
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

  it('holds ten thousand keys, and removes the oldest revoked key when another is created', () => {
    const stored = createTenThousandKeys(7, 9);
    const ring = new KeyRing(fakeClock(), countingBytes(), { load: () => stored, save: () => undefined });
    const listNames = () => ring.list().map(({ name }) => name);
    ring.create('first');
    ring.create('second');
    assert.equal(listNames().length, 10_000);
    assert.deepEqual(
      ['key 6', 'key 7', 'key 8', 'key 9', 'first', 'second'].filter(name => listNames().includes(name)),
      ['key 6', 'key 8', 'first', 'second'],
    );
    assert.throws(() => ring.create('third'), {
      name: 'SandboxError',
      message: 'A sandbox holds 10000 usable keys at most; revoke one.',
    });
    ring.revoke('key 6');
    assert.notEqual(ring.authenticate(ring.create('third').value), undefined);
  });

  it('changes nothing when a new key or limit cannot be stored, but still revokes keys', () => {
    const stored = createTenThousandKeys(7);
    let isFull = true;
    const saved: string[][] = [];
    const save = (keys: readonly StoredKey[]) => {
      if (isFull) throw new SandboxError('The disk is full.');
      saved.push(keys.map(({ name }) => name));
    };
    const ring = new KeyRing(fakeClock(), countingBytes(), { load: () => stored, save });
    const previousKeys = ring.list();
    const diskFull = { name: 'SandboxError', message: 'The disk is full.' };
    assert.throws(() => ring.create('new'), diskFull);
    assert.throws(() => ring.setTerms('sb_test_old6', { limits: { features: 5 } }), diskFull);
    assert.deepEqual(ring.list(), previousKeys);
    assert.throws(() => ring.revoke('key 8'), diskFull);
    assert.equal(ring.list()[8]?.revoked, true);
    isFull = false;
    ring.flush();
    ring.create('new');
    assert.deepEqual(
      saved.map(names => [names.includes('key 7'), names.includes('new')]),
      [
        [true, false],
        [false, true],
      ],
    );
  });

  it('distinguishes a new key from a revoked key with the same name', () => {
    const { ring } = createFakeRing();
    const revokedKey = ring.create('laptop');
    ring.revoke('laptop');
    const newKey = ring.create('laptop');
    assert.equal(ring.authenticate(revokedKey.value), undefined);
    assert.notEqual(ring.authenticate(newKey.value), undefined);
  });
});

function createTenThousandKeys(...revokedIndexes: readonly number[]) {
  return Array.from({ length: 10_000 }, (_, index) => ({
    hash: hashSecret(`key ${index}`),
    name: `key ${index}`,
    prefix: `sb_test_old${index}`,
    created: index,
    lastUsed: undefined,
    revoked: revokedIndexes.includes(index),
    scopes: [],
    limits: {},
  }));
}
