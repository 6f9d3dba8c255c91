import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, format } from 'jsonc-parser';
import { jsonPieces } from '../../../../src/core/json/formatJson.ts';

const formatted = (text: string): string => [...jsonPieces(text)].join('');

describe('jsonPieces', () => {
  it('indents JSON and keeps every digit', () => {
    assert.equal(
      formatted('{"a":[1,2.50],"b":12345678901234567891}'),
      '{\n  "a": [\n    1,\n    2.50\n  ],\n  "b": 12345678901234567891\n}',
    );
  });

  it('changes only white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.deepEqual(JSON.parse(formatted(JSON.stringify(value))), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('leaves out no character but white space, whatever the text is', () => {
    const withoutBlanks = (text: string): string => text.replace(/\s/g, '');
    for (const text of ['{"a":1} // see http://localhost', '{"a":/* no */1}', '<a href="x>: "y"', '"open\\', '\\"a'])
      assert.equal(withoutBlanks(formatted(text)), withoutBlanks(text));
  });

  it('formats JSON as VS Code does', () => {
    const spaced = fc.tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = JSON.stringify(value, undefined, space);
        const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
        assert.equal(formatted(text), applyEdits(text, edits));
      }),
    );
  });

  it('returns short pieces that never split a character', () => {
    const some = JSON.stringify(Array.from({ length: 20_000 }, (_, hour) => ({ hour, outlook: '🌩 rough' })));
    const long = `["${'🌩'.repeat(4_000_000)}"]`;
    for (const text of [some, long, ` ${long}`]) {
      const pieces = [...jsonPieces(text)];
      assert.ok(
        pieces.length > 10 && pieces.every(piece => piece.length < 70_000 && Buffer.from(piece).toString() === piece),
      );
      assert.equal(pieces.join(''), formatted(text));
    }
    assert.equal(formatted(long), long);
  });

  it('leaves a text unformatted that is too long to read', () => {
    const long = `[${'1,'.repeat(4_000_001)}1]`;
    assert.equal(formatted(long), long);
  });

  it('formats a year of hours', () => {
    const row = { ts: '2023-01-01T00:00:00Z', fields: Array.from({ length: 60 }, (_, field) => field + 0.125) };
    const year = JSON.stringify(Array.from({ length: 8_760 }, () => row));
    assert.ok(year.length > 3_400_000);
    assert.equal(formatted(year).split('\n').length, 2 + 8_760 * 65);
  });
});
