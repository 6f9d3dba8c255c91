import type { TableToWrite } from '../../core/export/exportTable.ts';
import type { Column } from '../../shared/frame.ts';
import type { ExportOptions } from '../../shared/exportOptions.ts';

/** Excel's limits for a sheet: rows including the heading, columns, and characters (UTF-16) of one cell. */
export const excelLimits = { rows: 1_048_576, columns: 16_384, text: 32_767 } as const;

/** Thrown for a table that exceeds Excel's limits, or whose sheet has 4 GB or more (`size`). */
export class ExcelLimitError extends Error {
  override readonly name = 'ExcelLimitError';
  readonly limit: keyof typeof excelLimits | 'size';
  /** The exceeding number of rows, columns or characters; 0 for `size`. */
  readonly count: number;

  constructor(limit: ExcelLimitError['limit'], count = 0) {
    super(`too much for Excel: ${limit}`);
    this.limit = limit;
    this.count = count;
  }
}

/** Throws ExcelLimitError for a table that Excel would report as damaged, or would truncate. */
export function checkExcelLimits({ columns, rows, rowCount }: TableToWrite, { heading }: ExportOptions): void {
  const rowsWithHeading = rowCount + (heading === 'none' ? 0 : 1);
  if (rowsWithHeading > excelLimits.rows) throw new ExcelLimitError('rows', rowsWithHeading);
  if (columns.length > excelLimits.columns) throw new ExcelLimitError('columns', columns.length);
  for (const column of columns) {
    const longest = findLongestText(column, rows);
    if (longest > excelLimits.text) throw new ExcelLimitError('text', longest);
  }
}

function findLongestText(column: Column, rows: Uint32Array | undefined): number {
  if (column.kind !== 'text' && column.kind !== 'nested') return column.name.length;
  const { codes, entries } = column.texts;
  let longest = column.name.length;
  for (const { length } of entries) longest = Math.max(longest, length);
  // Usually all entries are short enough; otherwise only the entries of exported rows are measured.
  if (longest <= excelLimits.text) return longest;
  longest = column.name.length;
  const count = rows?.length ?? codes.length;
  for (let index = 0; index < count; index++) {
    const row = rows ? (rows[index] ?? 0) : index;
    longest = Math.max(longest, entries[codes[row] ?? -1]?.length ?? 0);
  }
  return longest;
}
