import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redactKey } from '../../../../src/service/connections/redact.ts';
import { ignorableCharacters, keySpellings, findSpellings } from '../../../hostile/keySpellings.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

/** A key that no service uses. */
const key = 'sb_test_not_a_real_key_4Tj6Yh';

function assertGone(text: string): void {
  assert.deepEqual(findSpellings(text, key), [], text);
}

/** The characters that services use in keys. */
const anyKey = fc.stringMatching(/^[\w./+=~-]{16,80}$/);
const generateText = (characters: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)) });

describe('redactKey', () => {
  for (const { name, inJson } of keySpellings) {
    it(`redacts the key in a JSON text: ${name}`, () => {
      const spelledKey = inJson(key);
      const plain = '{"a":[1,2.50,"\\u00e9"],';
      const value = '"n":null}';
      const text = `${plain}"you ${spelledKey}":"é\\n${spelledKey}&${spelledKey}","${spelledKey}":["${spelledKey}"],${value}`;
      const redacted = redactKey(text, key);
      assertGone(redacted);
      const parsed = JSON.parse(redacted) as Record<string, unknown>;
      assertGone(JSON.stringify(parsed));
      assert.ok(redacted.startsWith(plain) && redacted.endsWith(value), redacted);
      assert.ok(redacted.includes('[key]'));
    });

    it(`redacts the key in a text that is not JSON: ${name}`, () => {
      const text = JSON.parse(`"<p>Hello ${inJson(key)}."`) as string;
      assertGone(redactKey(text, key));
      assert.match(redactKey(text, key), /^<p>Hello .*\[key\].*\.$/s);
    });
  }

  it('redacts any key in a name and a value, in any encoding', () => {
    const spellings = keySpellings.filter(({ name }) => name !== 'plain');
    fc.assert(
      fc.property(anyKey, generatedKey => {
        // All encodings are tested with each key, since preparing the search takes longer than searching.
        for (const { inJson } of spellings) {
          const name = inJson(generatedKey);
          const value = `before ${inJson(generatedKey)} behind`;
          // The character before the name is not in any key, since an escape of the key's first letter might otherwise match.
          const redacted = redactKey(`{"a":1,"§ ${name}":["${value}",2.50]}`, generatedKey);
          for (const secret of [generatedKey, name, value]) assert.ok(!redacted.includes(secret), redacted);
          assert.match(redacted, /^\{"a":1,"§ .*\[key\].*":\["before .*\[key\].* behind",2\.50\]\}$/);
          JSON.parse(redacted);
        }
      }),
      { numRuns: scaleRunCount(20) },
    );
  });

  it('redacts a key that contains invisible characters in any encoding', () => {
    assert.equal(ignorableCharacters.length, 4_174);
    for (const character of [...ignorableCharacters, '\0', '\u001b', '\u007f', '\u0085', '\ue000']) {
      const escaped = JSON.stringify(character).slice(1, -1);
      const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
      const asUnits = units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
      for (const between of [character, escaped, asUnits, encodeURIComponent(character)])
        assert.equal(redactKey(`é ${key.slice(0, 9)}${between}${key.slice(9)}.`, key), 'é [key].', asUnits);
    }
  });

  it('leaves every other text unchanged', () => {
    const json = fc.json();
    const numRuns = scaleRunCount(150);
    fc.assert(
      fc.property(json, text => assert.equal(redactKey(text, key), text)),
      { numRuns },
    );
    const otherTexts = [
      generateText('0123456789abcdef'),
      generateText('0123456789, '),
      generateText('sb_te, '),
      fc.base64String({ minLength: 60 }),
    ];
    for (const texts of otherTexts)
      fc.assert(
        fc.property(texts, text => assert.equal(redactKey(text, key), text)),
        { numRuns },
      );
    const otherKeys = anyKey.filter(candidate => candidate !== key);
    fc.assert(
      fc.property(otherKeys, fc.constantFrom(...keySpellings), (otherKey, { inJson }) => {
        const text = `{"a":"${inJson(otherKey)}"}`;
        assert.equal(redactKey(text, key), text);
      }),
      { numRuns },
    );
    const similarTexts = [
      '%',
      '%zz',
      '&',
      '&amp;',
      '\\',
      '\\u',
      '\\u00',
      '<',
      '<b',
      key.slice(1),
      key.slice(0, -1),
      '&#1114112;',
    ];
    for (const text of similarTexts) assert.equal(redactKey(text, key), text);
    assert.equal(redactKey('anything', ''), 'anything');
  });

  it('leaves words, dates and escapes that only look like a key', () => {
    const text = '{"data":[{"ts":"2023-01-01T00:00Z","demand_mw":23456,"zone":"AC","note":"Grid data, key (x)"}]}';
    for (const keyLike of ['20230101', 'griddatakey', '<abcdefgh>', '</i3fx9Qw7Z>', '&#65;&#67;', '<b>a<i>c<u>'])
      assert.equal(redactKey(text, keyLike), text, keyLike);
  });

  it('keeps a JSON text valid around the key', () => {
    const text = fc.json().map(json => JSON.stringify([json, `"${json}${key}\n`, { [key]: json }]));
    fc.assert(
      fc.property(text, json => assert.doesNotThrow(() => JSON.parse(redactKey(json, key)))),
      { numRuns: scaleRunCount(100) },
    );
  });

  it('redacts a key that contains an escape of JSON or of a URL', () => {
    for (const key of ['a\\bcdefgh123', 'a\\"cdefgh123', 'a\\u0041defgh123', 'a%41cdefgh123', 'a\\\\cdefgh123']) {
      assert.equal(redactKey(`sent: ${key}`, key), 'sent: [key]');
      assert.equal(redactKey(JSON.stringify({ sent: key }), key), '{"sent":"[key]"}');
    }
  });

  it('keeps a JSON text valid when a key begins like an escape', () => {
    for (const keyLike of [
      ...['nabcdefgh', 'u0070abcdefgh', '0070abcdefgh', '70abcdefgh', 'abc/d<e>fgh'],
      '%41%42%43%44',
    ]) {
      const text = JSON.stringify({ [keyLike]: [`\\${keyLike}`, `x\n${keyLike}\n`, keyLike] });
      const redacted = redactKey(text, keyLike);
      assert.ok(!JSON.stringify(JSON.parse(redacted)).includes(JSON.stringify(keyLike).slice(1, -1)), redacted);
    }
  });

  it('takes linear time for any text', () => {
    const parts = [
      '\\',
      '\\u005c',
      '%25',
      '&amp;',
      '<a',
      '<a>',
      '%',
      key.slice(0, -1),
      `${key}\\u0070`,
      '\\u0000',
      key,
      '\u{e0001}',
      Buffer.from(key).toString('base64').slice(3, -3),
    ];
    // Quadratic work would take seconds for each of these.
    for (const part of parts) assert.ok(redactKey(part.repeat(5e4 / part.length), key).length > 0);
    const periodic = 'a'.repeat(255) + 'b';
    assert.ok(redactKey('a'.repeat(1e5), periodic).length > 0);
  });
});
