import assert from 'node:assert/strict';
import { columnReport } from '../../../../src/webview/statistics/columnReport.ts';
import { columnStatistics } from '../../../../src/webview/statistics/columnStatistics.ts';
import { powerColumn } from './columns.ts';

function reportOf(cells: readonly (number | null)[], locale = 'en') {
  const column = powerColumn(cells);
  return columnReport(column, columnStatistics(column), locale);
}

describe('columnReport', () => {
  it('writes received numbers as the table of rows does, computed ones to three digits of the spread', () => {
    const { received, computed, statistics } = reportOf([0, 1, 1, 0, 1, 1]);
    assert.equal(received.text(1), '1');
    assert.equal(computed.text(statistics.summary?.mean ?? NaN), '0.667');
    assert.equal(computed.exact(statistics.summary?.mean ?? NaN), String(statistics.summary?.mean));
    assert.equal(received.exact(1), '');
  });

  it('adds no digits to what is spread wide', () => {
    const { computed } = reportOf([20_000.5, 31_250.1, 26_118.3]);
    assert.equal(computed.withUnit(25_789.633), '25,789.6 MW');
  });

  it('writes with the separators of the locale, and columns without a value at all', () => {
    assert.equal(reportOf([1000.5, 3000.5], 'de').computed.text(2000.5), '2.000,5');
    assert.equal(reportOf([null]).statistics.summary, undefined);
    assert.equal(reportOf([null]).computed.text(1), '1');
  });
});
