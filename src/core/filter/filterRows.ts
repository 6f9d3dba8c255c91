import { cellState, getCellState, type Frame } from '../../shared/frame.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import { computeBinEdges } from '../bins/binEdges.ts';
import { getChartTimes } from '../frame/chartColumns.ts';
import type { RowTest } from './parseFilter.ts';

/**
 * Returns the rows that pass every test, in the order of the frame, or undefined if there is no test. `window` limits the rows to a time
 * range. It excludes rows without a time, and includes bins that are partly inside. It has no effect on frames without a time column.
 */
export function filterRows(frame: Frame, tests: readonly RowTest[], window?: TimeRange): Uint32Array | undefined {
  const allTests = [...createWindowTests(frame, window), ...tests];
  const [firstTest, ...otherTests] = allTests;
  if (!firstTest) return undefined;
  const rows = new Uint32Array(frame.rowCount);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++)
    if (firstTest(row) && otherTests.every(test => test(row))) rows[count++] = row;
  return rows.slice(0, count);
}

function createWindowTests(frame: Frame, window: TimeRange | undefined): RowTest[] {
  const time = window && getChartTimes(frame);
  if (!time) return [];
  const { bins } = time;
  const { end } = window;
  // The first included bin is the one that contains the start of the window.
  const windowStart = { start: window.start, end: window.start };
  const start = bins ? (computeBinEdges(windowStart, bins.size, bins.timeZone)[0] ?? window.start) : window.start;
  return [
    row => {
      const ms = time.values[row] ?? NaN;
      return ms >= start && ms < end && getCellState(time, row) === cellState.value;
    },
  ];
}
