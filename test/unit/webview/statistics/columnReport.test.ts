import assert from 'node:assert/strict';
import type { NumberStyle } from '../../../../src/shared/formatNumber.ts';
import { powerExtreme } from '../../../../src/shared/units.ts';
import { createColumnReport } from '../../../../src/webview/statistics/columnReport.ts';
import { columnStatistics, powerColumn } from './columns.ts';

function createReport(cells: readonly (number | null)[], locale = 'en', numbers: NumberStyle = 'digits') {
  const column = powerColumn(cells);
  return createColumnReport(column, columnStatistics(column), locale, numbers);
}

describe('columnReport', () => {
  it('formats received numbers like the table, and computed ones to three digits of the spread', () => {
    const { received, computed, statistics } = createReport([0, 1, 1, 0, 1, 1]);
    assert.equal(received.text(1), '1');
    assert.equal(computed.text(statistics.summary?.mean ?? NaN), '0.667');
    assert.equal(computed.exact(statistics.summary?.mean ?? NaN), '0.666666666666667');
    assert.equal(received.exact(1), '');
  });

  it('formats a mean much smaller than the values without rounding noise', () => {
    const { computed, statistics } = createReport([-8_000, 8_000, 0.000_004 * 3]);
    assert.equal(computed.text(statistics.summary?.mean ?? NaN), '0.000004');
    assert.equal(computed.text(1.2e-7), '0.000000120');
    assert.equal(createReport([-900, 900, 1]).computed.text(0.1290323), '0.129');
    assert.equal(computed.exact(0.1 + 0.2), '');
    assert.match(createReport([1e-300, 3e-300]).computed.text(2e-300), /^2e-300$/);
  });

  it('shows a zero mean when the values cancel', () => {
    const { computed, statistics } = createReport([0.1, 0.2, -0.3, 1.1, -1.1]);
    assert.equal(computed.text(statistics.summary?.mean ?? NaN), '0.000');
  });

  it('adds no digits to widely spread values', () => {
    const { computed } = createReport([20_000.5, 31_250.1, 26_118.3]);
    assert.equal(computed.withUnit(25_789.633), '25,789.6 MW');
  });

  it('rounds the figures as the table does, and keeps their exact values', () => {
    const { received, computed, digits } = createReport([20_000.5, 31_250.1, 26_118.3], 'en', 'rounded');
    assert.deepEqual(
      [received, computed].map(write => write.withUnit(25_789.633)),
      ['25,790 MW', '25,790 MW'],
    );
    assert.equal(computed.exact(25_789.633), '25789.633');
    assert.equal(computed.text(0.2), '~0');
    assert.equal(digits.received.text(20_000.5), '20,000.5');
    // The mean of whole numbers need not be whole.
    assert.deepEqual(
      [createReport([1, 2], 'en', 'rounded')].map(({ received: of, computed: mean }) => [of.text(2), mean.text(1.5)]),
      [['2', '1.50']],
    );
  });

  it('computes the energy of power over the rows with a value, when their length is known', () => {
    const column = powerColumn([20_000, null, 30_000.5]);
    const reportWith = (rowMs?: number) =>
      createColumnReport(column, columnStatistics(column, undefined, undefined, undefined, rowMs), 'en', 'digits');
    const { amount, hours, exact } = reportWith(24 * 3_600_000).energy ?? assert.fail();
    assert.deepEqual([amount, hours, exact], ['1,200 GWh', '48 h', '1200012 MWh']);
    assert.equal(reportWith(3_600_000).energy?.amount, '50,001 MWh');
    assert.equal(reportWith().energy, undefined);
    const ramp = { ...column, field: { label: 'Ramp', meaning: '', unit: powerExtreme } };
    assert.equal(columnStatistics(ramp, undefined, undefined, undefined, 3_600_000).energy, undefined);
  });

  it("uses the locale's separators, and reports columns without a value", () => {
    assert.equal(createReport([1000.5, 3000.5], 'de').computed.text(2000.5), '2.000,5');
    assert.equal(createReport([null]).statistics.summary, undefined);
    assert.equal(createReport([null]).computed.text(1), '1');
  });
});
