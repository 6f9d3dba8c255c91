import assert from 'node:assert/strict';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import { createGridColumns } from '../../../../src/presentation/columns/createGridColumns.ts';
import { createFrame, hourMs, numbers, sast, start } from '../chart/chartWorld.ts';

const frame = compareFrames(
  createFrame([numbers('thermal_mw', [10, 20]), numbers('wind_mw', [1, 2])]),
  createFrame([numbers('thermal_mw', [11])], [start - 24 * hourMs]),
  {
    align: 'position',
    base: { start, end: start + 2 * hourMs },
    other: { start: start - 24 * hourMs, end: start - 23 * hourMs },
    intervalMs: hourMs,
    timeZone: 'UTC',
    comparedWith: 'previous period',
    translate: (text, ...parts) => parts.reduce((result, part, index) => result.replace(`{${index}}`, part), text),
  },
);
const createColumns = (isNarrow: boolean) => createGridColumns(frame, 'en', sast, hourMs, { isNarrow });

describe('a comparison in the table', () => {
  it('shows both times first if they fit, else the compared time after the first values', () => {
    const names = (narrow: boolean) => createColumns(narrow).map(({ name }) => name);
    assert.deepEqual(names(false).slice(0, 3), ['ts', 'ts · compared', 'thermal_mw']);
    assert.deepEqual(names(true).slice(0, 4), ['ts', 'thermal_mw', 'thermal_mw · compared', 'ts · compared']);
    assert.deepEqual(names(true).toSorted(), names(false).toSorted());
  });

  it('names the compared time in the tooltip of the time', () => {
    const tooltip = (row: number) => createColumns(true)[0]?.formatTooltip(row) ?? '';
    assert.match(tooltip(0), /\nts, previous period: 30 Apr 2026 02:00 SAST \(UTC\+2\)$/);
    assert.doesNotMatch(tooltip(1), /previous period/);
  });
});
