import type { TimeColumn } from '../../shared/frame.ts';
import type { SelectedStretch } from '../chart/chartModel.ts';
import type { TimeWindow } from './panelView.ts';

/** The stretches of time that data rows cover, in any order: rows that follow each other in the data are one stretch. */
export function stretchesOf({ values }: TimeColumn, rows: Uint32Array): SelectedStretch[] {
  const stretches: SelectedStretch[] = [];
  let before = NaN;
  for (const row of rows.slice().sort()) {
    const instant = values[row] ?? NaN;
    const last = stretches.at(-1);
    if (Number.isNaN(instant)) continue;
    if (last && row === before + 1) stretches[stretches.length - 1] = { ...last, end: instant, rows: last.rows + 1 };
    else stretches.push({ start: instant, end: instant, rows: 1 });
    before = row;
  }
  return stretches;
}

/**
 * The shown rows whose instants lie in a window, both ends included; `scattered` where an order by something else has put
 * other rows between them, undefined where there is none.
 */
export function rowsWithin(
  { values }: TimeColumn,
  order: Uint32Array | undefined,
  { start, end }: TimeWindow,
): readonly [first: number, last: number] | 'scattered' | undefined {
  const rowCount = order?.length ?? values.length;
  let [first, last, count] = [-1, -1, 0];
  for (let row = 0; row < rowCount; row++) {
    const instant = values[order?.[row] ?? row] ?? NaN;
    if (!(instant >= start && instant <= end)) continue;
    if (first < 0) first = row;
    last = row;
    count++;
  }
  if (count === 0) return undefined;
  return last - first + 1 === count ? [first, last] : 'scattered';
}
