/** About the length of two years of hourly data. Longer texts are not formatted. */
const maxLength = 8_000_000;
/** The approximate number of characters of a piece, which takes a few milliseconds to format. */
const pieceLength = 65_536;
/** The maximum level of indentation. Without it, a text of nothing but brackets would grow quadratically. */
const maxIndent = 20;

/**
 * Formats a JSON text with indentation, and yields it in pieces that never split a character. All characters except white space stay as
 * received, including the digits of long numbers.
 */
export function* formatJsonPieces(text: string): Generator<string> {
  if (text.length > maxLength)
    for (let start = 0; start < text.length;) {
      const end = start + pieceLength;
      const splitsCharacter = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length;
      const slice = text.slice(start, splitsCharacter ? end - 1 : end);
      yield slice;
      start += slice.length;
    }
  // The formatter of the library jsonc-parser would take minutes for a year of hourly data, since it copies the text for each edit.
  let piece = '';
  let depth = 0;
  let previousToken = '';
  // Matches everything except white space outside quotes, even in a text that is not JSON.
  const tokenPattern = /[{}[\],:"]|[^\s{}[\],:"]+/g;
  for (let match = text.length > maxLength ? null : tokenPattern.exec(text); match; match = tokenPattern.exec(text)) {
    if (match[0] === '"') tokenPattern.lastIndex = findEndOfString(text, match.index);
    const token = text.slice(match.index, tokenPattern.lastIndex);
    if (isClosing(token)) depth--;
    if (startsLine(previousToken, token)) piece += `\n${'  '.repeat(Math.max(0, Math.min(depth, maxIndent)))}`;
    piece += token === ':' ? ': ' : token;
    if (isOpening(token)) depth++;
    previousToken = token;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

/** Returns the index after the closing quote. A regular expression would overflow the stack with millions of escapes. */
function findEndOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index + 1;
  }
  return text.length;
}

function startsLine(previousToken: string, token: string): boolean {
  if (previousToken === '' || previousToken === ':' || token === ':' || token === ',') return false;
  // Empty brackets stay on one line.
  return !(isOpening(previousToken) && isClosing(token));
}

function isOpening(token: string): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}
