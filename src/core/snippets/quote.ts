import { formatInstant } from '../time/instant.ts';

/** Replaces lone surrogates by U+FFFD, as in a URL, and removes NUL, which not all languages allow in strings. */
export function plainText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Matches characters that are invisible or change the text direction, except the space. */
const unseen = /(?! )[\p{C}\p{Z}]/gu;

/** Quotes a text as one word of bash. Invisible characters are escaped as bytes, which does not depend on the locale. */
export function bashText(text: string): string {
  const content = plainText(text);
  if (content.search(unseen) === -1) return `'${content.replaceAll("'", `'\\''`)}'`;
  const spelled = content.replace(/[\\']/g, '\\$&').replace(unseen, char => {
    return [...new TextEncoder().encode(char)].map(byte => `\\x${hex(byte, 2)}`).join('');
  });
  return `$'${spelled}'`;
}

/** Quotes a text as a TypeScript string. */
export function typeScriptText(text: string): string {
  return `'${escaped(text, "'").replace(unseen, char => `\\u{${hex(codeOf(char), 4)}}`)}'`;
}

/** Quotes a text as a string of Python or R, which have the same escapes. */
export function pythonText(text: string): string {
  return `"${escaped(text, '"').replace(unseen, longEscape)}"`;
}

/**
 * Returns a PowerShell expression for a text. Escapes all characters outside ASCII: Windows PowerShell reads a file without a byte order
 * mark in the machine's code page, and treats curly quotes as quotes.
 */
export function powerShellText(text: string): string {
  const pieces = plainText(text).match(/[\x20-\x7e]+|[^]/g) ?? [];
  const isPlain = (piece: string): boolean => /^[\x20-\x7e]/.test(piece);
  const spelled = pieces.map(piece =>
    isPlain(piece) ? `'${piece.replaceAll("'", "''")}'` : `[char]0x${hex(piece.charCodeAt(0), 4)}`,
  );
  if (spelled.length === 0) return "''";
  if (spelled.length === 1 && isPlain(pieces[0] ?? '')) return spelled[0] ?? '';
  return `(${[...(isPlain(pieces[0] ?? '') ? [] : ["''"]), ...spelled].join(' + ')})`;
}

/** Quotes a text as a SQL string. */
export function sqlText(text: string): string {
  return `'${plainText(text).replaceAll("'", "''")}'`;
}

/** Quotes a column name for SQL. */
export function sqlName(name: string): string {
  return `"${plainText(name).replaceAll('"', '""')}"`;
}

/** Returns an instant (UTC milliseconds) as SQL. */
export function sqlInstant(ms: number): string {
  return `TIMESTAMPTZ '${offsetText(ms)}'`;
}

/** Formats an instant with a numeric offset, because Python parses Z only from version 3.11 on. */
export function offsetText(ms: number): string {
  return formatInstant(ms).replace('Z', '+00:00');
}

/** Escapes pattern characters in a path for DuckDB. */
export function duckdbPath(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

/** Cleans a text for one line of a comment, without invisible characters. */
export function commentText(text: string): string {
  return plainText(text).replace(/(?! )[\p{C}\p{Z}]+/gu, ' ');
}

function escaped(text: string, quote: string): string {
  return plainText(text)
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

function longEscape(char: string): string {
  const code = codeOf(char);
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}
