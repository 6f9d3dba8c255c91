import { cellState, getCellState, type Frame } from '../../shared/frame.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import { computeBinEdges } from '../bins/binEdges.ts';
import { getChartTimes } from '../frame/chartColumns.ts';
import type { RowTest } from './parseFilter.ts';

/**
 * The rows that pass every test, in the order of the data; undefined where there is no test. Rows without a time are outside
 * the window, and a bin is inside with any part of it; without a time column there is no window.
 */
export function filterRows(frame: Frame, tests: readonly RowTest[], window?: TimeRange): Uint32Array | undefined {
  const all = [...windowTests(frame, window), ...tests];
  const [first, ...others] = all;
  if (!first) return undefined;
  const rows = new Uint32Array(frame.rowCount);
  let count = 0;
  for (let row = 0; row < frame.rowCount; row++) if (first(row) && others.every(test => test(row))) rows[count++] = row;
  return rows.slice(0, count);
}

function windowTests(frame: Frame, window: TimeRange | undefined): RowTest[] {
  const time = window && getChartTimes(frame);
  if (!time) return [];
  const { bins } = time;
  const { end } = window;
  // The beginning of the bin that the window begins in.
  const begin = { start: window.start, end: window.start };
  const start = bins ? (computeBinEdges(begin, bins.size, bins.timeZone)[0] ?? window.start) : window.start;
  return [
    row => {
      const ms = time.values[row] ?? NaN;
      return ms >= start && ms < end && getCellState(time, row) === cellState.value;
    },
  ];
}
