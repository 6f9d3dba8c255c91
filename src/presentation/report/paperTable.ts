import { withUnit } from '../../core/export/exportTable.ts';
import { maxReportCellLength, maxReportColumns, maxReportRows, type ReportTable } from '../../shared/report.ts';
import { visibleLine } from '../columns/visibleText.ts';
import type { ShownRows } from '../result/shownRows.ts';
import type { GridColumn } from '../table/gridColumn.ts';

/** The first rows and columns of a table, with its total numbers of rows and columns. */
export type PaperTable = Pick<ReportTable, 'columns' | 'rows'> & {
  readonly rowCount: number;
  readonly columnCount: number;
};

/** Formats the first rows and columns of a displayed table. */
export function paperTable(
  { order, rowCount, note: noteOf }: Pick<ShownRows, 'order' | 'rowCount' | 'note'>,
  shown: readonly GridColumn[],
): PaperTable {
  const columns = shown.slice(0, maxReportColumns);
  const rows = Array.from({ length: Math.min(rowCount, maxReportRows) }, (_, at) => {
    const row = order?.[at] ?? at;
    const note = noteOf?.(row);
    return columns.map((column, place) => {
      if (note !== undefined && place > 0) return place === 1 ? note : '';
      const { text = '' } = column.badge?.(row) ?? {};
      const cell = visibleLine(column.text(row), maxReportCellLength) || column.gapHint?.(row);
      return [cell, text.trim()].filter(Boolean).join(' ');
    });
  });
  const heads = columns.map(({ label, unit, align }) => ({ label: withUnit(label, unit), isNumber: align === 'end' }));
  return { columns: heads, rows, rowCount, columnCount: shown.length };
}
