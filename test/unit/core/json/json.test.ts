import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '../../../../src/core/json/json.ts';

function valueOf(text: string): unknown {
  const result = parseJson(text);
  assert.ok(result.ok, `refused: ${text}`);
  return result.value;
}

describe('parseJson', () => {
  it('reads any JSON value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        assert.deepEqual(valueOf(text), JSON.parse(text));
      }),
    );
  });

  it('reads everything beside an exact number as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const value = valueOf(`[9007199254740993, ${text}]`) as unknown[];
        assert.ok(value[0] instanceof ExactNumber);
        assert.deepEqual(value[1], JSON.parse(text));
      }),
    );
  });

  it('keeps the digits of each integer, of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), whole => {
        const { id } = valueOf(`{"id":${whole}}`) as { id: unknown };
        assert.equal(withoutExponent(String(id)), whole.toString());
      }),
    );
  });

  it('keeps each double a plain number, also with 17 digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        assert.equal(valueOf(JSON.stringify(number)), JSON.parse(JSON.stringify(number)));
      }),
    );
  });

  it('rounds numbers where exact ones are not requested', () => {
    const asked: unknown[] = [];
    const never = (rounded: unknown): boolean => asked.push(rounded) === 0;
    const isTrue = (rounded: unknown): boolean => asked.push(rounded) > 0;
    const long = '[12345678901234567890]';
    assert.deepEqual(parseJson(long, never), { ok: true, value: [12345678901234567000] });
    assert.deepEqual(parseJson(long, isTrue), { ok: true, value: [new ExactNumber('12345678901234567890')] });
    assert.deepEqual(parseJson('[1]', never), { ok: true, value: [1] });
    assert.deepEqual(asked, [[12345678901234567000], [12345678901234567000]]);
  });

  for (const text of [
    '9007199254740993',
    '12345678901234567890',
    '0.12345678901234567890',
    '1e400',
    '1e-400',
    '-1.5e999',
  ])
    it(`keeps ${text} exact`, () => {
      assert.deepEqual(valueOf(text), new ExactNumber(text));
      assert.equal(String(valueOf(text)), text);
    });

  for (const text of [
    '9007199254740992',
    '1.10',
    '0.30000000000000004',
    '100000000000000000000',
    '0.0',
    '1e2',
    '1e100',
  ])
    it(`reads ${text} as a plain number`, () => {
      assert.equal(valueOf(text), Number(text));
    });

  it('reads digits inside a string as text', () => {
    assert.deepEqual(valueOf('{"id":"12345678901234567890"}'), { id: '12345678901234567890' });
  });

  for (const spare of ['1', '9007199254740993'])
    describe(`beside ${spare}`, () => {
      it('takes the last of two equal keys', () => {
        assert.equal((valueOf(`{"a":1,"a":null,"b":${spare},"a":3}`) as { a: unknown }).a, 3);
        assert.equal((valueOf(`{"a":1,"b":${spare},"a":null}`) as { a: unknown }).a, null);
      });

      it('keeps __proto__ an own key', () => {
        const value = valueOf(`{"__proto__":{"polluted":1},"b":${spare}}`) as Record<string, unknown>;
        assert.equal(Object.getPrototypeOf(value), Object.prototype);
        assert.ok(Object.hasOwn(value, '__proto__'));
        assert.equal(value['polluted'], undefined);
      });

      for (const text of [
        'NaN',
        'Infinity',
        '-Infinity',
        '',
        '{',
        '[1,]',
        "{'a':1}",
        '01',
        '1 2',
        '"\u0001"',
        '.5',
        '[1 2]',
      ])
        it(`refuses ${JSON.stringify(text)}`, () => {
          assert.equal(parseJson(`{"n":${spare},"v":${text}}`).ok, false);
        });
    });

  it('reads names with escapes as they are, whatever was read before', () => {
    const names = [
      String.raw`\n`,
      String.raw`\"`,
      String.raw`\\n`,
      String.raw`\u005cn`,
      String.raw`\u2028`,
      String.raw`a\tb`,
    ];
    for (const [index, name] of names.entries()) {
      // Some releases of V8 take the next name for the backslash that they saw in its place.
      JSON.parse(String.raw`{"first ${index}":null,"\\":null}`);
      const found = parseJson(`{"first ${index}":null,"${name}":1.5}`);
      const entries = found.ok ? Object.entries(found.value as object) : [];
      const [read] = JSON.parse(`["${name}"]`) as string[];
      assert.deepEqual(entries, [
        [`first ${index}`, null],
        [read, 1.5],
      ]);
    }
    assert.deepEqual(parseJson(String.raw`{"a": "b\":", "c\t" : 1}`), { ok: true, value: { a: 'b":', 'c\t': 1 } });
  });

  it('explains invalid JSON without quoting it', () => {
    for (const text of [
      '<html>sb_test_secret</html>',
      '{"a":sb_test_secret}',
      '{"a":9007199254740993, sb_test_secret}',
    ]) {
      const result = parseJson(text);
      assert.ok(!result.ok);
      assert.match(result.why, /^not JSON(?: at character \d+)?$/);
    }
  });

  it('reports the offset at which JSON ends', () => {
    assert.deepEqual(parseJson('[1 2]'), { ok: false, why: 'not JSON at character 3' });
    assert.deepEqual(parseJson('[9007199254740993 2]'), { ok: false, why: 'not JSON at character 18' });
  });

  it('refuses JSON that is nested too deeply to read exactly', () => {
    const depth = 100_000;
    assert.equal(parseJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`).ok, false);
  });
});

/** "1.25e+4" as "12500". */
function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e\+(\d+)$/.exec(text) ?? [];
  return exponent === undefined ? text : sign + whole + fraction.padEnd(Number(exponent), '0');
}
