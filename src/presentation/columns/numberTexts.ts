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

/** Caches formatters: the columns of a table share a few, and creating each takes time. */
export function cachedFormatter(): NumberFormatter {
  const made = new Map<string, (value: number) => string>();
  return (locale, decimals) => {
    const name = `${locale} ${decimals}`;
    const write = made.get(name) ?? createNumberFormatter(locale, decimals);
    made.set(name, write);
    return write;
  };
}

/** Formats whole numbers with the locale's separators and Latin digits. */
export function countFormatter(locale: string): (count: number) => string {
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  return count => format.format(count);
}

/** Formats the numbers of one column. */
interface NumberTexts {
  readonly format: (value: number, row?: number) => string;
  /** Whether the text has fewer digits than the number. */
  readonly hides: (value: number, row?: number) => boolean;
  /** The longest texts, which decide the column's width. */
  readonly samples: readonly string[];
}

const readSamples = 2000;
const sampleCount = 4;

/**
 * Chooses the format of a column from its unit and its values. `alike`: the columns that are compared side by side, including this one;
 * they are rounded to the same number of decimals.
 */
export function numberTexts(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle,
  formatter: NumberFormatter = createNumberFormatter,
  alike: readonly NumberColumn[] = [column],
): NumberTexts {
  if (style === 'received') return { format: formatNumber, hides: () => false, samples: longest(column, rowCount) };
  const { decimals, range = [] } = getNumberShape(column, rowCount);
  if (style === 'rounded') {
    const decimalsOf = shownDecimals(column, rowCount, alike);
    const writers: ((value: number) => string)[] = [];
    const format = (value: number, row?: number) => {
      const shown = decimalsOf(row);
      return formatRounded(value, shown, (writers[shown] ??= formatter(locale, shown)));
    };
    const rows = column.units ? Array.from({ length: rowCount }, (_, row) => row) : [];
    const samples = rows.map(row => format(column.values[row] ?? NaN, row));
    return {
      format,
      hides: (value, row) => isRounded(value, decimalsOf(row)),
      samples: [...range.map(value => format(value)), ...samples],
    };
  }
  const format = style === 'plain' ? plainFormatter(decimals, formatter) : formatter(locale, decimals);
  return { format, hides: value => hidesDigits(value, decimals), samples: range.map(format) };
}

/** Returns the decimals of each row: the same in all rows, unless each row has its own unit. */
function shownDecimals(
  { units }: NumberColumn,
  rowCount: number,
  alike: readonly NumberColumn[],
): (row?: number) => number {
  const decimals = sharedDecimals(alike, rowCount);
  if (!units) return () => decimals;
  const ofRows = Array.from(units.codes, (code, row) => {
    const known = alike.filter(one => getCellState(one, row) === cellState.value);
    const values = Float64Array.from(known, one => one.values[row] ?? NaN);
    const unit = units.entries[code];
    const field = { label: '', meaning: '', ...(unit && { unit }) };
    return sharedDecimals([{ kind: 'number', name: '', path: [], field, values }], values.length);
  });
  return row => ofRows[row ?? -1] ?? decimals;
}

/** The decimals to which columns of one unit are rounded. */
function sharedDecimals(columns: readonly NumberColumn[], rowCount: number): number {
  const shapes = columns.map(column => getNumberShape(column, rowCount));
  const received = Math.max(...shapes.map(({ decimals }) => decimals));
  const largest = Math.max(...shapes.flatMap(({ range = [0] }) => range.map(Math.abs)));
  return computeDisplayDecimals(unitOf(columns[0]?.field).kind, largest, received);
}

/**
 * Groups the columns that are compared side by side: a column with its compared periods and differences; in computed rows, all columns of a
 * unit.
 */
export function readBeside(
  { columns }: Frame,
  areComputed: boolean,
): (column: NumberColumn) => readonly NumberColumn[] {
  const groupOf = ({ name, field, units }: NumberColumn): string => {
    const { kind, text } = unitOf(field);
    const of = areComputed && (units ?? text) ? '' : (field?.compares?.of ?? name);
    return JSON.stringify([of, kind, Boolean(units)]);
  };
  const groups = Map.groupBy(
    columns.filter(column => column.kind === 'number'),
    groupOf,
  );
  return column => groups.get(groupOf(column)) ?? [column];
}

function plainFormatter(decimals: number, formatter: NumberFormatter): (value: number) => string {
  const format = formatter('en', decimals);
  return value => format(value).replaceAll(',', '');
}

/** Finds the longest texts in an even sample of rows, since the largest number need not have the longest text. */
function longest(column: NumberColumn, rowCount: number): readonly string[] {
  const texts: string[] = [];
  const stride = Math.max(1, Math.floor(rowCount / readSamples));
  for (let row = 0; row < rowCount; row += stride) {
    if (getCellState(column, row) !== cellState.value) continue;
    texts.push(formatNumber(column.values[row] ?? NaN));
  }
  return texts.sort((a, b) => b.length - a.length).slice(0, sampleCount);
}
