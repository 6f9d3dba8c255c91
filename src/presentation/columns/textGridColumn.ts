import { t } from '@vscode/l10n';
import { getText, type BooleanColumn, type NestedColumn, type TextColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../table/gridColumn.ts';
import { columnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import { visibleLine, visibleText } from './visibleText.ts';

const cellLimit = 300;
const tooltipLimit = 2000;
const readEntries = 2000;
const sampleCount = 8;

/**
 * Creates a column of texts as received, except for hidden characters, or of nested values as compact JSON. The tooltip has more of a long
 * text than the cell.
 */
export function textGridColumn(column: TextColumn | NestedColumn): GridColumn {
  const textOf = (row: number) => getText(column.texts, row);
  const longest = column.texts.entries
    .slice(0, readEntries)
    .sort((a, b) => b.length - a.length)
    .slice(0, sampleCount);
  return {
    ...columnHeader(column),
    align: 'start',
    samples: longest.map(text => visibleLine(text, cellLimit)),
    ...withGaps(column, {
      text: row => visibleLine(textOf(row), cellLimit),
      spoken: row => (textOf(row) === '' ? t('empty text') : undefined),
      tooltip: row => (textOf(row) === '' ? t('empty text') : tooltip(column, textOf(row))),
      exact: textOf,
    }),
  };
}

/** Creates a column of `true` and `false`, or of "yes" and "no" if computed. Copies and files always have `true` and `false`. */
export function booleanGridColumn(column: BooleanColumn, isComputed: boolean): GridColumn {
  const [yes, no] = isComputed ? [t('yes'), t('no')] : ['true', 'false'];
  const isTrue = (row: number) => column.values[row] === 1;
  return {
    ...columnHeader(column),
    align: 'start',
    samples: [yes, no],
    ...withGaps(column, {
      text: row => (isTrue(row) ? yes : no),
      tooltip: () => '',
      exact: row => String(isTrue(row)),
    }),
  };
}

function tooltip(column: TextColumn | NestedColumn, text: string): string {
  const visible = visibleText(text, tooltipLimit);
  return column.kind === 'nested' || visible.length > 20 ? visible : '';
}
