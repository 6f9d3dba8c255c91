import assert from 'node:assert/strict';
import fc from 'fast-check';
import { computePopupPosition } from '../../../../src/webview/grid/popup.ts';

const view = { width: 400, height: 300 };

describe('computePopupPosition', () => {
  it('opens below its anchor, or above when there is no room below', () => {
    const popup = { width: 100, height: 120 };
    const below = computePopupPosition({ left: 10, top: 20, height: 22 }, popup, view);
    assert.deepEqual([below.left, below.top], [10, 42]);
    const above = computePopupPosition({ left: 10, top: 250, height: 22 }, popup, view);
    assert.deepEqual([above.left, above.top], [10, 130]);
  });

  it('stays inside the view for any anchor', () => {
    const anchor = fc.record({ left: fc.nat(400), top: fc.nat(278), width: fc.nat(50), height: fc.constant(22) });
    const popup = fc.record({ width: fc.integer({ min: 1, max: 390 }), height: fc.integer({ min: 1, max: 900 }) });
    fc.assert(
      fc.property(anchor, popup, (anchorRect, box) => {
        const { left, top, maxHeight } = computePopupPosition(anchorRect, box, view);
        assert.ok(left >= 0 && left + box.width <= view.width);
        assert.ok(top >= 0 && top + Math.min(box.height, maxHeight) <= view.height);
      }),
    );
  });
});
