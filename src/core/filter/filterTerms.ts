import type { ColumnKind } from '../../shared/frame.ts';
import type { Operator } from './filterTypes.ts';

/** One alternative of a filter. `quoted`: the value stood in quotes, which are gone. */
export interface Term {
  readonly operator: Operator;
  readonly value: string;
  readonly quoted: boolean;
}

const operatorOf: Readonly<Record<string, Operator>> = {
  '': '',
  '=': '=',
  '==': '=',
  '!': '!',
  '!=': '!=',
  '≠': '!=',
  '<>': '!=',
  '>': '>',
  '>=': '>=',
  '=>': '>=',
  '≥': '>=',
  '<': '<',
  '<=': '<=',
  '=<': '<=',
  '≤': '<=',
};
const anyOperator = /^(?:==|=>|=<|!=|<>|>=|<=|[=!≠>≥<≤])?/;
const textOperator = /^(?:==|!=|[=!≠])?/;

/** The alternatives in a filter's text. In a text `>` is a character like any other. */
export function filterTerms(text: string, kind: ColumnKind): Term[] {
  const spacedComma = kind === 'number' || kind === 'nested';
  const operator = kind === 'text' || kind === 'nested' ? textOperator : anyOperator;
  return alternatives(text, spacedComma ? /,(?:\s+|$)|\s+or(?:\s+|$)/iy : /,|\s+or(?:\s+|$)/iy).map(part => {
    const [sign = ''] = operator.exec(part) ?? [];
    const value = part.slice(sign.length).trim();
    const quoted = value.startsWith('"');
    return { operator: operatorOf[sign] ?? '', value: quoted ? unquoted(value) : value, quoted };
  });
}

/** Divided where no quotes stand around; empty alternatives, as while typing, are passed over. */
function alternatives(text: string, divider: RegExp): string[] {
  const parts = [''];
  let inQuotes = false;
  for (let at = 0; at < text.length;) {
    divider.lastIndex = at;
    // A divider can only begin at the first of several blanks: a search at each would be slow for long runs.
    const isInBlanks = at > 0 && /\s/.test(text.charAt(at)) && /\s/.test(text.charAt(at - 1));
    const found = inQuotes || isInBlanks ? null : divider.exec(text);
    const part = parts.at(-1) ?? '';
    // A quote opens only where a value begins; doubled within quotes it closes and opens again.
    if (text[at] === '"' && (inQuotes || /^[=!<>≠≥≤]*\s*(?:$|")/.test(part.trimStart()))) inQuotes = !inQuotes;
    if (found) parts.push('');
    else parts[parts.length - 1] = part + (text[at] ?? '');
    at += found ? found[0].length : 1;
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}

/** The closing quote may still be missing while the person types. */
function unquoted(value: string): string {
  return value.slice(1).replace(/""|"$/g, found => (found === '""' ? '"' : ''));
}
