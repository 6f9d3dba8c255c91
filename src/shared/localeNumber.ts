/** A parsed number; 'ambiguous' if the text could be two numbers. */
type ParsedNumber = number | 'none' | 'ambiguous';

/**
 * Parses typed numbers: with a decimal point and without grouping, or with the separators of the locale. "1.234" in German is ambiguous:
 * 1,234 for people and 1.234 for programs.
 */
export function createNumberParser(locale: string): (text: string) => ParsedNumber {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(-1_234_567.5);
  const findPart = (type: string): string => parts.find(candidate => candidate.type === type)?.value ?? '';
  const decimal = findPart('decimal');
  const group = findPart('group');
  const innerGroups = parts.filter(({ type }) => type === 'integer').slice(1, -1);
  // Indian numbers group by two above the thousands.
  const isGroupedByTwo = innerGroups.some(({ value }) => value.length === 2);
  return text => {
    const normalized = text
      .trim()
      .replaceAll('−', '-')
      .replaceAll('’', "'")
      .replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, ' ');
    const withDecimalPoint = parseWithPoint(normalized);
    const inLocale = parseWithSeparators(normalized, decimal, normalizeGroup(group), isGroupedByTwo);
    if (withDecimalPoint === undefined || inLocale === undefined || Object.is(withDecimalPoint, inLocale))
      return withDecimalPoint ?? inLocale ?? 'none';
    return 'ambiguous';
  };
}

/** Parses a number with a decimal point, grouped by spaces or not at all. */
function parseWithPoint(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return toFinite(Number(text));
  return parseWithSeparators(text, '.', ' ', false);
}

function parseWithSeparators(
  text: string,
  decimal: string,
  group: string,
  isGroupedByTwo: boolean,
): number | undefined {
  const decimalPattern = escapeRegExp(decimal);
  const groupPattern = escapeRegExp(group);
  const groups = String.raw`[1-9]\d{0,2}(?:${groupPattern}\d{3})+${isGroupedByTwo ? String.raw`|[1-9]\d?(?:${groupPattern}\d{2})*${groupPattern}\d{3}` : ''}`;
  // Columns format numbers with an exponent without grouping.
  const pattern = new RegExp(
    String.raw`^[+-]?(?:(?:\d+|${groups})?(?:${decimalPattern}\d*)?|\d(?:${decimalPattern}\d+)?e[+-]?\d+)$`,
    'i',
  );
  if (!/\d/.test(text) || !pattern.test(text)) return undefined;
  return toFinite(Number(text.replaceAll(group, '').replace(decimal, '.')));
}

/** Replaces all kinds of spaces and apostrophes by the plain one; a locale without grouping gets the space. */
function normalizeGroup(group: string): string {
  return group === '' || /^\s$/.test(group) ? ' ' : group.replace('’', "'");
}

function toFinite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
