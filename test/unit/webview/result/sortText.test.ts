import assert from 'node:assert/strict';
import { sortText } from '../../../../src/webview/result/nextSort.ts';

const labels: Readonly<Record<string, string>> = { eskom_ocgt_mw: 'OCGT', wind_mw: 'Wind' };
const labelOf = (column: string): string => labels[column] ?? column;

describe('sortText', () => {
  it('lists the sort columns with their direction, in order', () => {
    const ocgt = { column: 'eskom_ocgt_mw', descending: true };
    const wind = { column: 'wind_mw', descending: false };
    const other = { column: 'other', descending: true };
    assert.equal(sortText([ocgt], labelOf), 'Sorted by OCGT, descending');
    assert.equal(sortText([wind, ocgt], labelOf), 'Sorted by Wind, ascending, then by OCGT, descending');
    assert.equal(
      sortText([ocgt, wind, other], labelOf),
      'Sorted by OCGT, descending, then by Wind, ascending, then by other, descending',
    );
  });

  it('reports when the order is that of the data again', () => {
    assert.equal(sortText([], labelOf), 'No longer sorted');
  });
});
