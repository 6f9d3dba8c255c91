import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '../../../../src/core/json/json.ts';

function parseValue(text: string): unknown {
  const result = parseJson(text);
  assert.ok(result.ok, `rejected: ${text}`);
  return result.value;
}

describe('parseJson', () => {
  it('reads any JSON value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        assert.deepEqual(parseValue(text), JSON.parse(text));
      }),
    );
  });

  it('reads everything except exact numbers as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const value = parseValue(`[9007199254740993, ${text}]`) as unknown[];
        assert.ok(value[0] instanceof ExactNumber);
        assert.deepEqual(value[1], JSON.parse(text));
      }),
    );
  });

  it('keeps the digits of integers of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), integer => {
        const { id } = parseValue(`{"id":${integer}}`) as { id: unknown };
        assert.equal(expandExponent(String(id)), integer.toString());
      }),
    );
  });

  it('keeps doubles as plain numbers, also with 17 digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        assert.equal(parseValue(JSON.stringify(number)), JSON.parse(JSON.stringify(number)));
      }),
    );
  });

  it('rounds numbers unless exact numbers are requested', () => {
    const roundedNumbers: unknown[] = [];
    const rejectExact = (rounded: unknown): boolean => roundedNumbers.push(rounded) === 0;
    const allowExact = (rounded: unknown): boolean => roundedNumbers.push(rounded) > 0;
    const long = '[12345678901234567890]';
    assert.deepEqual(parseJson(long, rejectExact), { ok: true, value: [12345678901234567000] });
    assert.deepEqual(parseJson(long, allowExact), { ok: true, value: [new ExactNumber('12345678901234567890')] });
    assert.deepEqual(parseJson('[1]', rejectExact), { ok: true, value: [1] });
    assert.deepEqual(roundedNumbers, [[12345678901234567000], [12345678901234567000]]);
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
      assert.deepEqual(parseValue(text), new ExactNumber(text));
      assert.equal(String(parseValue(text)), text);
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
      assert.equal(parseValue(text), Number(text));
    });

  it('reads digits inside a string as text', () => {
    assert.deepEqual(parseValue('{"id":"12345678901234567890"}'), { id: '12345678901234567890' });
  });

  for (const spare of ['1', '9007199254740993'])
    describe(`next to ${spare}`, () => {
      it('takes the last of two equal keys', () => {
        assert.equal((parseValue(`{"a":1,"a":null,"b":${spare},"a":3}`) as { a: unknown }).a, 3);
        assert.equal((parseValue(`{"a":1,"b":${spare},"a":null}`) as { a: unknown }).a, null);
      });

      it('keeps __proto__ as an own key', () => {
        const value = parseValue(`{"__proto__":{"polluted":1},"b":${spare}}`) as Record<string, unknown>;
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
        it(`rejects ${JSON.stringify(text)}`, () => {
          assert.equal(parseJson(`{"n":${spare},"v":${text}}`).ok, false);
        });
    });

  it('reads escaped names independently of names that were read before', () => {
    const names = [
      String.raw`\n`,
      String.raw`\"`,
      String.raw`\\n`,
      String.raw`\u005cn`,
      String.raw`\u2028`,
      String.raw`a\tb`,
    ];
    for (const [index, name] of names.entries()) {
      // Some releases of V8 confuse the next name with the escaped name before it.
      JSON.parse(String.raw`{"first ${index}":null,"\\":null}`);
      const parsed = parseJson(`{"first ${index}":null,"${name}":1.5}`);
      const entries = parsed.ok ? Object.entries(parsed.value as object) : [];
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

  it('rejects JSON that is nested too deeply to read exactly', () => {
    const depth = 100_000;
    assert.equal(parseJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`).ok, false);
  });
});

/** Converts "1.25e+4" to "12500". */
function expandExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e\+(\d+)$/.exec(text) ?? [];
  return exponent === undefined ? text : sign + whole + fraction.padEnd(Number(exponent), '0');
}
