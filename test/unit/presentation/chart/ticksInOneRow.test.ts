import assert from 'node:assert/strict';
import { ZoneOffsets } from '../../../../src/core/time/zoneOffsets.ts';
import { createTimeTicks } from '../../../../src/presentation/chart/timeTicks.ts';
import { dayMs, hourMs, start } from './chartWorld.ts';

const listLabels = (from: number, length: number, maxTicks: number): string[] => {
  const ticks = createTimeTicks({ start: from, end: from + length }, new ZoneOffsets('UTC'), maxTicks, 'en', 0, 1);
  assert.ok(ticks.every(({ below }) => below === ''));
  return ticks.map(({ label }) => label);
};

describe('time labels in one row', () => {
  it('shows the day at midnight, and before the first hour', () => {
    assert.deepEqual(listLabels(start + 6 * hourMs, 24 * hourMs, 4), [
      ...['Fri 01 May 2026 06:00', '12:00', '18:00'],
      ...['Sat 02 May', '06:00'],
    ]);
  });

  it('shows the year after the first day, month or year', () => {
    assert.deepEqual(listLabels(start, 3 * dayMs, 4), ['Fri 01 May 2026', 'Sat 02 May', 'Sun 03 May', 'Mon 04 May']);
    assert.deepEqual(listLabels(Date.UTC(2026, 10, 1), 100 * dayMs, 5), ['Nov 2026', 'Dec', 'Jan 2027', 'Feb']);
    assert.deepEqual(listLabels(Date.UTC(2024, 0, 1), 800 * dayMs, 3), ['2024', '2025', '2026']);
  });
});
