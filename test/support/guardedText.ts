const signs = '=+-@＝＋－＠';

/** What the cell of a delimited text holds: an apostrophe stands where a spreadsheet, whatever it splits at, would find a formula. */
export function guardedText(text: string): string {
  if (/^[+-]\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text;
  let guarded = '';
  for (let at = 0; at < text.length; at++) {
    const isFormula = at > 0 && signs.includes(text.charAt(at)) && beginsPart(text.slice(0, at)) && !isNumber(text, at);
    guarded += (isFormula ? "'" : '') + text.charAt(at);
  }
  const first = guarded.trimStart().charAt(0);
  return /^[\t\r\n]/.test(text) || (first !== '' && signs.includes(first)) ? `'${guarded}` : guarded;
}

function beginsPart(before: string): boolean {
  const unquoted = before.replace(/(?:"|[^\S\t\r\n])*$/, '');
  return unquoted !== '' && ',;|\t\r\n'.includes(unquoted.slice(-1));
}

/** One of a list. */
function isNumber(text: string, at: number): boolean {
  return text.charAt(at - 1) === ',' && /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?[,\]}]/.test(text.slice(at));
}
