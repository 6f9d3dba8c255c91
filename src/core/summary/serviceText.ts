/**
 * A text of the service's (or of a file of somebody else's) as data in a text for a language model: quoted, on one line, cut
 * off, and without the signs that could end the marked part, hide words or turn their direction.
 */
export function serviceText(text: string, longest = 60): string {
  const shown = text.length > longest ? `${cutOff(text, longest)}…` : text;
  return JSON.stringify(shown).replace(/[<>`]|[^\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0370-\u03ff\u2026]/gu, escaped);
}

/** Not in the middle of a character of two halves. */
function cutOff(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

function escaped(sign: string): string {
  // Letters of any script and emoji are read as they are; what has no shape of its own is not.
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign) && !/[<>`]/.test(sign)) return sign;
  return [...Array(sign.length).keys()].map(at => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
