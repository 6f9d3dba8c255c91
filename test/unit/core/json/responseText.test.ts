import assert from 'node:assert/strict';
import { beginningOfBodies, textOfBody } from '../../../../src/core/json/responseText.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the text of a response', () => {
  for (const text of ['abcdef', 'ééééé', '電力電力電', '🔌🔌🔌'])
    it(`begins with as many characters as are asked for: ${text}`, () => {
      for (let characters = 0; characters <= text.length; characters++) {
        const wanted = text.slice(0, characters);
        assert.equal(textOfBody(bytesOf(text), characters), wanted);
        assert.equal(beginningOfBodies([bytesOf(text)], characters), wanted);
      }
      assert.equal(textOfBody(bytesOf(text)), text);
    });
});
