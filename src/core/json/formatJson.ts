/** Two years of hours. Larger texts are shown as received. */
const maxLength = 8_000_000;
/** Characters of a piece, about: formatted in a few milliseconds. */
const pieceLength = 65_536;
/** Deeper lines are not indented further: a text of nothing but brackets would grow without bound. */
const deepestIndent = 20;

/**
 * JSON text with indentation; every other character stays as received, including the digits of long numbers. In pieces, none of which
 * ends within a character.
 */
export function* jsonPieces(text: string): Generator<string> {
  if (text.length > maxLength)
    for (let start = 0; start < text.length;) {
      const end = start + pieceLength;
      const isWithin = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length;
      const slice = text.slice(start, isWithin ? end - 1 : end);
      yield slice;
      start += slice.length;
    }
  // The library's own formatter takes seconds for a month of hours, minutes for a year: it copies the text for each edit.
  let [piece, depth, before] = ['', 0, ''];
  // Everything but white space outside quotes, also of a text that is no JSON.
  const anyToken = /[{}[\],:"]|[^\s{}[\],:"]+/g;
  for (let found = text.length > maxLength ? null : anyToken.exec(text); found; found = anyToken.exec(text)) {
    if (found[0] === '"') anyToken.lastIndex = endOfQuotes(text, found.index);
    const token = text.slice(found.index, anyToken.lastIndex);
    if (isClosing(token)) depth--;
    if (startsLine(before, token)) piece += `\n${'  '.repeat(Math.max(0, Math.min(depth, deepestIndent)))}`;
    piece += token === ':' ? ': ' : token;
    if (isOpening(token)) depth++;
    before = token;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

/** The index behind the closing quote. A loop, since a pattern has no room for millions of escapes. */
function endOfQuotes(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function startsLine(before: string, token: string): boolean {
  if (before === '' || before === ':' || token === ':' || token === ',') return false;
  // Empty brackets stay on one line.
  return !(isOpening(before) && isClosing(token));
}

function isOpening(token: string): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}
