import { numberText } from '../../core/export/cellWriter.ts';
import {
  hidesDigits,
  isRounded,
  numberFormatter,
  numberShape,
  roundedDecimals,
  roundedText,
  type NumberStyle,
} from '../../shared/formatNumber.ts';
import { cellState, stateAt, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { unitOf } from '../../shared/units.ts';

/** Makes the format for a locale and a number of decimals. */
export type NumberFormatter = typeof numberFormatter;

/** Caches the formats: the columns of a table share a few, and each takes time to make. */
export function cachedFormatter(): NumberFormatter {
  const made = new Map<string, (value: number) => string>();
  return (locale, decimals) => {
    const name = `${locale} ${decimals}`;
    const write = made.get(name) ?? numberFormatter(locale, decimals);
    made.set(name, write);
    return write;
  };
}

/** Writes whole numbers with the locale's separators and Latin digits. */
export function countFormatter(locale: string): (count: number) => string {
  const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  return count => format.format(count);
}

/** How one column of numbers is written. */
interface NumberTexts {
  readonly format: (value: number, row?: number) => string;
  /** Whether the text has fewer digits than the number. */
  readonly hides: (value: number, row?: number) => boolean;
  /** The longest texts. */
  readonly samples: readonly string[];
}

const readSamples = 2000;
const sampleCount = 4;

/**
 * Decides how a column is written from its unit and its values. `alike`: the columns that are read side by side, this one among them, which
 * are rounded to the same number of digits.
 */
export function numberTexts(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle,
  formatter: NumberFormatter = numberFormatter,
  alike: readonly NumberColumn[] = [column],
): NumberTexts {
  if (style === 'received') return { format: numberText, hides: () => false, samples: longest(column, rowCount) };
  const { decimals, range = [] } = numberShape(column, rowCount);
  if (style === 'rounded') {
    const decimalsOf = shownDecimals(column, rowCount, alike);
    const writers: ((value: number) => string)[] = [];
    const format = (value: number, row?: number) => {
      const shown = decimalsOf(row);
      return roundedText(value, shown, (writers[shown] ??= formatter(locale, shown)));
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

/** The digits after the point in a row: the same in all, but where rows have units of their own and are read along. */
function shownDecimals(
  { units }: NumberColumn,
  rowCount: number,
  alike: readonly NumberColumn[],
): (row?: number) => number {
  const decimals = sharedDecimals(alike, rowCount);
  if (!units) return () => decimals;
  const ofRows = Array.from(units.codes, (code, row) => {
    const known = alike.filter(one => stateAt(one, row) === cellState.value);
    const values = Float64Array.from(known, one => one.values[row] ?? NaN);
    const unit = units.entries[code];
    const field = { label: '', meaning: '', ...(unit && { unit }) };
    return sharedDecimals([{ kind: 'number', name: '', path: [], field, values }], values.length);
  });
  return row => ofRows[row ?? -1] ?? decimals;
}

/** The rounded digits after the point of columns of one unit. */
function sharedDecimals(columns: readonly NumberColumn[], rowCount: number): number {
  const shapes = columns.map(column => numberShape(column, rowCount));
  const received = Math.max(...shapes.map(({ decimals }) => decimals));
  const largest = Math.max(...shapes.flatMap(({ range = [0] }) => range.map(Math.abs)));
  return roundedDecimals(unitOf(columns[0]?.field).kind, largest, received);
}

/**
 * The columns that a person reads side by side: one with those of each compared period and the difference; of computed rows all of a unit.
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

/** The longest texts of an even sample: the longest need not be of the largest number. */
function longest(column: NumberColumn, rowCount: number): readonly string[] {
  const texts: string[] = [];
  const stride = Math.max(1, Math.floor(rowCount / readSamples));
  for (let row = 0; row < rowCount; row += stride) {
    if (stateAt(column, row) !== cellState.value) continue;
    texts.push(numberText(column.values[row] ?? NaN));
  }
  return texts.sort((a, b) => b.length - a.length).slice(0, sampleCount);
}
