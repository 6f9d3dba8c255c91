import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import type { PanelView } from '../../shared/savedView.ts';
import { gridColumnsOf } from '../columns/gridColumnsOf.ts';
import { arrangedColumns, readArrangement } from './columnArrangement.ts';
import type { GridColumn } from './gridColumn.ts';

/** What the rows of a table are: those of the result, resampled or not, or others that are computed from them. */
export type RowsKind = 'received' | 'resampled' | 'computed';

/** The columns of a table that are shown, in their order. */
export function tableColumns(
  frame: Frame,
  { zone, step, leastCoverage }: Pick<TableState, 'zone' | 'step' | 'leastCoverage'>,
  { numbers, intervalEnd, arrangement }: Pick<PanelView, 'numbers' | 'intervalEnd' | 'arrangement'>,
  kind: RowsKind,
  locale: string,
): readonly GridColumn[] {
  const isComputed = kind === 'computed';
  const columns = gridColumnsOf(frame, locale, zone, step, {
    numbers,
    intervalEnd: intervalEnd && !isComputed,
    computed: isComputed,
    // The service's own days are its own affair.
    leastCoverage: kind === 'resampled' ? leastCoverage : undefined,
  });
  return arrangedColumns(columns, readArrangement(arrangement));
}
