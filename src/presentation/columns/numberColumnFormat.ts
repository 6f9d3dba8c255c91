import { formatNumber } from '../../core/export/cellWriter.ts';
import {
  hidesDigits,
  isRounded,
  createNumberFormatter,
  getNumberShape,
  computeDisplayDecimals,
  formatRounded,
  type NumberStyle,
} from '../../shared/formatNumber.ts';
import { cellState, getCellState, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { unitOf } from '../../shared/units.ts';

/** Creates a formatter for a locale and a number of decimals. */
export type NumberFormatter = typeof createNumberFormatter;

/** Creates a cache of formatters. Creating a formatter is slow, and the columns of a table share a few. */
export function createCachedFormatter(): NumberFormatter {
  const formatters = new Map<string, (value: number) => string>();
  return (locale, decimals) => {
    const key = `${locale} ${decimals}`;
    const format = formatters.get(key) ?? createNumberFormatter(locale, decimals);
    formatters.set(key, format);
    return format;
  };
}

/** Formats whole numbers with the locale's separators and Latin digits. */
export function createCountFormatter(locale: string): (count: number) => string {
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  return count => format.format(count);
}

/** Formats the numbers of one column. */
interface NumberColumnFormat {
  readonly format: (value: number, row?: number) => string;
  /** Whether the formatted text has fewer digits than the number. */
  readonly hasHiddenDigits: (value: number, row?: number) => boolean;
  /** The longest texts. They determine the column's width. */
  readonly samples: readonly string[];
}

const maxSampledRows = 2000;
const sampleCount = 4;

/**
 * Creates the format of a column from its unit and values. `comparedColumns` are the columns that users compare side by side, including
 * this one. They are rounded to the same number of decimals.
 */
export function createNumberColumnFormat(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle,
  formatter: NumberFormatter = createNumberFormatter,
  comparedColumns: readonly NumberColumn[] = [column],
): NumberColumnFormat {
  if (style === 'received')
    return { format: formatNumber, hasHiddenDigits: () => false, samples: findLongestTexts(column, rowCount) };
  const { decimals, range = [] } = getNumberShape(column, rowCount);
  if (style === 'rounded') {
    const getDecimals = createDecimalsLookup(column, rowCount, comparedColumns);
    const formatters: ((value: number) => string)[] = [];
    const format = (value: number, row?: number) => {
      const rowDecimalCount = getDecimals(row);
      return formatRounded(
        value,
        rowDecimalCount,
        (formatters[rowDecimalCount] ??= formatter(locale, rowDecimalCount)),
      );
    };
    const rows = column.units ? Array.from({ length: rowCount }, (_, row) => row) : [];
    const samples = rows.map(row => format(column.values[row] ?? NaN, row));
    return {
      format,
      hasHiddenDigits: (value, row) => isRounded(value, getDecimals(row)),
      samples: [...range.map(value => format(value)), ...samples],
    };
  }
  const format = style === 'plain' ? createPlainFormatter(decimals, formatter) : formatter(locale, decimals);
  return { format, hasHiddenDigits: value => hidesDigits(value, decimals), samples: range.map(format) };
}

/** Creates a lookup of the decimals by row. They are the same in all rows, unless the column has a unit for each row. */
function createDecimalsLookup(
  { units }: NumberColumn,
  rowCount: number,
  comparedColumns: readonly NumberColumn[],
): (row?: number) => number {
  const decimals = computeSharedDecimals(comparedColumns, rowCount);
  if (!units) return () => decimals;
  const rowDecimals = Array.from(units.codes, (code, row) => {
    const columnsWithValue = comparedColumns.filter(
      comparedColumn => getCellState(comparedColumn, row) === cellState.value,
    );
    const values = Float64Array.from(columnsWithValue, comparedColumn => comparedColumn.values[row] ?? NaN);
    const unit = units.entries[code];
    const field = { label: '', meaning: '', ...(unit && { unit }) };
    return computeSharedDecimals([{ kind: 'number', name: '', path: [], field, values }], values.length);
  });
  return row => rowDecimals[row ?? -1] ?? decimals;
}

/** Computes the decimals for rounding columns with the same unit. */
function computeSharedDecimals(columns: readonly NumberColumn[], rowCount: number): number {
  const shapes = columns.map(column => getNumberShape(column, rowCount));
  const maxReceivedDecimals = Math.max(...shapes.map(({ decimals }) => decimals));
  const maxValue = Math.max(...shapes.flatMap(({ range = [0] }) => range.map(Math.abs)));
  return computeDisplayDecimals(unitOf(columns[0]?.field).kind, maxValue, maxReceivedDecimals);
}

/**
 * Groups the columns that users compare side by side. A group is a column with its compared periods and differences. For computed rows,
 * it is all columns with the same unit.
 */
export function groupComparedColumns(
  { columns }: Frame,
  areComputed: boolean,
): (column: NumberColumn) => readonly NumberColumn[] {
  const getGroupKey = ({ name, field, units }: NumberColumn): string => {
    const { kind, text } = unitOf(field);
    const group = areComputed && (units ?? text) ? '' : (field?.comparison?.baseName ?? name);
    return JSON.stringify([group, kind, Boolean(units)]);
  };
  const groups = Map.groupBy(
    columns.filter(column => column.kind === 'number'),
    getGroupKey,
  );
  return column => groups.get(getGroupKey(column)) ?? [column];
}

function createPlainFormatter(decimals: number, formatter: NumberFormatter): (value: number) => string {
  const format = formatter('en', decimals);
  return value => format(value).replaceAll(',', '');
}

/** Finds the longest texts in evenly spaced rows. The largest number need not have the longest text. */
function findLongestTexts(column: NumberColumn, rowCount: number): readonly string[] {
  const texts: string[] = [];
  const stride = Math.max(1, Math.floor(rowCount / maxSampledRows));
  for (let row = 0; row < rowCount; row += stride) {
    if (getCellState(column, row) !== cellState.value) continue;
    texts.push(formatNumber(column.values[row] ?? NaN));
  }
  return texts.sort((a, b) => b.length - a.length).slice(0, sampleCount);
}
