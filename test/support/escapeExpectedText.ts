const formulaSigns = '=+-@＝＋－＠';

/** Returns the expected cell of a delimited text: an apostrophe precedes anything that a spreadsheet could read as a formula. */
export function escapeExpectedText(text: string): string {
  if (/^[+-]\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text)) return text;
  let escaped = '';
  for (let index = 0; index < text.length; index++) {
    const isFormula =
      index > 0 &&
      formulaSigns.includes(text.charAt(index)) &&
      startsField(text.slice(0, index)) &&
      !isNumber(text, index);
    escaped += (isFormula ? "'" : '') + text.charAt(index);
  }
  const firstCharacter = escaped.trimStart().charAt(0);
  return /^[\t\r\n]/.test(text) || (firstCharacter !== '' && formulaSigns.includes(firstCharacter))
    ? `'${escaped}`
    : escaped;
}

function startsField(precedingText: string): boolean {
  const unquoted = precedingText.replace(/(?:"|[^\S\t\r\n])*$/, '');
  return unquoted !== '' && ',;|\t\r\n'.includes(unquoted.slice(-1));
}

/** Whether the position is that of a negative number in a list. */
function isNumber(text: string, index: number): boolean {
  return text.charAt(index - 1) === ',' && /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?[,\]}]/.test(text.slice(index));
}
