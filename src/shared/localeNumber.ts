/** A parsed number; 'ambiguous' if the text could be two numbers. */
type NumberReading = number | 'none' | 'ambiguous';

/**
 * Parses typed numbers: with a decimal point and without grouping, or with the separators of the locale. "1.234" in German is ambiguous:
 * 1,234 for people and 1.234 for programs.
 */
export function numberReader(locale: string): (text: string) => NumberReading {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(-1_234_567.5);
  const part = (type: string): string => parts.find(each => each.type === type)?.value ?? '';
  const [decimal, group] = [part('decimal'), part('group')];
  const middle = parts.filter(({ type }) => type === 'integer').slice(1, -1);
  // Indian numbers group by two above the thousands.
  const byTwo = middle.some(({ value }) => value.length === 2);
  return text => {
    const plain = text
      .trim()
      .replaceAll('−', '-')
      .replaceAll('’', "'")
      .replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, ' ');
    const pointed = withPoint(plain);
    const grouped = withSeparators(plain, decimal, plainGroup(group), byTwo);
    if (pointed === undefined || grouped === undefined || Object.is(pointed, grouped))
      return pointed ?? grouped ?? 'none';
    return 'ambiguous';
  };
}

/** Parses a number with a decimal point, grouped by spaces or not at all. */
function withPoint(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return finite(Number(text));
  return withSeparators(text, '.', ' ', false);
}

function withSeparators(text: string, decimal: string, group: string, byTwo: boolean): number | undefined {
  const [d, g] = [escaped(decimal), escaped(group)];
  const groups = String.raw`[1-9]\d{0,2}(?:${g}\d{3})+${byTwo ? String.raw`|[1-9]\d?(?:${g}\d{2})*${g}\d{3}` : ''}`;
  // Columns format numbers with an exponent without grouping.
  const form = new RegExp(String.raw`^[+-]?(?:(?:\d+|${groups})?(?:${d}\d*)?|\d(?:${d}\d+)?e[+-]?\d+)$`, 'i');
  if (!/\d/.test(text) || !form.test(text)) return undefined;
  return finite(Number(text.replaceAll(group, '').replace(decimal, '.')));
}

/** Replaces all kinds of spaces and apostrophes by the plain one; a locale without grouping gets the space. */
function plainGroup(group: string): string {
  return group === '' || /^\s$/.test(group) ? ' ' : group.replace('’', "'");
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
