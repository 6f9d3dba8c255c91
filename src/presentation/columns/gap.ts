import { t } from '@vscode/l10n';
import { cellState, getCellState, type Column } from '../../shared/frame.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import type { GridColumn } from '../table/gridColumn.ts';

type Texts = Pick<GridColumn, 'text' | 'searched' | 'tooltip' | 'exact' | 'spoken' | 'negative' | 'badge' | 'gapHint'>;

/** Displays null and absent cells blank, never as zero. Tooltips, screen readers and, with hints, the cells distinguish the two. */
export function withGaps(column: Column, texts: Texts): Texts {
  if (!column.gaps) return texts;
  const words = gapWords(column);
  const { searched, negative, badge } = texts;
  const gap = (row: number) => {
    const state = getCellState(column, row);
    return state === cellState.value ? undefined : state === cellState.null ? words.null : words.absent;
  };
  return {
    text: row => (gap(row) ? '' : texts.text(row)),
    ...(searched && { searched: (row: number) => (gap(row) ? '' : searched(row)) }),
    spoken: row => gap(row)?.spoken ?? texts.spoken?.(row),
    tooltip: row => gap(row)?.tooltip ?? texts.tooltip(row),
    exact: row => (gap(row) ? '' : texts.exact(row)),
    gapHint: row => gap(row)?.spoken,
    ...(negative && { negative: (row: number) => !gap(row) && negative(row) }),
    ...(badge && { badge: (row: number) => (gap(row) ? undefined : badge(row)) }),
  };
}

function gapWords({ field }: Column) {
  const none = { spoken: t('no value'), tooltip: t('no value: it cannot be computed for this row') };
  const absent = { spoken: t('absent'), tooltip: t('absent: this record does not have the field') };
  const unknown = { spoken: t('unknown'), tooltip: t('unknown: the archive does not have the hours of this day') };
  return {
    null: field?.isDerived ? none : { spoken: t('null'), tooltip: t('null: the service sent no value') },
    absent: isHourCount(unitOf(field)) ? unknown : absent,
  };
}
