import { createTextFolder } from '../filter/textFold.ts';
import { quoteForSql } from './quote.ts';

/**
 * Matches texts whose letters can be folded one by one. Letters of other scripts combine with marks that DuckDB removes and a filter
 * does not.
 */
const singleFoldLetters = /^(?:(?!\p{M})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}])*$/u;

/**
 * Returns a DuckDB condition for whether a text contains another according to a filter; undefined for a script that DuckDB compares
 * differently. `expression`: the quoted column.
 */
export function formatContains(expression: string, text: string, locale: string): string | undefined {
  const fold = createTextFolder(locale);
  const foldedText = fold(text);
  if (!singleFoldLetters.test(foldedText)) return undefined;
  // Characters that DuckDB would fold to another letter are replaced by ones of the private use area.
  const substitutes = new Map<string, string>();
  const substitute = (letter: string): string => {
    if (foldLikeDuckdb(letter) === letter) return letter;
    const replacement = substitutes.get(letter) ?? String.fromCodePoint(0xf0000 + substitutes.size);
    substitutes.set(letter, replacement);
    return replacement;
  };
  let replacedLetters = '';
  let replacements = '';
  for (const letter of differingLetters) {
    const folded = fold(letter);
    if (
      folded === foldLikeDuckdb(letter) ||
      ![folded, foldLikeDuckdb(letter)].some(foldedLetter => foldedText.includes(foldedLetter))
    )
      continue;
    replacedLetters += letter;
    replacements += substitute(folded);
  }
  const texts =
    replacedLetters === ''
      ? expression
      : `translate(nfc_normalize(${expression}), ${quoteForSql(replacedLetters)}, ${quoteForSql(replacements)})`;
  return `contains(strip_accents(lower(${texts})), ${quoteForSql(Array.from(foldedText, substitute).join(''))})`;
}

/** Returns the result of DuckDB's `strip_accents(lower(letter))`. */
function foldLikeDuckdb(letter: string): string {
  return letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** Letters that a filter may fold differently than DuckDB: with accents (which depend on the language), Turkish I, spaces and signs. */
const differingLetters = Array.from({ length: 0x3001 }, (_, code) => String.fromCodePoint(code))
  .concat('\uFEFF')
  .filter(letter => /[\sIς−’]/.test(letter) || /^[^\p{M}]\p{M}/u.test(letter.normalize('NFD')))
  .filter(letter => letter === letter.normalize() && letter > ' ');
