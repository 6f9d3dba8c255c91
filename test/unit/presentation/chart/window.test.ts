import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fitWindow,
  isWholeRange,
  moveWindow,
  moveWindowToInclude,
  zoomAround,
} from '../../../../src/presentation/chart/chartModel.ts';

const whole = { start: 1000, end: 2000 };
const number = fc.integer({ min: -5000, max: 5000 });

describe('the chart window', () => {
  it('always lies within the whole range, with its minimum length', () => {
    fc.assert(
      fc.property(number, fc.nat(4000), fc.integer({ min: 1, max: 900 }), (start, length, minLength) => {
        const { start: from, end: to } = fitWindow({ start, end: start + length }, whole, minLength);
        assert.ok(from >= whole.start - 1e-9 && to <= whole.end + 1e-9, `${from} to ${to}`);
        assert.ok(to - from >= minLength - 1e-9 && to - from <= 1000);
      }),
    );
    assert.deepEqual(fitWindow({ start: 1200, end: 1300 }, whole, 10), { start: 1200, end: 1300 });
  });

  it('keeps its length when moved', () => {
    fc.assert(
      fc.property(number, by => {
        const moved = moveWindow({ start: 1200, end: 1300 }, by, whole);
        assert.equal(moved.end - moved.start, 100);
        assert.ok(moved.start >= whole.start && moved.end <= whole.end);
      }),
    );
    assert.deepEqual(moveWindow({ start: 1200, end: 1300 }, -50, whole), { start: 1150, end: 1250 });
  });

  it('zooms around a fixed instant', () => {
    assert.deepEqual(zoomAround({ start: 1000, end: 2000 }, 0.5, 1250, 10), { start: 1125, end: 1625 });
    assert.deepEqual(zoomAround({ start: 1000, end: 2000 }, 0.5, 1000, 10), { start: 1000, end: 1500 });
    // This holds for the shortest window too, which would otherwise drift with each zoom.
    assert.deepEqual(zoomAround({ start: 1000, end: 2000 }, 0.1, 1250, 800), { start: 1050, end: 1850 });
    assert.deepEqual(zoomAround({ start: 1000, end: 2000 }, 0.1, 1250, 1000), { start: 1000, end: 2000 });
  });

  it('moves no further than necessary to include an instant', () => {
    const window = { start: 1200, end: 1300 };
    assert.equal(moveWindowToInclude(window, 1250, whole), window);
    assert.deepEqual(moveWindowToInclude(window, 1350, whole), { start: 1250, end: 1350 });
    assert.deepEqual(moveWindowToInclude(window, 1100, whole), { start: 1100, end: 1200 });
  });

  it('detects the whole range', () => {
    assert.ok(isWholeRange(whole, whole));
    assert.ok(!isWholeRange({ start: 1000, end: 1999 }, whole));
  });
});
