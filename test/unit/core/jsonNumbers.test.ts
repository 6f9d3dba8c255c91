import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExactNumber, parseJson } from '../../../src/core/json/json.ts';
import { scaleRunCount } from '../../support/runCount.ts';

const digit = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...digit), minLength, maxLength });
const anyInteger = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.constantFrom(...digit.slice(1)), digits(0, 24)).map(parts => parts.join('')),
);
const exponent = fc
  .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 4))
  .map(parts => parts.join(''));
const fraction = digits(1, 24).map(text => `.${text}`);
const number = fc
  .tuple(fc.constantFrom('', '-'), anyInteger, fc.oneof(fc.constant(''), fraction), fc.oneof(fc.constant(''), exponent))
  .map(parts => parts.join(''));
const text = fc.string({ unit: fc.constantFrom('.', '0', '7', 'e', '-', '+', 'x', ' '), maxLength: 40 });

/** Converts a number to digits and a power of ten, without zeros at either end, for exact comparison. */
function toDecimalKey(token: string): string {
  const [, sign = '', before = '', after = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digitText = (before + after).replace(/^0+/, '');
  const short = digitText.replace(/0+$/, '');
  return short === '' ? '0' : `${sign}${short}e${Number(power) - after.length + (digitText.length - short.length)}`;
}

describe('long numbers in JSON', () => {
  it('keeps exactly the numbers that a double would change, at any position', () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 1, maxLength: 4 }),
        fc.array(text, { maxLength: 3 }),
        fc.nat(16),
        (numbers, texts, shift) => {
          const json = `[${' '.repeat(shift)}${[...texts.map(item => JSON.stringify(item)), ...numbers].join(',')}]`;
          const result = parseJson(json);
          assert.ok(result.ok, json);
          const expected = numbers.map(token => {
            const value = Number(token);
            const isSame = Number.isFinite(value) && toDecimalKey(String(value)) === toDecimalKey(token);
            return isSame ? value : new ExactNumber(token);
          });
          assert.deepEqual(result.value, [...texts, ...expected]);
        },
      ),
      { numRuns: scaleRunCount(3000) },
    );
  });
});
