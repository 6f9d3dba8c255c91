import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beginningOf } from '../../../../src/core/decode/beginning.ts';
import { openEnvelope } from '../../../../src/core/decode/envelope.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import { manyRuns } from '../../../support/manyRuns.ts';

const runs = { numRuns: manyRuns(500) };
/** Texts that look like the end of something. */
const tricky = fc.constantFrom('', '"', '\\', '\\"', '}', '{', '],', '[{', '"data":[', 'é', '\u2028', '\n');
const leaf = fc.oneof(tricky, fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const record = fc.dictionary(
  fc.oneof(tricky, fc.constantFrom('ts', 'value')),
  fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(tricky, leaf, { maxKeys: 2, noNullPrototype: true })),
  { maxKeys: 4, noNullPrototype: true },
);
const records = fc.array(record, { minLength: 3, maxLength: 8 });
/** Members of an envelope before and behind the rows. */
const meta = fc.dictionary(
  fc.constantFrom('meta', 'a"b', 'count', 'next', 'items'),
  fc.oneof(leaf, fc.array(record, { maxLength: 2 }), record),
  { maxKeys: 3, noNullPrototype: true },
);
const indent = fc.constantFrom(undefined, 1, '\t', '\r\n ');

const bodies = fc
  .tuple(records, meta, meta, indent, fc.boolean())
  .map(([rows, before, behind, space, bare]) =>
    JSON.stringify(bare ? rows : { ...before, data: rows, ...behind }, undefined, space),
  );

describe('decoding the start of a body', () => {
  it('returns the first records of the whole body', () => {
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 3 }), (text, count) => {
        const whole = parseJson(text);
        assert.ok(whole.ok);
        const found = beginningOf(text, count);
        assert.deepEqual(found?.records, openEnvelope(whole.value).records?.slice(0, count));
        assert.equal(text[(found?.end ?? 0) - 1], '}');
      }),
      runs,
    );
  });

  it('returns the same first records when the rest is missing', () => {
    fc.assert(
      fc.property(bodies, fc.nat(), (text, cut) => {
        const whole = beginningOf(text, 2);
        const part = beginningOf(text.slice(0, cut % text.length), 2);
        assert.deepEqual(part, (whole?.end ?? 0) <= cut % text.length ? whole : undefined);
      }),
      runs,
    );
  });

  it('returns correct records or none, for any text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"data"',
      '"a"',
      '1',
      'null',
      ' ',
      '{"a":1}',
    );
    let compared = 0;
    fc.assert(
      fc.property(fc.constantFrom('', '[{"a":1},'), fc.array(piece, { maxLength: 14 }), (begun, pieces) => {
        const text = `${begun}${pieces.join('')}${begun && ']'}`;
        const found = beginningOf(text, 1);
        const whole = parseJson(text);
        if (!found || !whole.ok) return;
        compared++;
        const { data = whole.value } = whole.value as { readonly data?: unknown };
        assert.deepEqual(found.records, (data as readonly unknown[]).slice(0, 1));
      }),
      { numRuns: manyRuns(5000) },
    );
    assert.ok(compared > 10, `${compared}`);
  });

  for (const text of [
    '',
    '7',
    '[]',
    '[1,{"a":1}]',
    '[{"a":1},2]',
    '[{"a":1}{"b":2}]',
    '[{"a":1},{"a":}]',
    '{"results":[{"a":1},{"a":2}]}',
    '{"data":{"rows":[{"a":1},{"a":2}]}}',
    '{"data":[[1],[2]]}',
    '{"meta":{"data":[{"a":1},{"a":2}]}}',
    '{"a" 1,"data":[{"a":1},{"a":2}]}',
    '{"a":,"data":[{"a":1},{"a":2}]}',
  ])
    it(`returns no records of ${text || 'nothing'}`, () => assert.equal(beginningOf(text, 2), undefined));

  it('keeps numbers beyond double precision', () => {
    const found = beginningOf('[{"id":9007199254740993},{}]', 1);
    assert.equal(String(found?.records[0]?.['id']), '9007199254740993');
  });
});
