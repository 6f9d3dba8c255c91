import { applyEdits, format } from 'jsonc-parser';

/** Larger texts are shown as they came: indenting them takes seconds and nobody reads them so. */
const maxLength = 2_000_000;

/** JSON text with its white space made readable; every other character stays as received, digits of long numbers too. */
export function formatJson(text: string): string {
  if (text.length > maxLength) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
}
