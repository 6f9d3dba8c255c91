import assert from 'node:assert/strict';
import { typedItem } from '../../../../src/webview/grid/typeAhead.ts';

const labels = ['Sort Ascending', 'Sort Descending', 'Freeze', 'Fit', 'show'];

describe('typedItem', () => {
  it('cycles through all items that start with a letter', () => {
    assert.deepEqual(
      [0, 1, 4].map(now => typedItem(labels, 's', now)),
      [1, 4, 0],
    );
    assert.equal(typedItem(labels, 'ss', 0), 1);
  });

  it('narrows down by further letters', () => {
    assert.equal(typedItem(labels, 'fi', 2), 3);
    assert.equal(typedItem(labels, 'fr', 2), 2);
    assert.equal(typedItem(labels, 'sort d', 0), 1);
  });

  it('finds nothing for other letters', () => {
    assert.equal(typedItem(labels, 'x', 0), undefined);
    assert.equal(typedItem([], 's', -1), undefined);
  });
});
