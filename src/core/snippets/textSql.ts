import { textFold } from '../filter/textFold.ts';
import { sqlText } from './quote.ts';

/**
 * Matches texts whose letters can be folded one by one. Letters of other scripts combine with marks that DuckDB removes and a filter
 * does not.
 */
const plainLetters = /^(?:(?!\p{M})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}])*$/u;

/**
 * Returns a DuckDB condition for whether a text contains another according to a filter; undefined for a script that DuckDB compares
 * differently. `of`: the quoted column.
 */
export function containsSql(of: string, text: string, locale: string): string | undefined {
  const fold = textFold(locale);
  const wanted = fold(text);
  if (!plainLetters.test(wanted)) return undefined;
  // Characters that DuckDB would fold to another letter are replaced by ones of the private use area.
  const stands = new Map<string, string>();
  const standFor = (letter: string): string => {
    if (duckdbFold(letter) === letter) return letter;
    const stand = stands.get(letter) ?? String.fromCodePoint(0xf0000 + stands.size);
    stands.set(letter, stand);
    return stand;
  };
  let [from, to] = ['', ''];
  for (const letter of foldedLetters) {
    const folded = fold(letter);
    if (folded === duckdbFold(letter) || ![folded, duckdbFold(letter)].some(one => wanted.includes(one))) continue;
    from += letter;
    to += standFor(folded);
  }
  const texts = from === '' ? of : `translate(nfc_normalize(${of}), ${sqlText(from)}, ${sqlText(to)})`;
  return `contains(strip_accents(lower(${texts})), ${sqlText(Array.from(wanted, standFor).join(''))})`;
}

/** Returns the result of DuckDB's `strip_accents(lower(letter))`. */
function duckdbFold(letter: string): string {
  return letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** Letters that a filter may fold differently than DuckDB: with accents (which depend on the language), Turkish I, spaces and signs. */
const foldedLetters = Array.from({ length: 0x3001 }, (_, code) => String.fromCodePoint(code))
  .concat('\uFEFF')
  .filter(letter => /[\sIς−’]/.test(letter) || /^[^\p{M}]\p{M}/u.test(letter.normalize('NFD')))
  .filter(letter => letter === letter.normalize() && letter > ' ');
