import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { View } from '../../shared/view.ts';
import { gridColumnsOf } from '../columns/gridColumnsOf.ts';
import { arrangedColumns, readArrangement } from './columnArrangement.ts';
import type { GridColumn } from './gridColumn.ts';

/** Whether a table has the received rows, resampled rows, or rows that are computed from them. */
export type RowsKind = 'received' | 'resampled' | 'computed';

/** Lists the visible columns of a table in their order. */
export function tableColumns(
  frame: Frame,
  { zone, step, leastCoverage }: Pick<TableState, 'zone' | 'step' | 'leastCoverage'>,
  { numbers, intervalEnd, arrangement }: Pick<View, 'numbers' | 'intervalEnd' | 'arrangement'>,
  kind: RowsKind,
  locale: string,
): readonly GridColumn[] {
  const isComputed = kind === 'computed';
  const columns = gridColumnsOf(frame, locale, zone, step, {
    numbers,
    intervalEnd: intervalEnd && !isComputed,
    computed: isComputed,
    // The hours of received days are unknown, so only resampled rows are marked.
    leastCoverage: kind === 'resampled' ? leastCoverage : undefined,
  });
  return arrangedColumns(columns, readArrangement(arrangement));
}
