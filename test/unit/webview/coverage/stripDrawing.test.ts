import assert from 'node:assert/strict';
import fc from 'fast-check';
import { intervalState } from '../../../../src/shared/result.ts';
import { archivedMark, computeStripPixels } from '../../../../src/webview/coverage/stripDrawing.ts';

const { present, missing, notPublished, failed, notRequested, late } = intervalState;

function computeStrip(states: readonly number[], width: number, archived: readonly number[] = []) {
  const array = Uint8Array.from(states);
  const { marks, intervals } = computeStripPixels(
    { states: array, archived: array.map((_, index) => archived[index] ?? 0) },
    width,
  );
  return { marks: [...marks], intervals: [...intervals] };
}

describe('computeStripPixels', () => {
  it('gives each interval the same width', () => {
    assert.deepEqual(computeStrip([present, notPublished], 6), {
      marks: [present, present, present, notPublished, notPublished, notPublished],
      intervals: [0, 0, 0, 1, 1, 1],
    });
  });

  it('shows the most severe interval of a pixel, and targets the first interval that is so severe', () => {
    const bySeverity = [present, notPublished, notRequested, late, missing, failed];
    for (let index = 0; index < bySeverity.length; index++) {
      const states = [...bySeverity.slice(0, index + 1), ...bySeverity.slice(0, index + 1)].reverse();
      assert.deepEqual(computeStrip(states, 1), { marks: [bySeverity[index]], intervals: [0] });
    }
    assert.deepEqual(computeStrip([present, present, missing, missing], 1).intervals, [2]);
  });

  it('distinguishes archive and service, and shows a pixel with both as the service', () => {
    assert.deepEqual(computeStrip([present, present], 2, [1, 0]).marks, [archivedMark, present]);
    assert.deepEqual(computeStrip([present, present], 1, [1, 0]).marks, [present]);
    assert.deepEqual(computeStrip([missing], 1, [1]).marks, [missing]);
  });

  it('draws one missing hour of a year as three pixels, which all target that hour', () => {
    const states = new Array<number>(8760).fill(present);
    states[5003] = missing;
    const { marks, intervals } = computeStrip(states, 1000);
    const missingPixels = [...marks.keys()].filter(pixel => marks[pixel] === missing);
    assert.deepEqual(missingPixels, [570, 571, 572]);
    assert.deepEqual(
      missingPixels.map(pixel => intervals[pixel]),
      [5003, 5003, 5003],
    );
  });

  it('does not widen a mark over an equally severe mark, or beyond the ends', () => {
    assert.deepEqual(computeStrip([failed, missing, failed], 3).marks, [failed, missing, failed]);
    assert.deepEqual(computeStrip([missing], 1).marks, [missing]);
    assert.deepEqual(computeStrip([late, present, present, present], 4).marks, [late, late, present, present]);
  });

  it('never hides a missing interval, and targets an interval of the mark', () => {
    const states = fc.array(fc.constantFrom(...Object.values(intervalState)), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(states, fc.integer({ min: 1, max: 200 }), (randomStates, width) => {
        const { marks, intervals } = computeStrip(randomStates, width);
        assert.equal(marks.length, width);
        marks.forEach((mark, pixel) => {
          assert.equal(randomStates[intervals[pixel] ?? -1], mark);
        });
        if (randomStates.includes(failed)) assert.ok(marks.includes(failed));
        if (width < randomStates.length) return;
        for (const state of [late, missing]) assert.equal(marks.includes(state), randomStates.includes(state));
      }),
    );
  });
});
