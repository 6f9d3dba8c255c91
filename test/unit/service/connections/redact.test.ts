import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redactKey } from '../../../../src/service/connections/redact.ts';
import { keyLists, keySpellings, spellingsIn } from '../../../hostile/keySpellings.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

/** Looks like no real key. */
const key = 'sb_test_not_a_real_key_4Tj6Yh';

function assertGone(text: string): void {
  assert.deepEqual(spellingsIn(text, key), [], text);
}

/** What services make keys of. */
const anyKey = fc.stringMatching(/^[\w./+=~-]{16,80}$/);
const oneOf = (characters: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)) });

describe('redactKey', () => {
  for (const { name, inJson } of keySpellings) {
    it(`redacts the key in a JSON text: ${name}`, () => {
      const spelled = inJson(key);
      const [plain, value] = ['{"a":[1,2.50,"\\u00e9"],', '"n":null}'];
      const text = `${plain}"you ${spelled}":"é\\n${spelled}&${spelled}","${spelled}":["${spelled}"],${value}`;
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
      fc.property(anyKey, any => {
        // All of them for each key: to make ready what finds a key takes longer than to look for it.
        for (const { inJson } of spellings) {
          const [name, value] = [inJson(any), `before ${inJson(any)} behind`];
          // No key has the sign before the name: an escape of the key's first letter may stand for nothing, too.
          const redacted = redactKey(`{"a":1,"§ ${name}":["${value}",2.50]}`, any);
          for (const left of [any, name, value]) assert.ok(!redacted.includes(left), redacted);
          assert.match(redacted, /^\{"a":1,"§ .*\[key\].*":\["before .*\[key\].* behind",2\.50\]\}$/);
          JSON.parse(redacted);
        }
      }),
      { numRuns: manyRuns(20) },
    );
  });

  it('redacts any key in a list of numbers or texts, which stays JSON', () => {
    fc.assert(
      fc.property(anyKey, any => {
        for (const listOf of keyLists) {
          const redacted = redactKey(`{"a":[1,2],"b":${listOf(any)},"c":[${listOf(any)}]}`, any);
          const { a, b, c } = JSON.parse(redacted) as Record<string, unknown>;
          assert.deepEqual(a, [1, 2]);
          for (const list of [b, (c as unknown[])[0]]) {
            const values = Array.isArray(list) ? list : (list as { data: unknown[] }).data;
            const others = values.filter(value => !String(value).includes('[key]'));
            assert.ok(others.length <= 2 && values.length >= any.length, redacted);
          }
        }
      }),
      { numRuns: manyRuns(60) },
    );
    assert.equal(
      redactKey('{"a":[112345678,1.5,12345678e2],"b":12345678}', '12345678'),
      '{"a":["[key]",1.5,"[key]"],"b":"[key]"}',
    );
  });

  it('redacts a key with any invisible characters between', () => {
    const kept = /[\w"=[\]{}\xa1-\xac\xae-\xff]/;
    for (let code = 0; code < 256; code++) {
      const between = String.fromCharCode(code);
      // Alone, and where another character needs the whole search.
      for (const beside of ['', 'é'])
        assert.equal(
          redactKey(`${beside}${key.slice(0, 9)}${between}${key.slice(9)}`, key) === `${beside}[key]`,
          !kept.test(between),
          `U+${code.toString(16)}`,
        );
    }
    assert.equal(redactKey(`${key.slice(0, 9)}\r\n${key.slice(9)}`, key), '[key]');
  });

  it('redacts text that was escaped several times, in any order', () => {
    const encodings: readonly ((text: string) => string)[] = [
      text => JSON.stringify(text).slice(1, -1),
      text => text.replace(/[^]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
      text => encodeURIComponent(text),
      text => text.replace(/[^]/g, one => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`),
      text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
      text => text.replace(/[^]/g, one => `&#${one.charCodeAt(0)};`),
      text => text.replace(/t/, 't<wbr>'),
    ];
    const stacks = fc.array(fc.constantFrom(...encodings), { maxLength: 4 });
    const forms = [key, Buffer.from(`>>?${key}`).toString('base64'), Buffer.from(key).toString('hex')];
    fc.assert(
      fc.property(stacks, fc.constantFrom(...forms), (stack, form) => {
        const text = stack.reduce((inner, encode) => encode(inner), `a ${form} b`);
        assert.notEqual(redactKey(text, key), text);
        assert.ok(redactKey(text, key).includes('[key]'));
      }),
      { numRuns: manyRuns(150) },
    );
  });

  it('leaves every other text unchanged', () => {
    const json = fc.json();
    const numRuns = manyRuns(150);
    fc.assert(
      fc.property(json, text => assert.equal(redactKey(text, key), text)),
      { numRuns },
    );
    const others = [
      oneOf('0123456789abcdef'),
      oneOf('0123456789, '),
      oneOf('sb_te, '),
      fc.base64String({ minLength: 60 }),
    ];
    for (const other of others)
      fc.assert(
        fc.property(other, text => assert.equal(redactKey(text, key), text)),
        { numRuns },
      );
    const bytes = fc.array(fc.nat(255), { minLength: 20 }).map(list => JSON.stringify(list));
    fc.assert(
      fc.property(bytes, text => assert.equal(redactKey(text, key), text)),
      { numRuns },
    );
    const unlike = anyKey.filter(other => other.toLowerCase() !== key.toLowerCase());
    fc.assert(
      fc.property(
        unlike,
        fc.constantFrom(...keySpellings),
        fc.constantFrom(...keyLists),
        (other, { inJson }, listOf) => {
          const text = `{"a":"${inJson(other)}","b":${listOf(other)}}`;
          assert.equal(redactKey(text, key), text);
        },
      ),
      { numRuns },
    );
    const near = [
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
    for (const text of near) assert.equal(redactKey(text, key), text);
    assert.equal(redactKey('anything', ''), 'anything');
  });

  it('redacts a key split by invisible characters', () => {
    for (const unseen of [
      '\u034f',
      '\u2028',
      '\u2800',
      '\u3164',
      '\ufe0f',
      '&nbsp;',
      '&NewLine;',
      '&NegativeThinSpace;',
      '\\v',
    ])
      assert.equal(
        redactKey(`you ${key.slice(0, 9)}${unseen}${key.slice(9)}.`, key),
        'you [key].',
        JSON.stringify(unseen),
      );
  });

  it('leaves words, dates and escapes that only look like a key', () => {
    const text = '{"data":[{"ts":"2023-01-01T00:00Z","demand_mw":23456,"zone":"AC","note":"Grid data, key (x)"}]}';
    for (const odd of ['20230101', 'griddatakey', '<abcdefgh>', '</i3fx9Qw7Z>', '&#65;&#67;', '<b>a<i>c<u>', '%41%43'])
      assert.equal(redactKey(text, odd), text, odd);
  });

  it('keeps a JSON text valid, whatever part of it looks like the key', () => {
    const escaped = fc
      .json()
      .map(text => text.replace(/(?<!\\)[A-Z~]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`));
    const part = fc.tuple(
      escaped.filter(text => /^[[{]/.test(text) && text.length >= 8),
      fc.nat(),
      fc.integer({ min: 8, max: 40 }),
    );
    fc.assert(
      fc.property(part, ([text, from, length]) => {
        const start = from % (text.length - 7);
        const redacted = redactKey(text, text.slice(start, start + length));
        assert.doesNotThrow(() => JSON.parse(redacted), redacted);
      }),
      { numRuns: manyRuns(100) },
    );
    const digits = '7'.repeat(100);
    assert.equal(redactKey(`[${digits}${key.replace(/\D/g, '')}12345678${digits},1]`, '12345678'), '["[key]",1]');
    const over = `{"a":"x ${key.slice(0, 9)}<b","c":[1,null,{"d e":">${key.slice(9)} y"}]}`;
    assert.equal(redactKey(over, key), '{"a":"x [key]","[key]":["[key]","[key]",{"[key]":"[key] y"}]}');
  });

  it('keeps a JSON text valid when a key begins like an escape', () => {
    for (const odd of [
      ...['nabcdefgh', 'u0070abcdefgh', '0070abcdefgh', '70abcdefgh', 'a"b\\c/d<e>fgh', 'abcdefg\\', '\\abcdefg'],
      ...['%41%42%43%44', 'abcdefgh\\u00'],
    ]) {
      const text = JSON.stringify({ [odd]: [`\\${odd}`, `x\n${odd}\n`, odd] });
      const redacted = redactKey(text, odd);
      assert.ok(!JSON.stringify(JSON.parse(redacted)).includes(JSON.stringify(odd).slice(1, -1)), redacted);
    }
  });

  it('takes linear time, whatever the text contains', () => {
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
      '7 ',
      '73,',
      '73 62 5f 74 65 73 74 5f ',
      '115,98,95,116,101,115,116,95,',
      '"s","b","_",',
      's     ',
      Buffer.from(key).toString('base64').slice(3, -3),
      '=73',
      '=\n',
    ];
    // Where it grew with the square, each would take seconds.
    for (const part of parts) assert.ok(redactKey(part.repeat(5e4 / part.length), key).length > 0);
    const periodic = 'a'.repeat(255) + 'b';
    assert.ok(redactKey('a'.repeat(1e5), periodic).length > 0);
  });
});
