/** The decimal mark of a column; the other mark, a space or an apostrophe separates thousands. */
export type DecimalMark = 'point' | 'comma';

const groupPattern = (separators: string): string =>
  String.raw`[1-9]\d{0,2}(?:([${separators} '’\u00a0\u202f])\d{3})(?:\1\d{3})*`;
const patterns: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(String.raw`^[-+]?(?:(?:0|[1-9]\d*|${groupPattern(',')})(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$`, 'i'),
  comma: new RegExp(String.raw`^[-+]?(?:(?:0|[1-9]\d*|${groupPattern('.')})(?:,\d*)?|,\d+)(?:e[-+]?\d{1,3})?$`, 'i'),
};
/** The usual form of a decimal number, which Number() parses. */
const plainDecimal = /^-?(?:0|[1-9]\d*)\.\d+$/;
const infinity = /^[-+]?inf(?:inity)?$/i;
const maxLength = 100;

/**
 * Parses a number, or the number before a percent sign. Undefined for any other text, for leading zeros, since codes have them, and for whole
 * numbers that a double would change, such as ids.
 */
export function parseNumber(cell: string, mark: DecimalMark): number | undefined {
  if (mark === 'point' && cell.length <= 16 && plainDecimal.test(cell)) return Number(cell);
  // Typeset numbers have U+2212 as their minus sign.
  const text = removePercent(cell.trim()).replace('−', '-');
  if (infinity.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (text.length > maxLength || !patterns[mark].test(text)) return undefined;
  const digits = text
    .replaceAll(mark === 'point' ? /[ \u00a0\u202f'’,+]/g : /[ \u00a0\u202f'’.+]/g, '')
    .replace(',', '.');
  const value = Number(digits);
  const isWhole = !/[.e]/i.test(digits);
  if (!Number.isFinite(value) || (isWhole && digits.length > 15 && String(value) !== digits)) return undefined;
  return value;
}

export function isPercent(cell: string): boolean {
  return cell.trimEnd().endsWith('%');
}

function removePercent(text: string): string {
  return text.endsWith('%') ? text.slice(0, -1).trimEnd() : text;
}

const plainInteger = /^[-+]?(?:0|[1-9]\d{0,14})$/;
const threeDecimals = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** Tests with which decimal marks a cell is a number. `differs`: whether it is a different number with each, such as 1,234. */
export function testDecimalMarks(cell: string): {
  readonly point: boolean;
  readonly comma: boolean;
  readonly differs: boolean;
} {
  if (plainInteger.test(cell)) return { point: true, comma: true, differs: false };
  if (cell.length <= maxLength && plainDecimal.test(cell)) {
    const comma = threeDecimals.test(cell);
    return { point: true, comma, differs: comma };
  }
  const point = parseNumber(cell, 'point');
  const comma = parseNumber(cell, 'comma');
  const isBoth = point !== undefined && comma !== undefined;
  return { point: point !== undefined, comma: comma !== undefined, differs: isBoth && !Object.is(point, comma) };
}

/** Whether a number has a thousands separator other than its decimal mark. */
export function hasThousandsSeparators(cell: string, mark: DecimalMark): boolean {
  return cell.includes(mark === 'point' ? ',' : '.');
}
