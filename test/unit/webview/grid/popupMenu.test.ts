import assert from 'node:assert/strict';
import { findTypedItem, formatShortcut } from '../../../../src/webview/grid/popupMenu.ts';

const labels = ['Sort Ascending', 'Sort Descending', 'Freeze', 'Fit', 'show'];

describe('findTypedItem', () => {
  it('cycles through all items that start with a letter', () => {
    assert.deepEqual(
      [0, 1, 4].map(current => findTypedItem(labels, 's', current)),
      [1, 4, 0],
    );
    assert.equal(findTypedItem(labels, 'ss', 0), 1);
  });

  it('narrows down by further letters', () => {
    assert.equal(findTypedItem(labels, 'fi', 2), 3);
    assert.equal(findTypedItem(labels, 'fr', 2), 2);
    assert.equal(findTypedItem(labels, 'sort d', 0), 1);
  });

  it('finds nothing for other letters', () => {
    assert.equal(findTypedItem(labels, 'x', 0), undefined);
    assert.equal(findTypedItem([], 's', -1), undefined);
  });
});

describe('formatShortcut', () => {
  it('formats shortcuts of the platform, for display and for screen readers', () => {
    const listForms = (shortcut: string, platform: string): string[] =>
      Object.values(formatShortcut(shortcut, platform));
    assert.deepEqual(listForms('Ctrl+Shift+C', 'MacIntel'), ['⇧⌘C', 'Command+Shift+C']);
    assert.deepEqual(listForms('Ctrl+F', 'MacIntel'), ['⌘F', 'Command+F']);
    assert.deepEqual(listForms('Ctrl+F', 'Linux x86_64'), ['Ctrl+F', 'Ctrl+F']);
  });
});
