import { t } from '@vscode/l10n';
import { cellState, getCellState, type Column } from '../../shared/frame.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';
import type { GridColumn } from '../table/gridColumn.ts';

type CellTexts = Pick<
  GridColumn,
  'text' | 'searched' | 'formatTooltip' | 'exact' | 'spoken' | 'negative' | 'badge' | 'gapHint'
>;

/** Displays null and absent cells blank, never as zero. Tooltips, screen readers and, with hints, the cells distinguish the two. */
export function withGaps(column: Column, texts: CellTexts): CellTexts {
  if (!column.gaps) return texts;
  const gapTexts = describeGaps(column);
  const { searched, negative, badge } = texts;
  const findGap = (row: number) => {
    const state = getCellState(column, row);
    return state === cellState.value ? undefined : state === cellState.null ? gapTexts.null : gapTexts.absent;
  };
  return {
    text: row => (findGap(row) ? '' : texts.text(row)),
    ...(searched && { searched: (row: number) => (findGap(row) ? '' : searched(row)) }),
    spoken: row => findGap(row)?.spoken ?? texts.spoken?.(row),
    formatTooltip: row => findGap(row)?.tooltip ?? texts.formatTooltip(row),
    exact: row => (findGap(row) ? '' : texts.exact(row)),
    gapHint: row => findGap(row)?.spoken,
    ...(negative && { negative: (row: number) => !findGap(row) && negative(row) }),
    ...(badge && { badge: (row: number) => (findGap(row) ? undefined : badge(row)) }),
  };
}

function describeGaps({ field }: Column) {
  const none = { spoken: t('no value'), tooltip: t('no value: it cannot be computed for this row') };
  const { joinedFrom } = field ?? {};
  const [noValue, noRow] =
    joinedFrom === undefined
      ? [t('null: the service sent no value'), t('absent: this record does not have the field')]
      : [t('null: no value in {0}', joinedFrom), t('absent: no row in {0}', joinedFrom)];
  const absent = { spoken: t('absent'), tooltip: noRow };
  const unknown = { spoken: t('unknown'), tooltip: t('unknown: the archive does not have the hours of this day') };
  return {
    null: field?.isDerived ? none : { spoken: t('null'), tooltip: noValue },
    absent: isHourCount(unitOf(field)) ? unknown : absent,
  };
}
