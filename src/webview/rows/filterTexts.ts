import { type NestedColumn, type TextColumn } from '../../shared/frame.ts';
import type { TermReader } from './filterTypes.ts';
import { textFold } from './textFold.ts';

/** Contained or not, equal or not. Each entry of the dictionary is compared once, when the first row asks. */
export function textTerms(column: TextColumn | NestedColumn, locale: string): TermReader {
  const { codes, entries } = column.texts;
  const fold = textFold(locale);
  return (operator, value, quoted) => {
    const needle = fold(value);
    // The empty text is contained in every text: alone in its quotes it means itself.
    const whole = operator.endsWith('=') || (quoted && value === '');
    const matches = whole
      ? (entry: string) => entry.normalize() === value.normalize()
      : (entry: string) => fold(entry).includes(needle);
    const negated = operator.startsWith('!');
    let found: Uint8Array | undefined;
    const test = (row: number): boolean => {
      found ??= Uint8Array.from(entries, entry => (matches(entry) === negated ? 0 : 1));
      return found[codes[row] ?? 0] === 1;
    };
    return { ok: true, negated, test };
  };
}
