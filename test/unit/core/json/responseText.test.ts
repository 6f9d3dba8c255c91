import assert from 'node:assert/strict';
import { decodeBeginning, decodeBody } from '../../../../src/core/json/responseText.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the text of a response', () => {
  for (const text of ['abcdef', 'ééééé', '電力電力電', '🔌🔌🔌'])
    it(`decodes as many characters as requested: ${text}`, () => {
      for (let characters = 0; characters <= text.length; characters++) {
        const expected = text.slice(0, characters);
        assert.equal(decodeBody(encode(text), characters), expected);
        assert.equal(decodeBeginning([encode(text)], characters), expected);
      }
      assert.equal(decodeBody(encode(text)), text);
    });
});
