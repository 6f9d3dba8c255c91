import assert from 'node:assert/strict';
import {
  energy,
  getDifferenceUnit,
  index,
  money,
  moneyRate,
  power,
  powerExtreme,
  share,
  unitOf,
  type Unit,
} from '../../../../src/shared/units.ts';
import { formatSelection, formatFrozenNotice } from '../../../../src/webview/result/footerText.ts';

const figures = { unit: power, mean: 20_412.65, sum: 1_469_711, min: 0, max: 26_118.25, energy: undefined };
const stats = { count: 72, missing: 0, columns: 3, figures };
const formatWithUnit = (unit: Unit) =>
  formatSelection(24, 3, { ...stats, figures: { ...figures, unit } }, 'en', 'digits');

describe('formatSelection', () => {
  it('shows mean, extremes and energy of power, but no sum', () => {
    const month = { ...figures, energy: { mwh: 18_522_601.234, hours: 742 } };
    assert.equal(
      formatSelection(742, 1, { ...stats, columns: 1, figures: month }, 'en', 'digits'),
      '742 × 1 selected: count 72 · mean 20,412.65 · min 0 · max 26,118.25 MW · energy 18,523 GWh over 742 h',
    );
    assert.match(
      formatSelection(
        24,
        3,
        { ...stats, figures: { ...figures, energy: { mwh: 600.75, hours: 5.5 } } },
        'en',
        'digits',
      ),
      /max 26,118\.25 MW · energy of 3 columns 601 MWh over 5\.5 h$/,
    );
  });

  it('shows a sum only if values of the unit can be added', () => {
    assert.match(formatWithUnit(energy), /mean 20,412\.65 · sum 1,469,711 · min 0 · max 26,118\.25 MWh$/);
    assert.match(formatWithUnit(unitOf(undefined)), /mean 20,412\.65 · sum 1,469,711 · min 0 · max 26,118\.25$/);
    assert.match(formatWithUnit({ ...energy, overlaps: true }), /mean 20,412\.65 · min 0 · max 26,118\.25 MWh$/);
    assert.match(formatWithUnit(share), /mean of shares 20,412\.65 · min 0 · max 26,118\.25 %$/);
    assert.equal(
      formatSelection(24, 1, { ...stats, figures: { ...figures, unit: share, share: 20_431 } }, 'en', 'digits'),
      '24 × 1 selected: count 72 · share of energies 20,431 · min 0 · max 26,118.25 %',
    );
    assert.match(formatWithUnit(money), /mean 20,412\.65 · sum 1,469,711 · min 0 · max 26,118\.25 R$/);
    assert.match(formatWithUnit(moneyRate), /mean of rates 20,412\.65 · min 0 · max 26,118\.25 R\/MWh$/);
    assert.match(formatWithUnit(getDifferenceUnit(moneyRate)), /count 72 · min 0 · max 26,118\.25 R\/MWh$/);
    assert.equal(
      formatSelection(24, 1, { ...stats, figures: { ...figures, unit: moneyRate, share: 20_431 } }, 'en', 'digits'),
      '24 × 1 selected: count 72 · mean 20,431 · min 0 · max 26,118.25 R/MWh',
    );
    assert.match(formatWithUnit(index), /mean 20,412\.65 · min 0 · max 26,118\.25$/);
    assert.match(formatWithUnit(powerExtreme), /mean 20,412\.65 · min 0 · max 26,118\.25 MW$/);
  });

  it('shows only the counts if the columns have different units', () => {
    assert.equal(
      formatSelection(24, 3, { ...stats, missing: 2, figures: undefined }, 'en', 'digits'),
      '24 × 3 selected: count 72 · missing 2',
    );
  });

  it('shows the number of missing values, and no statistics if there are no numbers', () => {
    assert.match(formatSelection(24, 3, { ...stats, missing: 2 }, 'en', 'digits'), /count 72 · missing 2 · mean/);
    assert.equal(formatSelection(2, 1, { ...stats, count: 0, figures: undefined }, 'en', 'digits'), '2 × 1 selected');
  });

  it('shows tiny numbers with their digits instead of zero, and keeps the sign of a negative zero', () => {
    const small = { ...figures, unit: energy, mean: 1e-300, sum: 0.000_42, min: -0, max: 1e21 };
    assert.match(
      formatSelection(2, 1, { ...stats, figures: small }, 'en', 'digits'),
      /mean 1e-300 · sum 0\.000420 · min -0 · max 1e\+21 MWh$/,
    );
  });

  it('shows extremes with all digits if they were received, and rounded if they were computed', () => {
    const received = { ...figures, unit: share, mean: 9.95446, min: 8.6134, max: 12.000001 };
    assert.match(
      formatSelection(3, 1, { ...stats, figures: received }, 'en', 'digits'),
      /mean of shares 9\.954 · min 8\.6134 · max 12\.000001 %$/,
    );
    const computed = { ...received, min: -2 / 3, max: 1 / 3 };
    assert.match(formatSelection(3, 1, { ...stats, figures: computed }, 'en', 'digits'), /min -0\.667 · max 0\.333 %$/);
  });

  it('rounds like the table in the rounded style', () => {
    const formatRounded = (changes: object) =>
      formatSelection(3, 1, { ...stats, figures: { ...figures, ...changes } }, 'en', 'rounded');
    assert.match(formatRounded({}), /mean 20,413 · min 0 · max 26,118 MW$/);
    assert.match(formatRounded({ mean: 0.2, min: -0.3 }), /mean ~0 · min ~0 · max 26,118 MW$/);
    assert.match(formatRounded({ mean: 4.25, min: -0.04, max: 12.5 }), /mean 4\.3 · min ~0 · max 12\.5 MW$/);
    const shares = { unit: share, mean: 9.954, min: 0.00271, max: 12.000_001 };
    assert.match(formatRounded(shares), /mean of shares 10 · min ~0 · max 12 %$/);
    assert.match(
      formatRounded({ unit: index, mean: 0.456, min: 0.1, max: 0.917 }),
      /mean 0\.46 · min 0\.1 · max 0\.92$/,
    );
    const counts = { unit: unitOf(undefined), mean: 2, sum: 6, min: 1, max: 3 };
    assert.match(formatRounded(counts), /mean 2 · sum 6 · min 1 · max 3$/);
  });

  it('returns an empty text for a single cell', () => {
    assert.equal(formatSelection(1, 1, stats, 'en', 'digits'), '');
  });
});

describe('formatFrozenNotice', () => {
  it('reports how many frozen columns fit if not all do', () => {
    assert.equal(
      formatFrozenNotice({ requested: 4, fittingCount: 2 }),
      'Only 2 of 4 columns are frozen: the panel is too narrow.',
    );
  });

  it('returns an empty text if all frozen columns fit, or no column is frozen', () => {
    assert.deepEqual(
      [formatFrozenNotice({ requested: 4, fittingCount: 4 }), formatFrozenNotice({ requested: 1, fittingCount: 0 })],
      ['', ''],
    );
  });
});
