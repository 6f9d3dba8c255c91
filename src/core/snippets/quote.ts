import { formatInstant } from '../time/instant.ts';

/** Replaces lone surrogates by U+FFFD, as in a URL, and removes NUL, which not all languages allow in strings. */
export function plainText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** Characters that are invisible or change the text direction, except the space. */
const unseen = /(?! )[\p{C}\p{Z}]/gu;

/** A text as one word of bash. Invisible characters are escaped as bytes, which does not depend on the locale. */
export function bashText(text: string): string {
  const content = plainText(text);
  if (content.search(unseen) === -1) return `'${content.replaceAll("'", `'\\''`)}'`;
  const spelled = content.replace(/[\\']/g, '\\$&').replace(unseen, char => {
    return [...new TextEncoder().encode(char)].map(byte => `\\x${hex(byte, 2)}`).join('');
  });
  return `$'${spelled}'`;
}

/** A string of TypeScript. */
export function typeScriptText(text: string): string {
  return `'${escaped(text, "'").replace(unseen, char => `\\u{${hex(codeOf(char), 4)}}`)}'`;
}

/** A string of Python or R, whose escapes are the same. */
export function pythonText(text: string): string {
  return `"${escaped(text, '"').replace(unseen, longEscape)}"`;
}

/**
 * A PowerShell expression for a text. Characters other than ASCII are escaped: Windows PowerShell reads a file without a byte order mark in
 * the code page of the machine, and treats curly quotes as quotes.
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

/** A string of SQL. */
export function sqlText(text: string): string {
  return `'${plainText(text).replaceAll("'", "''")}'`;
}

/** The name of a column in SQL. */
export function sqlName(name: string): string {
  return `"${plainText(name).replaceAll('"', '""')}"`;
}

/** An instant of SQL, of UTC milliseconds. */
export function sqlInstant(ms: number): string {
  return `TIMESTAMPTZ '${offsetText(ms)}'`;
}

/** With a numeric offset, since Python parses Z only from 3.11 on. */
export function offsetText(ms: number): string {
  return formatInstant(ms).replace('Z', '+00:00');
}

/** A path for DuckDB, with pattern characters escaped. */
export function duckdbPath(path: string): string {
  return path.replace(/[[*?]/g, '[$&]');
}

/** A text for one line of a comment, without invisible characters. */
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
