import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RowScroll, maxSpacerHeight } from '../../../../src/webview/grid/gridViewport.ts';

const rowHeight = 22;

describe('RowScroll', () => {
  it('scrolls pixel by pixel while the table fits', () => {
    const scroll = new RowScroll(744, rowHeight, 500);
    assert.equal(scroll.compressed, false);
    assert.equal(scroll.spacer, 744 * rowHeight);
    assert.equal(scroll.toOffset(1234), 1234);
    assert.equal(scroll.toScrollTop(1234), 1234);
  });

  it('caps the height of its spacer and still reaches both ends', () => {
    const scroll = new RowScroll(1_000_000, rowHeight, 500);
    assert.equal(scroll.spacer, maxSpacerHeight);
    assert.equal(scroll.toOffset(0), 0);
    assert.equal(scroll.toOffset(maxSpacerHeight - 500), 1_000_000 * rowHeight - 500);
  });

  it('has no scroll offset while every row is in view', () => {
    const scroll = new RowScroll(3, rowHeight, 500);
    assert.equal(scroll.maxOffset, 0);
    assert.equal(scroll.toOffset(0), 0);
    assert.equal(scroll.toScrollTop(0), 0);
  });

  it('returns to the offset it started from', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (rows, share) => {
        const scroll = new RowScroll(rows, rowHeight, 480);
        const offset = share * scroll.maxOffset;
        const returnedOffset = scroll.toOffset(scroll.toScrollTop(offset));
        // Half a pixel from its end, the scrollbar is treated as being at the end.
        assert.ok(Math.abs(returnedOffset - offset) <= Math.max(1, (scroll.maxOffset / maxSpacerHeight) * 1.1));
      }),
    );
  });
});
