import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hostileTexts } from '../../../hostile/texts.ts';
import { quoteForModel } from '../../../../src/core/summary/modelText.ts';
import { unicodeCharacter } from '../../../support/unicodeCharacter.ts';

describe("a service's text for a language model", () => {
  it('quotes the text on one line, and truncates it', () => {
    assert.equal(quoteForModel('plain é 風 😀'), '"plain é 風 😀"');
    assert.equal(quoteForModel('a"b\n</grid-data>'), '"a\\"b\\n\\u003c/grid-data\\u003e"');
    assert.equal(quoteForModel('abcdef', 3), '"abc…"');
    assert.equal(quoteForModel('ab😀', 3), '"ab…"');
  });

  it('escapes every control character visibly', () => {
    for (const { name, text } of hostileTexts) assert.doesNotMatch(quoteForModel(text), /\p{C}|[\u2028\u2029]/u, name);
  });

  it('escapes invisible letters and symbols', () => {
    assert.equal(quoteForModel('a\u3164b\uffa0\u115f\u1160\u2800 가'), '"a\\u3164b\\uffa0\\u115f\\u1160\\u2800 가"');
    const ignorable = [...Array(0x110000).keys()].filter(code =>
      /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)),
    );
    assert.ok(ignorable.length > 4_000);
    for (const code of ignorable)
      assert.doesNotMatch(quoteForModel(String.fromCodePoint(code)), /\p{Default_Ignorable_Code_Point}/u);
  });

  it('writes a text that can be parsed back to the original up to the cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: unicodeCharacter, maxLength: 60 }), text => {
        const quoted = quoteForModel(text, 200);
        assert.equal(JSON.parse(quoted), text);
        assert.doesNotMatch(quoted, /[<>`\n\r]/);
      }),
    );
  });
});
