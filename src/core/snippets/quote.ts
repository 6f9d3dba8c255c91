import { formatInstant } from '../time/instant.ts';

/** Replaces lone surrogates by U+FFFD, as in a URL, and removes NUL, which not all languages allow in strings. */
export function removeInvalidCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Matches characters that are invisible or change the text direction, except the space. */
const invisible = /(?! )[\p{C}\p{Z}]/gu;

/** Quotes a text as one word of bash. Invisible characters are escaped as bytes, which does not depend on the locale. */
export function quoteForBash(text: string): string {
  const content = removeInvalidCharacters(text);
  if (content.search(invisible) === -1) return `'${content.replaceAll("'", `'\\''`)}'`;
  const escapedContent = content.replace(/[\\']/g, '\\$&').replace(invisible, char => {
    return [...new TextEncoder().encode(char)].map(byte => `\\x${toHex(byte, 2)}`).join('');
  });
  return `$'${escapedContent}'`;
}

/** Quotes a text as a TypeScript string. */
export function quoteForTypeScript(text: string): string {
  return `'${escapeText(text, "'").replace(invisible, char => `\\u{${toHex(codePoint(char), 4)}}`)}'`;
}

/** Quotes a text as a string of Python or R, which have the same escapes. */
export function quoteForPython(text: string): string {
  return `"${escapeText(text, '"').replace(invisible, escapeCodePoint)}"`;
}

/**
 * Returns a PowerShell expression for a text. Escapes all characters outside ASCII: Windows PowerShell reads a file without a byte order
 * mark in the machine's code page, and treats curly quotes as quotes.
 */
export function quoteForPowerShell(text: string): string {
  const pieces = removeInvalidCharacters(text).match(/[\x20-\x7e]+|[^]/g) ?? [];
  const isPlain = (piece: string): boolean => /^[\x20-\x7e]/.test(piece);
  const escapedContent = pieces.map(piece =>
    isPlain(piece) ? `'${piece.replaceAll("'", "''")}'` : `[char]0x${toHex(piece.charCodeAt(0), 4)}`,
  );
  if (escapedContent.length === 0) return "''";
  if (escapedContent.length === 1 && isPlain(pieces[0] ?? '')) return escapedContent[0] ?? '';
  return `(${[...(isPlain(pieces[0] ?? '') ? [] : ["''"]), ...escapedContent].join(' + ')})`;
}

/** Quotes a text as a SQL string. */
export function quoteForSql(text: string): string {
  return `'${removeInvalidCharacters(text).replaceAll("'", "''")}'`;
}

/** Quotes a column name for SQL. */
export function quoteSqlName(name: string): string {
  return `"${removeInvalidCharacters(name).replaceAll('"', '""')}"`;
}

/** Returns an instant (UTC milliseconds) as SQL. */
export function formatSqlInstant(ms: number): string {
  return `TIMESTAMPTZ '${formatInstantWithOffset(ms)}'`;
}

/** Formats an instant with a numeric offset, because Python parses Z only from version 3.11 on. */
export function formatInstantWithOffset(ms: number): string {
  return formatInstant(ms).replace('Z', '+00:00');
}

/** Escapes pattern characters in a path for DuckDB. */
export function escapeDuckdbPath(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

/** Cleans a text for one line of a comment, without invisible characters. */
export function cleanComment(text: string): string {
  return removeInvalidCharacters(text).replace(/(?! )[\p{C}\p{Z}]+/gu, ' ');
}

function escapeText(text: string, quote: string): string {
  return removeInvalidCharacters(text)
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

function escapeCodePoint(char: string): string {
  const code = codePoint(char);
  return code > 0xffff ? `\\U${toHex(code, 8)}` : `\\u${toHex(code, 4)}`;
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function toHex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}
