import assert from 'node:assert/strict';
import { findMatchingColumns } from '../../../../src/webview/grid/columnPicker.ts';

const choices = [
  { name: 'wind_mw', label: 'Wind', unit: 'MW', meaning: 'Wind generation' },
  { name: 'renewable_share_pct', label: 'Renewable share', unit: '%', meaning: 'Total renewable ÷ total generation' },
  { name: 'x', label: 'x', unit: '' },
];

describe('findMatchingColumns', () => {
  it('searches label, name, unit and description, for every word', () => {
    assert.deepEqual([...findMatchingColumns(choices, 'GENERATION')], ['wind_mw', 'renewable_share_pct']);
    assert.deepEqual([...findMatchingColumns(choices, ' generation  _pct ')], ['renewable_share_pct']);
    assert.deepEqual([...findMatchingColumns(choices, '%')], ['renewable_share_pct']);
    assert.deepEqual([...findMatchingColumns(choices, 'coal')], []);
  });

  it('finds every column for an empty text', () => {
    assert.equal(findMatchingColumns(choices, ' ').size, 3);
  });
});
