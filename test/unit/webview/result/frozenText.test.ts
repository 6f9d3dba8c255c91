import assert from 'node:assert/strict';
import { frozenText } from '../../../../src/webview/result/frozenText.ts';

describe('frozenText', () => {
  it('reports how many frozen columns fit', () => {
    assert.equal(frozenText({ wanted: 4, kept: 2 }), 'Only 2 of 4 columns are frozen: the panel is too narrow.');
  });

  it('reports nothing when all frozen columns fit, or none is frozen', () => {
    assert.deepEqual([frozenText({ wanted: 4, kept: 4 }), frozenText({ wanted: 1, kept: 0 })], ['', '']);
  });
});
