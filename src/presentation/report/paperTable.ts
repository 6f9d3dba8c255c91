import { withUnit } from '../../core/export/exportTable.ts';
import { maxReportCellLength, maxReportColumns, maxReportRows, type ReportTable } from '../../shared/report.ts';
import { visibleLine } from '../columns/visibleText.ts';
import type { DisplayedRows } from '../result/displayedRows.ts';
import type { GridColumn } from '../table/gridColumn.ts';

/** The first rows and columns of a table, with its total numbers of rows and columns. */
export type PaperTable = Pick<ReportTable, 'columns' | 'rows'> & {
  readonly rowCount: number;
  readonly columnCount: number;
};

/** Formats the first rows and columns of a displayed table. */
export function createPaperTable(
  { order, rowCount, getNote }: Pick<DisplayedRows, 'order' | 'rowCount' | 'getNote'>,
  visibleColumns: readonly GridColumn[],
): PaperTable {
  const columns = visibleColumns.slice(0, maxReportColumns);
  const rows = Array.from({ length: Math.min(rowCount, maxReportRows) }, (_, index) => {
    const row = order?.[index] ?? index;
    const note = getNote?.(row);
    return columns.map((column, columnIndex) => {
      if (note !== undefined && columnIndex > 0) return columnIndex === 1 ? note : '';
      const { text = '' } = column.badge?.(row) ?? {};
      const cell = visibleLine(column.text(row), maxReportCellLength) || column.gapHint?.(row);
      return [cell, text.trim()].filter(Boolean).join(' ');
    });
  });
  const headers = columns.map(({ label, unit, align }) => ({
    label: withUnit(label, unit),
    isNumber: align === 'end',
  }));
  return { columns: headers, rows, rowCount, columnCount: visibleColumns.length };
}
