/** Longer texts lose their middle, so that what a sentence says before and after a name stays. */
const longestShown = 600;

/**
 * A text that may hold anything, fit to be shown by VS Code: one line, bounded, without characters that hide words or turn
 * their direction, and without the syntax of links, `[label](command:…)`, and icons, `$(name)`. A second pass changes nothing
 * but the length of what is cut.
 */
export function inertText(text: string, longest = longestShown): string {
  const shown = oneLine(shortened(text, longest)).replace(/\](?=\()|\$(?=\()/g, '$& ');
  // Nothing to see is a name too.
  return shown === '' && text !== '' ? '\ufffd' : shown;
}

/** On one line, as `withoutHidden`. */
export function oneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim();
}

/**
 * Without control, format (bidirectional marks, zero width), private and unpaired surrogate characters: those can disguise a text,
 * or turn what stands beside it.
 */
export function withoutHidden(text: string): string {
  return text.replace(/(?!\s)\p{C}/gu, '');
}

function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
