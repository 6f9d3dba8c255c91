import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  getKeyPrefix,
  keyProblems,
  normalizeKey,
  type KeyProblem,
} from '../../../../src/core/connections/connection.ts';

const invalidKeys: readonly (readonly [string, KeyProblem])[] = [
  ['', 'empty'],
  [' \t\n', 'empty'],
  ['short', 'tooShort'],
  ['x'.repeat(257), 'tooLong'],
  ['sb_test_not real', 'characters'],
  ['sb_test_\r\nX-Other: 1', 'characters'],
  ['sb_test_schlüssel', 'characters'],
  ['sb_test_\u200b12345', 'characters'],
  ['sb_test_\u0000abc', 'characters'],
];

describe('normalizeKey', () => {
  it('trims white space around a pasted key', () => {
    assert.deepEqual(normalizeKey(' \u00a0sb_test_3f8a1c\r\n'), { ok: true, key: 'sb_test_3f8a1c' });
  });

  for (const [text, problem] of invalidKeys)
    it(`rejects ${JSON.stringify(text.slice(0, 30))}: ${problem}`, () => {
      assert.deepEqual(normalizeKey(text), { ok: false, problem });
    });

  it('accepts the shortest and the longest', () => {
    for (const key of ['x'.repeat(8), '~'.repeat(256)]) assert.deepEqual(normalizeKey(key), { ok: true, key });
  });

  it('has a test case for every problem', () => {
    assert.deepEqual(new Set(invalidKeys.map(([, problem]) => problem)), new Set(keyProblems));
  });
});

describe('getKeyPrefix', () => {
  for (const [key, prefix] of [
    ['ps_live_3f8a9c0d1e2f3a4b5c6d7e8f9a0b1c2d', 'ps_live_3f8a…'],
    ['sb_test_0123456789abcdefghij', 'sb_test_0…'],
    ['abcdefghijklmnopqrst', 'abcd…'],
    ['not-a-real-key-at-all', 'not-…'],
    ['abcdefgh', 'ab…'],
  ] as const)
    it(`shows ${prefix}`, () => {
      assert.equal(getKeyPrefix(key), prefix);
    });

  it('shows a prefix of at most a third of the key', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x21-\x7e]{8,256}$/), key => {
        const prefix = getKeyPrefix(key).slice(0, -1);
        assert.ok(key.startsWith(prefix) && prefix.length * 3 <= key.length);
      }),
    );
  });
});
