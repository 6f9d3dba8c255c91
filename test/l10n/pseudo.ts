import { messageOf, type Texts } from './translations.ts';

/** Stands before and after every text that went through the translation. */
const pseudoMarks = { start: '⟦', end: '⟧' } as const;

const accents: ReadonlyMap<string, string> = new Map(
  Array.from('aeioucnyszAEIOUCNYSZ', (plain, at) => [plain, Array.from('áéíóúçñýšžÁÉÍÓÚÇÑÝŠŽ')[at] ?? plain]),
);
/** What a translation keeps: places for values, links' targets, code, icons. */
const kept = /(\{\w*\}|\]\([^)]*\)|`[^`]*`|\$\([\w-]+\))/;
const longer = 0.4;

/** A text of a language that nobody speaks: marked, with accents, and 40 % longer, as a translation may be. */
export function pseudoText(text: string): string {
  const accented = text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, letter => accents.get(letter) ?? letter)))
    .join('');
  const words = text.replace(new RegExp(kept, 'g'), '').trim();
  const more = '~'.repeat(Math.ceil(words.length * longer));
  return `${pseudoMarks.start}${accented}${more}${pseudoMarks.end}`;
}

/** The bundle of that language. */
export function pseudoBundle(english: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudoText(messageOf(text))]));
}
