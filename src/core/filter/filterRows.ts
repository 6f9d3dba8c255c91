import { cellState, stateAt, type Frame } from '../../shared/frame.ts';
import type { TimeWindow } from '../../shared/savedView.ts';
import { binEdges } from '../bins/binEdges.ts';
import { chartTimes } from '../frame/chartColumns.ts';
import { stepRows, type Steps } from '../time/steps.ts';
import type { RowTest } from './parseFilter.ts';

/**
 * The rows that pass every test, in the order of the data; undefined where there is no test. Rows without a time are outside
 * the window, and a bin is inside with any part of it; without a time column there is no window. In
 * steps of a few milliseconds.
 */
export function* filterRowsSteps(
  frame: Frame,
  tests: readonly RowTest[],
  window?: TimeWindow,
): Steps<Uint32Array | undefined> {
  const all = [...windowTests(frame, window), ...tests];
  const [first, ...others] = all;
  if (!first) return undefined;
  const rows = new Uint32Array(frame.rowCount);
  let count = 0;
  for (let from = 0; from < frame.rowCount; from += stepRows) {
    count = addPassing(rows, count, from, Math.min(frame.rowCount, from + stepRows), first, others);
    yield;
  }
  return rows.slice(0, count);
}

/** Adds the rows of [from, to) that pass, and returns how many there are then. A loop in a generator takes several times as long. */
function addPassing(
  rows: Uint32Array,
  before: number,
  from: number,
  to: number,
  first: RowTest,
  others: readonly RowTest[],
): number {
  let count = before;
  for (let row = from; row < to; row++) {
    if (!first(row) || !others.every(test => test(row))) continue;
    rows[count] = row;
    count += 1;
  }
  return count;
}

function windowTests(frame: Frame, window: TimeWindow | undefined): RowTest[] {
  const time = window && chartTimes(frame);
  if (!time) return [];
  const { bins } = time;
  const { end } = window;
  // The beginning of the bin that the window begins in.
  const begin = { start: window.start, end: window.start };
  const start = bins ? (binEdges(begin, bins.size, bins.timeZone)[0] ?? window.start) : window.start;
  return [
    row => {
      const ms = time.values[row] ?? NaN;
      return ms >= start && ms < end && stateAt(time, row) === cellState.value;
    },
  ];
}
