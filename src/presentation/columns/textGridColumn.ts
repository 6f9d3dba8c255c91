import { t } from '@vscode/l10n';
import { getText, type BooleanColumn, type NestedColumn, type TextColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { createColumnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import { visibleLine, visibleText } from './visibleText.ts';

const maxCellLength = 300;
const maxTooltipLength = 2000;
const maxSampledEntries = 2000;
const sampleCount = 8;

/**
 * Creates a column of texts as received, except for hidden characters, or of nested values as compact JSON. The tooltip has more of a long
 * text than the cell.
 */
export function createTextGridColumn(column: TextColumn | NestedColumn): GridColumn {
  const getRowText = (row: number) => getText(column.texts, row);
  const longest = column.texts.entries
    .slice(0, maxSampledEntries)
    .sort((a, b) => b.length - a.length)
    .slice(0, sampleCount);
  return {
    ...createColumnHeader(column),
    align: 'start',
    samples: longest.map(text => visibleLine(text, maxCellLength)),
    ...withGaps(column, {
      text: row => visibleLine(getRowText(row), maxCellLength),
      spoken: row => (getRowText(row) === '' ? t('empty text') : undefined),
      formatTooltip: row => (getRowText(row) === '' ? t('empty text') : formatTooltip(column, getRowText(row))),
      exact: getRowText,
    }),
  };
}

/** Creates a column of `true` and `false`, or of "yes" and "no" if computed. Copies and files always have `true` and `false`. */
export function createBooleanGridColumn(column: BooleanColumn, isComputed: boolean): GridColumn {
  const [yes, no] = isComputed ? [t('yes'), t('no')] : ['true', 'false'];
  const isTrue = (row: number) => column.values[row] === 1;
  return {
    ...createColumnHeader(column),
    align: 'start',
    samples: [yes, no],
    ...withGaps(column, {
      text: row => (isTrue(row) ? yes : no),
      formatTooltip: () => '',
      exact: row => String(isTrue(row)),
    }),
  };
}

function formatTooltip(column: TextColumn | NestedColumn, text: string): string {
  const visible = visibleText(text, maxTooltipLength);
  return column.kind === 'nested' || visible.length > 20 ? visible : '';
}
