const accented = /[^\0-\x7F]\p{M}*|[\0-\x7F]\p{M}+/gu;

/**
 * Makes texts comparable for finding: lower case, one kind of space, minus and apostrophe, and letters without the accents
 * that the locale takes for a variation ("é" is found by "e"; in Swedish "å" stays a letter of its own).
 */
export function textFold(locale: string): (text: string) => string {
  const collator = new Intl.Collator(locale, { sensitivity: 'base', usage: 'search' });
  const known = new Map<string, string>();
  const foldLetter = (letter: string): string => {
    let folded = known.get(letter);
    if (folded === undefined) known.set(letter, (folded = plainLetter(letter, collator)));
    return folded;
  };
  return text => {
    const lower = text.toLocaleLowerCase(locale);
    return isAscii(lower) ? lower : lower.normalize('NFC').replace(accented, foldLetter);
  };
}

function plainLetter(letter: string, collator: Intl.Collator): string {
  const base = letter.normalize('NFD').replace(/\p{M}+/gu, '');
  const plain = base !== '' && collator.compare(letter, base) === 0 ? base : letter;
  // JavaScript's lower case of Σ depends on the letters around it.
  return plain
    .replace(/(?![\0-\x7F])\s/, ' ')
    .replace('−', '-')
    .replace('’', "'")
    .replace('ς', 'σ');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
