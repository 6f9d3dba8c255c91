/** Invisible characters, except whitespace. They are removed from displayed text. */
const invisible = /(?![\t-\r])[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** Tokens that may disguise characters of a key, or separate them: escapes of JSON and of URLs, and invisible characters. */
const disguiseTokens =
  /(?:\\u[\da-f]{4})+|(?:%[\da-f]{2})+|\\["\\/b]|(?:(?![\t-\r])[\p{C}\p{Default_Ignorable_Code_Point}])+/giu;

/** The minimum length of base64 to redact, since shorter text occurs by chance. */
const minBase64Length = 8;

/**
 * Replaces every occurrence of the key by `[key]`: literal, fully or partly escaped for JSON or a URL, in base64 or base64url, and each of these
 * with invisible characters between the others. JSON stays valid, unless it has the key as a number.
 */
export function redactKey(text: string, key: string): string {
  const { plain, toPosition } = normalize(text);
  let redacted = '';
  let offset = 0;
  for (const { start, end } of findOccurrences(plain, [key, normalize(key).plain].flatMap(listForms))) {
    redacted += `${text.slice(offset, toPosition(start))}[key]`;
    offset = toPosition(end);
  }
  return redacted + text.slice(offset);
}

/** Removes escapes and invisible characters. `toPosition` maps an index of the plain text to its position in the text. */
function normalize(text: string): { readonly plain: string; readonly toPosition: (index: number) => number } {
  const parts: string[] = [];
  /** From `indices[i]` of the plain text on, characters are at `positions[i]` of the text and after it. */
  const indices = [0];
  const positions = [0];
  let index = 0;
  let position = 0;
  const addMark = (): void => void (indices.push(index), positions.push(position));
  for (const token of text.matchAll(disguiseTokens)) {
    parts.push(text.slice(position, token.index));
    index += token.index - position;
    position = token.index;
    const { characters, getLength } = decodeToken(token[0]);
    for (const character of characters) {
      addMark();
      if (character.search(invisible) < 0) index += character.length;
      position += getLength(character);
    }
    addMark();
    parts.push(characters.replace(invisible, ''));
  }
  const toPosition = (limit: number): number => {
    const last = findLastIndex(indices, limit);
    return (positions[last] ?? 0) + limit - (indices[last] ?? 0);
  };
  return { plain: parts.join('') + text.slice(position), toPosition };
}

/** Decodes a token. `getLength` returns the length of a decoded character within the token. */
function decodeToken(token: string): {
  readonly characters: string;
  readonly getLength: (character: string) => number;
} {
  if (/^\\u/i.test(token)) return { characters: unescapeJson(token), getLength: ({ length }) => 6 * length };
  if (token.startsWith('\\')) return { characters: unescapeJson(token), getLength: () => 2 };
  if (!token.startsWith('%')) return { characters: token, getLength: ({ length }) => length };
  const bytes = Buffer.from(token.replaceAll('%', ''), 'hex');
  const characters = bytes.toString();
  // Bytes that are not UTF-8 are decoded as Latin-1.
  if (!Buffer.from(characters).equals(bytes)) return { characters: bytes.toString('latin1'), getLength: () => 3 };
  return { characters, getLength: character => 3 * Buffer.byteLength(character) };
}

function unescapeJson(token: string): string {
  return JSON.parse(`"${token.replaceAll('U', 'u')}"`) as string;
}

/** Returns the last index of an ascending list whose number is at most `limit`. */
function findLastIndex(ascending: readonly number[], limit: number): number {
  let from = 0;
  let to = ascending.length - 1;
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if ((ascending[middle] ?? Infinity) <= limit) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** Returns the forms of the key: itself, and the parts of its base64 that do not depend on the text around it. */
function listForms(key: string): string[] {
  const encoded = [0, 1, 2].flatMap(prefixLength => {
    const bytes = Buffer.concat([Buffer.alloc(prefixLength), Buffer.from(key)]);
    const first = Math.ceil((prefixLength * 8) / 6);
    const end = Math.floor((bytes.length * 8) / 6);
    return [bytes.toString('base64').slice(first, end), bytes.toString('base64url').slice(first, end)];
  });
  return [key, ...encoded.filter(({ length }) => length >= minBase64Length)].filter(form => form !== '');
}

/** Finds the occurrences of the forms, ascending. Overlapping occurrences are merged. */
function findOccurrences(plain: string, forms: readonly string[]): { readonly start: number; readonly end: number }[] {
  const spans = forms.flatMap(form => {
    const matches: { start: number; end: number }[] = [];
    for (let start = plain.indexOf(form); start >= 0; start = plain.indexOf(form, start + form.length))
      matches.push({ start, end: start + form.length });
    return matches;
  });
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
