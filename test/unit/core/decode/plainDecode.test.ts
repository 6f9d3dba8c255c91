import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import { ExactNumber } from '../../../../src/core/json/json.ts';
import { decodePlainly } from './plainDecode.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const runs = { numRuns: scaleRunCount(1000) };
const instant = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map(date => formatInstant(date.getTime()));

/** Generates the values of a field, mostly of one kind, as a service sends them. */
const leaf = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constant(fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constantFrom(0, -0, null))),
  },
  { weight: 3, arbitrary: fc.constant(fc.oneof(instant, fc.constantFrom('2023-05-01T05:00:00.5Z', null))) },
  { weight: 3, arbitrary: fc.constant(instant) },
  { weight: 3, arbitrary: fc.constant(fc.constantFrom('v1', 'v1', 'v2', '', null)) },
  { weight: 1, arbitrary: fc.constant(fc.oneof(fc.boolean(), fc.constant(null))) },
  { weight: 1, arbitrary: fc.constant(fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant([1, null]))) },
  { weight: 1, arbitrary: fc.constant(fc.constantFrom(new ExactNumber('9007199254740993'), 1, null)) },
);
const fields = fc.dictionary(fc.constantFrom('ts', 'wind_mw', 'version', 'value', 'a', 'b', '__proto__'), leaf, {
  minKeys: 1,
});

/** Generates records with the same fields, of which some are omitted or in another order. */
const records = fc.tuple(fields, fc.option(fields)).chain(([outerFields, inner]) => {
  const arbitraryCells = (subset: typeof outerFields) =>
    fc.record(subset, { requiredKeys: Object.keys(subset).slice(1), noNullPrototype: true });
  const record = fc.record({
    cells: arbitraryCells(outerFields),
    parts: inner ? arbitraryCells(inner) : fc.constant({}),
    turn: fc.nat(9),
  });
  return fc.array(
    record.map(({ cells: outer, parts, turn: isRotated }) => {
      const entries: [string, unknown][] = Object.entries(outer);
      // An object without fields would be a value among objects.
      if (Object.keys(parts).length > 0) entries.splice(1, 0, ['components', parts]);
      return Object.fromEntries(isRotated === 0 ? entries.reverse() : entries);
    }),
    { minLength: 1, maxLength: 12 },
  );
});

describe('the decoder', () => {
  it('decodes the same frame as a cell-by-cell decoder', () => {
    fc.assert(
      fc.property(records, generated => {
        const frame = recordsToFrame(generated);
        const expected = decodePlainly(generated);
        assert.equal(frame.rowCount, expected.rowCount);
        const sortByPath = (columns: typeof frame.columns) =>
          [...columns].sort((a, b) => (JSON.stringify(a.path) < JSON.stringify(b.path) ? -1 : 1));
        assert.deepEqual(sortByPath(frame.columns), sortByPath(expected.columns));
      }),
      runs,
    );
  });
});
