/** Longer texts lose their middle, so that the words around a long name remain. */
const defaultMaxLength = 600;

/**
 * Makes any text safe to show in VS Code: on one line, shortened, without characters that hide words or change the text direction, and
 * without the syntax of links, `[label](command:…)`, and icons, `$(name)`. Idempotent, except for the length of a shortened text.
 */
export function toInertText(text: string, maxLength = defaultMaxLength): string {
  const safe = toSingleLine(shortenMiddle(text, maxLength)).replace(/\](?=\()|\$(?=\()/g, '$& ');
  // A text of hidden characters only still needs to be visible.
  return safe === '' && text !== '' ? '\ufffd' : safe;
}

/** Returns the text on one line, without hidden characters. */
export function toSingleLine(text: string): string {
  return removeHidden(text).replace(/\s+/g, ' ').trim();
}

/**
 * Removes control, format (bidirectional marks, zero width), ignorable (Hangul fillers), private use and lone surrogate characters,
 * which can disguise a text or change the direction of adjacent text.
 */
export function removeHidden(text: string): string {
  return text.replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
}

function shortenMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
