/** Units, zones, months, keys, formats and names, which are the same in every language or come from VS Code. */
const untranslatable =
  /\b(?:MW|[MGT]Wh|pp|UTC|SAST|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Ctrl|Shift|Alt|PNG|SVG|Grid Data|Power Signals)\b/g;

/** Whether a text in the pseudo language has untranslated words. `knownTexts` are data and texts of VS Code, which may be untranslated. */
export function hasUnmarked(text: string, knownTexts: readonly string[]): boolean {
  if (knownTexts.some(knownText => text.endsWith('…') && knownText.startsWith(text.trim().slice(0, -1)))) return false;
  const longestFirst = [...knownTexts].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, knownText) => left.replaceAll(knownText, ' '), removeMarked(text));
  return /\p{L}{2,}/u.test(rest.replace(untranslatable, ' '));
}

/** Removes delimited texts, which may be nested. */
function removeMarked(text: string): string {
  const remaining = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return remaining === text ? text : removeMarked(remaining);
}
