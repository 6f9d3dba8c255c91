import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, format } from 'jsonc-parser';
import { formatJsonPieces } from '../../../../src/core/json/formatJson.ts';

const formatAll = (text: string): string => [...formatJsonPieces(text)].join('');

describe('formatJsonPieces', () => {
  it('indents JSON and keeps every digit', () => {
    assert.equal(
      formatAll('{"a":[1,2.50],"b":12345678901234567891}'),
      '{\n  "a": [\n    1,\n    2.50\n  ],\n  "b": 12345678901234567891\n}',
    );
  });

  it('changes only white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.deepEqual(JSON.parse(formatAll(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('changes no character except white space, whatever the text is', () => {
    const removeBlanks = (text: string): string => text.replace(/\s/g, '');
    for (const text of ['{"a":1} // see http://localhost', '{"a":/* no */1}', '<a href="x>: "y"', '"open\\', '\\"a'])
      assert.equal(removeBlanks(formatAll(text)), removeBlanks(text));
  });

  it('formats JSON as VS Code does', () => {
    const spaced = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = JSON.stringify(value, undefined, space);
        const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
        assert.equal(formatAll(text), applyEdits(text, edits));
      }),
    );
  });

  it('returns short pieces that never split a character', () => {
    const hourly = JSON.stringify(Array.from({ length: 20_000 }, (_, hour) => ({ hour, outlook: '🌩 rough' })));
    const long = `["${'🌩'.repeat(4_000_000)}"]`;
    for (const text of [hourly, long, ` ${long}`]) {
      const pieces = [...formatJsonPieces(text)];
      assert.ok(
        pieces.length > 10 && pieces.every(piece => piece.length < 70_000 && Buffer.from(piece).toString() === piece),
      );
      assert.equal(pieces.join(''), formatAll(text));
    }
    assert.equal(formatAll(long), long);
  });

  it('does not format a text that is too long to read', () => {
    const long = `[${'1,'.repeat(4_000_001)}1]`;
    assert.equal(formatAll(long), long);
  });

  it('formats a year of hours', () => {
    const row = { ts: '2023-01-01T00:00:00Z', fields: Array.from({ length: 60 }, (_, field) => field + 0.125) };
    const year = JSON.stringify(Array.from({ length: 8_760 }, () => row));
    assert.ok(year.length > 3_400_000);
    assert.equal(formatAll(year).split('\n').length, 2 + 8_760 * 65);
  });
});
