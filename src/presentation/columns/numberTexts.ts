import { numberText } from '../../core/export/cellWriter.ts';
import { hidesDigits, numberFormatter, numberShape, type NumberStyle } from '../../shared/formatNumber.ts';
import { cellState, stateAt, type NumberColumn } from '../../shared/frame.ts';
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
  readonly format: (value: number) => string;
  /** Whether the text has fewer digits than the number. */
  readonly hides: (value: number) => boolean;
  /** The longest texts. */
  readonly samples: readonly string[];
}

const readSamples = 2000;
const sampleCount = 4;

/** Decides how a column is written from its unit and its values. */
export function numberTexts(
  column: NumberColumn,
  rowCount: number,
  locale: string,
  style: NumberStyle,
  formatter: NumberFormatter = numberFormatter,
): NumberTexts {
  if (style === 'full') return { format: numberText, hides: () => false, samples: longest(column, rowCount) };
  const { decimals: received, range } = numberShape(column, rowCount);
  const { kind } = unitOf(column.field);
  const decimals = style === 'whole' && (kind === 'power' || kind === 'energy') ? 0 : received;
  const format = style === 'plain' ? plainFormatter(decimals, formatter) : formatter(locale, decimals);
  return { format, hides: value => hidesDigits(value, decimals), samples: range ? range.map(format) : [] };
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
