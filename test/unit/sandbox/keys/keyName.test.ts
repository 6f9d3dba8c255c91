import assert from 'node:assert/strict';
import { parseKeyName } from '../../../../src/sandbox/keys/scopes.ts';

describe('parseKeyName', () => {
  for (const [text, name] of [
    [' Trading desk ', 'Trading desk'],
    ['Ontleders (Kaapstad) é 電力 👩‍💻', 'Ontleders (Kaapstad) é 電力 👩‍💻'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ] as const)
    it(`accepts ${text}`, () => assert.equal(parseKeyName(text), name));

  for (const text of ['', ' ', 'x'.repeat(101), 'a\nb', 'a\u0000b', 'a\u001b[31mb', 'a\u0085b', 'a\u2028b'])
    it(`rejects ${JSON.stringify(text)}`, () => assert.equal(parseKeyName(text), undefined));
  for (const code of [0x202a, 0x202e, 0x2066, 0x2069, 0x200e, 0x200f, 0x061c])
    it(`rejects U+${code.toString(16)}, which reorders text`, () =>
      assert.equal(parseKeyName(`a${String.fromCodePoint(code)}b`), undefined));
});
