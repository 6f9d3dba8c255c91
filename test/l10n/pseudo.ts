import { getMessage, type Texts } from './translations.ts';

/** Delimiters of every translated text. */
const pseudoMarks = { start: '⟦', end: '⟧' } as const;

const accents: ReadonlyMap<string, string> = new Map(
  Array.from('aeioucnyszAEIOUCNYSZ', (letter, index) => [letter, Array.from('áéíóúçñýšžÁÉÍÓÚÇÑÝŠŽ')[index] ?? letter]),
);
/** The parts that translations leave unchanged: placeholders, link targets, code and icons. */
const untranslated = /(\{\w*\}|\]\([^)]*\)|`[^`]*`|\$\([\w-]+\))/;
const addedShare = 0.4;

/** Converts a text to the pseudo language: delimited, with accents, and 40 % longer, like long translations. */
export function toPseudoText(text: string): string {
  const accented = text
    .split(untranslated)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, letter => accents.get(letter) ?? letter)))
    .join('');
  const words = text.replace(new RegExp(untranslated, 'g'), '').trim();
  const padding = '~'.repeat(Math.ceil(words.length * addedShare));
  return `${pseudoMarks.start}${accented}${padding}${pseudoMarks.end}`;
}

/** Creates the bundle of the pseudo language. */
export function createPseudoBundle(english: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, toPseudoText(getMessage(text))]));
}
