/** Half a surrogate pair becomes U+FFFD, as it would in a URL; a NUL, which none of the languages' texts can all hold, goes. */
export function plainText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD').replaceAll('\0', '');
}

/** What cannot be seen, or turns the reading direction around; a space can be told from what stands beside it. */
const unseen = /(?! )[\p{C}\p{Z}]/gu;

/** A text as one word of bash. Bytes that cannot be seen are spelled out, whatever the locale. */
export function bashText(text: string): string {
  const content = plainText(text);
  if (content.search(unseen) === -1) return `'${content.replaceAll("'", `'\\''`)}'`;
  const spelled = content.replace(/[\\']/g, '\\$&').replace(unseen, char => {
    return [...new TextEncoder().encode(char)].map(byte => `\\x${hex(byte, 2)}`).join('');
  });
  return `$'${spelled}'`;
}

/** A text of TypeScript. */
export function typeScriptText(text: string): string {
  return `'${escaped(text, "'").replace(unseen, char => `\\u{${hex(codeOf(char), 4)}}`)}'`;
}

/** A text of Python. */
export function pythonText(text: string): string {
  return `"${escaped(text, '"').replace(unseen, longEscape)}"`;
}

/** A text of R. */
export function rText(text: string): string {
  return `"${escaped(text, '"').replace(unseen, longEscape)}"`;
}

/**
 * A text of PowerShell, as one expression. What is not ASCII is spelled out: Windows PowerShell reads a file without a byte
 * order mark in the code page of the machine, and takes curly quotes for quotes.
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

/** A text of SQL. */
export function sqlText(text: string): string {
  return `'${plainText(text).replaceAll("'", "''")}'`;
}

/** The name of a column in SQL. */
export function sqlName(name: string): string {
  return `"${plainText(name).replaceAll('"', '""')}"`;
}

/** A text that stays within one line of comment, and says what it looks like. */
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
