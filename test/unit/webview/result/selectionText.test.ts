import assert from 'node:assert/strict';
import { selectionText } from '../../../../src/webview/result/selectionText.ts';

const stats = { count: 72, missing: 0, mean: 20_412.65, sum: 1_469_711, min: 0, max: 26_118.25, unit: 'MW' };

describe('selectionText', () => {
  it('says size, count, mean, sum, extremes and unit', () => {
    assert.equal(
      selectionText(24, 3, stats, 'en'),
      '24 × 3 selected: count 72 · mean 20,412.65 · sum 1,469,711 · min 0 · max 26,118.25 MW',
    );
  });

  it('tells what is missing, and says nothing of numbers where there are none', () => {
    assert.match(selectionText(24, 3, { ...stats, missing: 2 }, 'en'), /count 72 · missing 2 · mean/);
    const none = { ...stats, count: 0, mean: undefined, min: undefined, max: undefined };
    assert.equal(selectionText(2, 1, none, 'en'), '2 × 1 selected');
  });

  it('takes no number for zero that is none, and gives zero no sign', () => {
    const small = { ...stats, mean: 1e-300, sum: 0.000_42, min: -0, max: 1e21 };
    assert.match(selectionText(2, 1, small, 'en'), /mean 1e-300 · sum 0\.000420 · min 0 · max 1e\+21 MW$/);
  });

  it('is silent for one cell', () => {
    assert.equal(selectionText(1, 1, stats, 'en'), '');
  });
});
