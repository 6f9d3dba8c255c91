const accented = /[^\0-\x7F]\p{M}*|[\0-\x7F]\p{M}+/gu;

/**
 * Creates a function that normalizes texts for searching: lower case, one kind of space, minus and apostrophe, and no accents that the locale
 * treats as variations of a letter ("e" finds "é", but in Swedish "å" remains a different letter than "a").
 */
export function createTextFolder(locale: string): (text: string) => string {
  const collator = new Intl.Collator(locale, { sensitivity: 'base', usage: 'search' });
  const foldedLetters = new Map<string, string>();
  const foldLetter = (letter: string): string => {
    let folded = foldedLetters.get(letter);
    if (folded === undefined) foldedLetters.set(letter, (folded = removeAccents(letter, collator)));
    return folded;
  };
  return text => {
    const lower = text.toLocaleLowerCase(locale);
    return isAscii(lower) ? lower : lower.normalize('NFC').replace(accented, foldLetter);
  };
}

function removeAccents(letter: string, collator: Intl.Collator): string {
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
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
