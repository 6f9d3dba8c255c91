/** A part of a text, from `start` up to but without `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Shorter texts match by chance, and no key is shorter. */
export const shortestForm = 8;
/** So many characters of a text are looked up at a time. */
const gramLength = 3;
/** Blanks beyond ASCII. */
const widths = Array.from({ length: 11 }, (_, width) => String.fromCharCode(0x2000 + width));
/** What may be between the items of a list. A bracket ends the list, and a colon an item in quotes, where an object begins or continues. */
const gapMarks = Array.from(` \t\r\n!#$%&'()*+,-./:;<>?@\\^_\`|~\xa0\u1680${widths.join('')}\u202f\u205f\u3000`);
/** Also the prefixes of numbers (`0x70`, `U+0070`, `\u0070`), and the zero bytes of UTF-16. */
const numberMarks = [...gapMarks, ...Array.from('=0oOuUxX')];
const isInNumbers = tableOf([...numberMarks, ...Array.from('"123456789abcdefABCDEF')]);

/** Finds the key, written in one way, in a text without escapes. */
type KeyMatcher = (text: string) => TextSpan[];

/**
 * One for each way to write the key, each in linear time: its characters, or their hexadecimal, decimal or octal codes, together or as
 * a list, and the base64 of its usual encodings.
 */
export function keyMatchers(key: string): KeyMatcher[] {
  // A short key of letters or digits alone is not looked for in parts, which would match words and dates.
  const isDistinctive = key.length >= 2 * shortestForm || /[a-z].*\d|\d.*[a-z]/i.test(key);
  const marks = isDistinctive ? gapMarks.filter(mark => !key.includes(mark)) : [];
  const characters = new RegExp(listOf(Array.from(key, quotedPrintable), marks), 'gi');
  if (key.length < shortestForm) return [text => spansOf(text, characters)];
  const numbers = [16, 10, 8].map(base =>
    listOf(
      Array.from(key, character => character.charCodeAt(0).toString(base)),
      numberMarks,
    ),
  );
  const anyNumbers = new RegExp(numbers.join('|'), 'gi');
  let findForms: KeyMatcher | undefined;
  return [
    text => spansOf(text, characters),
    text => (hasNumbers(text, key.length) ? spansOf(text, anyNumbers) : []),
    // Base64 is longer than what it encodes.
    text => (text.length > key.length ? (findForms ??= formFinder(base64Forms(key)))(text) : []),
  ];
}

function spansOf(text: string, pattern: RegExp): TextSpan[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => ({ start: index, end: index + length }));
}

/** A character as it is, or in the quoted-printable of mail. */
function quotedPrintable(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return `(?:=${code}|${literal(character)})`;
}

function literal(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The parts with marks between them, or each in quotes. No part begins with a mark, so that a text matches in one way only. */
function listOf(parts: readonly string[], marks: readonly string[]): string {
  const [any, noColon] = [marks, marks.filter(mark => mark !== ':')].map(some => `[${some.map(literal).join('')}]*`);
  return parts.join(`${any}(?:"${noColon}"${any})?`);
}

function tableOf(characters: readonly string[]): Uint8Array {
  const table = new Uint8Array(1 << 16);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Whether as many successive characters as the key has may be a list of numbers. Looks at few characters of most texts. */
function hasNumbers(text: string, length: number): boolean {
  for (let end = length - 1; end < text.length;) {
    let at = end;
    while (at > end - length && isInNumbers[text.charCodeAt(at)] === 1) at--;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

/** The base64 and base64url of the key in UTF-8 and UTF-16, of its JSON, and of its own base64. */
function base64Forms(key: string): string[] {
  const json = Array.from(key, character => literal(character));
  const little = Buffer.from(key, 'utf16le');
  const texts = [JSON.stringify(key).slice(1, -1), json.join(''), json.join('').toUpperCase().replaceAll('U', 'u')];
  texts.push(texts[0]?.replaceAll('/', '\\/') ?? '');
  const once = base64Of(Buffer.from(key));
  const others = [little, Buffer.from(little).swap16(), ...[...once, ...texts].map(text => Buffer.from(text))];
  return [...new Set([...once, ...others.flatMap(base64Of)])];
}

/**
 * The base64 depends on how many bytes precede these; characters that also encode neighbouring bytes are left out.
 */
function base64Of(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap(before => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    const [first, end] = [Math.ceil((before * 8) / 6), Math.floor((encoded.length * 8) / 6)];
    return [encoded.toString('base64').slice(first, end), encoded.toString('base64url').slice(first, end)];
  });
}

/** Looks at places of a text that are closer together than the shortest form. */
function formFinder(forms: readonly string[]): KeyMatcher {
  const stride = Math.min(...forms.map(({ length }) => length)) - gramLength + 1;
  const places = new Map<string, { form: string; offset: number }[]>();
  const isPlace = new Uint8Array(1 << 16);
  for (const form of forms)
    for (let offset = 0; offset < stride; offset++) {
      const gram = form.slice(offset, offset + gramLength);
      places.set(gram, [...(places.get(gram) ?? []), { form, offset }]);
      isPlace[hashAt(form, offset)] = 1;
    }
  return text => {
    const spans: TextSpan[] = [];
    for (let at = 0; at + gramLength <= text.length; at += stride) {
      if (isPlace[hashAt(text, at)] === 0) continue;
      for (const { form, offset } of places.get(text.slice(at, at + gramLength)) ?? [])
        if (text.startsWith(form, at - offset)) spans.push({ start: at - offset, end: at - offset + form.length });
    }
    return spans;
  };
}

function hashAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}
