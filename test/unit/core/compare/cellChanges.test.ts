import assert from 'node:assert/strict';
import { findCellChanges } from '../../../../src/core/compare/cellChanges.ts';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';

const formatHour = (hour: number): string => `2026-05-01T0${hour}:00:00Z`;

describe('findCellChanges', () => {
  const older = recordsToFrame([
    { ts: formatHour(0), wind_mw: 1, pv_mw: 5, state: 'a', gone: 1 },
    { ts: formatHour(1), wind_mw: 2, pv_mw: null, state: 'a', gone: 1 },
    { ts: formatHour(2), wind_mw: 3, pv_mw: 0, state: 'a', gone: 1 },
    { ts: formatHour(3), wind_mw: 4, pv_mw: 5, state: 'a', gone: 1 },
  ]);
  const newer = recordsToFrame([
    { ts: formatHour(1), wind_mw: 2.5, pv_mw: 0, state: 'b', added: 1 },
    { ts: formatHour(2), wind_mw: 3, pv_mw: null, state: 'a', added: 1 },
    { ts: formatHour(3), wind_mw: 4, pv_mw: 5, state: 'a', added: 1 },
    { ts: formatHour(4), wind_mw: 5, pv_mw: 6, state: 'a', added: 1 },
    { ts: formatHour(5), wind_mw: 5, pv_mw: 6, state: 'a', added: 1 },
  ]);

  it('counts changes by row and by column, including texts and newly published values', () => {
    const { counts, columns } = findCellChanges(newer, older);
    assert.deepEqual([...counts.values], [3, 1, 0, 0, 0]);
    assert.deepEqual([...(counts.gaps ?? [])].map(Boolean), [false, false, false, true, true]);
    assert.deepEqual(columns, [
      ['pv_mw', 2],
      ['wind_mw', 1],
      ['state', 1],
    ]);
  });

  it('reports the rows and columns that only one table has', () => {
    const { added, removed } = findCellChanges(newer, older);
    assert.deepEqual(
      [added, removed],
      [
        { rows: 2, columns: ['added'] },
        { rows: 1, columns: ['gone'] },
      ],
    );
  });

  it('finds no changes in the same table in another order', () => {
    const records = [3, 1, 2].map(hour => ({ ts: formatHour(hour), wind_mw: hour / 3, x: hour === 1 ? null : 'x' }));
    const { counts, columns, added, removed } = findCellChanges(
      recordsToFrame(records),
      recordsToFrame(records.toReversed()),
    );
    assert.deepEqual([[...counts.values], columns, added.rows, removed.rows], [[0, 0, 0], [], 0, 0]);
  });
});
