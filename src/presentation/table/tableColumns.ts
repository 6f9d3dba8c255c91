import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { createGridColumns } from '../columns/createGridColumns.ts';
import { arrangeColumns, parseArrangement } from './columnArrangement.ts';
import type { GridColumn } from './gridColumn.ts';

/** Whether a table has the received rows, resampled rows, or rows that are computed from them. */
export type RowsKind = 'received' | 'resampled' | 'computed';

/** Lists the visible columns of a table in their order. */
export function listTableColumns(
  frame: Frame,
  { zone, intervalMs, minCoverage }: Pick<TableState, 'zone' | 'intervalMs' | 'minCoverage'>,
  { numbers, intervalEnd, arrangement }: Pick<View, 'numbers' | 'intervalEnd' | 'arrangement'>,
  kind: RowsKind,
  locale: string,
): readonly GridColumn[] {
  const isComputed = kind === 'computed';
  const columns = createGridColumns(frame, locale, zone, intervalMs, {
    numbers,
    intervalEnd: intervalEnd && !isComputed,
    areComputed: isComputed,
    // The hours of received days are unknown, so only resampled rows are marked.
    minCoverage: kind === 'resampled' ? minCoverage : undefined,
  });
  return arrangeColumns(columns, parseArrangement(arrangement));
}
