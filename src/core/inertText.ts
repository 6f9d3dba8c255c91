/** Longer texts lose their middle, so that the words around a long name remain. */
const longestShown = 600;

/**
 * Makes any text safe to show in VS Code: on one line, shortened, without characters that hide words or change the text direction, and
 * without the syntax of links, `[label](command:…)`, and icons, `$(name)`. Idempotent, except for the length of a shortened text.
 */
export function inertText(text: string, longest = longestShown): string {
  const shown = oneLine(shortened(text, longest)).replace(/\](?=\()|\$(?=\()/g, '$& ');
  // A text of hidden characters only still needs to be visible.
  return shown === '' && text !== '' ? '\ufffd' : shown;
}

/** Returns the text on one line, without hidden characters. */
export function oneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim();
}

/**
 * Removes control, format (bidirectional marks, zero width), ignorable (Hangul fillers), private use and lone surrogate characters,
 * which can disguise a text or change the direction of adjacent text.
 */
export function withoutHidden(text: string): string {
  return text.replace(/(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
}

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
