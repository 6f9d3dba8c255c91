import { t } from '@vscode/l10n';
import { textAt, type BooleanColumn, type NestedColumn, type TextColumn } from '../../shared/frame.ts';
import type { GridColumn } from '../grid/gridColumn.ts';
import { columnHeader } from './columnHeader.ts';
import { withGaps } from './gap.ts';
import { visibleLine, visibleText } from './visibleText.ts';

const cellLimit = 300;
const tooltipLimit = 2000;
const readEntries = 2000;
const sampleCount = 8;

/**
 * Texts as received, except hidden characters, and nested values as compact JSON; long ones are cut in the cell and longer in
 * the tooltip.
 */
export function textGridColumn(column: TextColumn | NestedColumn): GridColumn {
  const textOf = (row: number) => textAt(column.texts, row);
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

/** `true` and `false`, as in the JSON. */
export function booleanGridColumn(column: BooleanColumn): GridColumn {
  const text = (row: number) => (column.values[row] ? 'true' : 'false');
  return {
    ...columnHeader(column),
    align: 'start',
    samples: ['false'],
    ...withGaps(column, { text, tooltip: () => '', exact: text }),
  };
}

function tooltip(column: TextColumn | NestedColumn, text: string): string {
  const visible = visibleText(text, tooltipLimit);
  return column.kind === 'nested' || visible.length > 20 ? visible : '';
}
