import { textFold } from '../filter/textFold.ts';
import { sqlText } from './quote.ts';

/** Letters that may be folded one by one. Those of other scripts are joined to marks that DuckDB takes away and a filter does not. */
const plainLetters = /^(?:(?!\p{M})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}])*$/u;

/**
 * Whether a text contains another as a filter finds it, as a condition of DuckDB; undefined for a text in a script that DuckDB compares
 * in another way. `of`: the column, quoted.
 */
export function containsSql(of: string, text: string, locale: string): string | undefined {
  const fold = textFold(locale);
  const wanted = fold(text);
  if (!plainLetters.test(wanted)) return undefined;
  // What DuckDB would fold to another letter stands for itself as a character of the private use area.
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

/** What `strip_accents(lower(letter))` of DuckDB is. */
function duckdbFold(letter: string): string {
  return letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** Letters that a filter may fold in another way than DuckDB: with accents, of which a language has its own, Turkish I, spaces and signs. */
const foldedLetters = Array.from({ length: 0x3001 }, (_, code) => String.fromCodePoint(code))
  .concat('\uFEFF')
  .filter(letter => /[\sIς−’]/.test(letter) || /^[^\p{M}]\p{M}/u.test(letter.normalize('NFD')))
  .filter(letter => letter === letter.normalize() && letter > ' ');
