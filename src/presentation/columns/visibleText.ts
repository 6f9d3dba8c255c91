/** Matches characters that are invisible or change the text direction, except tabs, line ends and joiners of emoji. */
export const hiddenCharacters =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}](?<![\t\n]|\r(?=\n)|\p{Emoji}\ufe0f|(?:\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))/gu;

/** Formats a hidden character as the editor does: "[U+202E]". */
export function formatHiddenCharacter(character: string): string {
  return `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/**
 * Returns the first `limit` characters of an untrusted text, with an ellipsis if it is longer. Surrogate pairs are not split, and hidden
 * characters are replaced by their names.
 */
export function visibleText(text: string, limit: number): string {
  return shorten(shorten(text, limit).replace(hiddenCharacters, formatHiddenCharacter), limit);
}

/** Like `visibleText`, on one line. */
export function visibleLine(text: string, limit: number): string {
  return visibleText(text, limit).replace(/\r?\n/g, '↵');
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}
