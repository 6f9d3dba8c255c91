/** Units, zones, months, keys, formats and names: the same in every language, or not ours to say. */
const nobodys =
  /\b(?:MW|[MGT]Wh|pp|UTC|SAST|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Ctrl|Shift|Alt|PNG|SVG|Grid Data|Power Signals)\b/g;

/** Whether a text of the pseudo language has words that did not go through the translation; `known`: data, and others' words. */
export function hasUnmarked(text: string, known: readonly string[]): boolean {
  if (known.some(said => text.endsWith('…') && said.startsWith(text.trim().slice(0, -1)))) return false;
  const longestFirst = [...known].sort((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, said) => left.replaceAll(said, ' '), withoutMarked(text));
  return /\p{L}{2,}/u.test(rest.replace(nobodys, ' '));
}

/** Marked texts may hold others. */
function withoutMarked(text: string): string {
  const less = text.replace(/⟦[^⟦⟧]*⟧/g, ' ');
  return less === text ? text : withoutMarked(less);
}
