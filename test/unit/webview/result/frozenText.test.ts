import assert from 'node:assert/strict';
import { frozenText } from '../../../../src/webview/result/frozenText.ts';

describe('frozenText', () => {
  it('says how many frozen columns have the room', () => {
    assert.equal(frozenText({ wanted: 4, kept: 2 }), 'Only 2 of 4 columns stay frozen: the panel is too narrow.');
  });

  it('says nothing where all have it, or where nobody froze a column', () => {
    assert.deepEqual([frozenText({ wanted: 4, kept: 4 }), frozenText({ wanted: 1, kept: 0 })], ['', '']);
  });
});
