import type { WrittenTable } from '../../core/export/exportTable.ts';
import { numberFormatter, numberShape } from '../../shared/formatNumber.ts';
import type { Column, NumberColumn, TimeColumn } from '../../shared/frame.ts';

/** How a column of a sheet looks: its width in characters, and the format of its numbers where it has one of its own. */
export interface ColumnLook {
  readonly width: number;
  /** Where Excel puts its values of itself. */
  readonly align: 'left' | 'center' | 'right';
  readonly format?: string;
}

const narrowest = 8;
/** Longer texts are cut off in view; a number or a date is always whole, or Excel shows ######## in its place. */
const widestText = 60;
/** Excel's own form of a number without a format is never longer. */
const generalWidth = 13;
/** Space on both sides of a cell, and the button of the filter beside a heading. */
const cellPadding = 2;
const headingPadding = 4;

const aligns = { number: 'right', time: 'right', boolean: 'center', text: 'left', nested: 'left' } as const;

/** Decimals and separators as the table has them, and room for the longest value. */
export function columnLook(column: Column, { rowCount }: WrittenTable, heading: string): ColumnLook {
  const { width, format } = valuesLook(column, rowCount);
  const wanted = Math.max(narrowest, Math.min(heading.length, widestText) + headingPadding, width + cellPadding);
  return { width: wanted, align: aligns[column.kind], ...(format !== undefined && { format }) };
}

function valuesLook(column: Column, rowCount: number): Omit<ColumnLook, 'align'> {
  switch (column.kind) {
    case 'number':
      return numbersLook(column, rowCount);
    case 'time': {
      const format = dateFormat(column);
      return { width: format.length, format };
    }
    case 'boolean':
      return { width: 'FALSE'.length };
    case 'text':
    case 'nested': {
      let width = 0;
      for (const { length } of column.texts.entries) width = Math.max(width, length);
      return { width: Math.min(width, widestText) };
    }
  }
}

function numbersLook(column: NumberColumn, rowCount: number): Omit<ColumnLook, 'align'> {
  // Whole, however many: one number that is longer than the others would not be shown.
  const shape = numberShape(column, column.values.length);
  if (!shape.range || rowCount === 0) return { width: 0 };
  if (shape.hasExponents) return { width: generalWidth };
  const { decimals } = shape;
  const shown = numberFormatter('en', decimals);
  const format = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return { width: Math.max(...shape.range.map(value => shown(value).length)), format };
}

/** As fine as the finest of the instants. */
function dateFormat({ values }: TimeColumn): string {
  let format = 'yyyy-mm-dd hh:mm';
  for (const ms of values) {
    if (ms % 1000 !== 0 && Number.isFinite(ms)) return 'yyyy-mm-dd hh:mm:ss.000';
    if (ms % 60_000 !== 0 && Number.isFinite(ms)) format = 'yyyy-mm-dd hh:mm:ss';
  }
  return format;
}
