import type { ColumnKind } from '../../shared/frame.ts';
import type { Operator } from './filterTypes.ts';

/** One alternative of a filter. `quoted` tells whether the value was in quotes, which have been removed. */
export interface Term {
  readonly operator: Operator;
  readonly value: string;
  readonly quoted: boolean;
}

const operatorsBySign: Readonly<Record<string, Operator>> = {
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

/** Parses the alternatives of a filter. Filters of text columns have no comparisons, so that `>` is an ordinary character. */
export function parseTerms(text: string, kind: ColumnKind): Term[] {
  const needsSpaceAfterComma = kind === 'number' || kind === 'nested';
  const operator = kind === 'text' || kind === 'nested' ? textOperator : anyOperator;
  return splitAlternatives(text, needsSpaceAfterComma ? /,(?:\s+|$)|\s+or(?:\s+|$)/iy : /,|\s+or(?:\s+|$)/iy).map(
    part => {
      const [sign = ''] = operator.exec(part) ?? [];
      const value = part.slice(sign.length).trim();
      const quoted = value.startsWith('"');
      return { operator: operatorsBySign[sign] ?? '', value: quoted ? unquote(value) : value, quoted };
    },
  );
}

/** Splits a filter at the dividers outside quotes. Omits empty alternatives, which occur while typing. */
function splitAlternatives(text: string, divider: RegExp): string[] {
  const parts = [''];
  let inQuotes = false;
  for (let position = 0; position < text.length;) {
    divider.lastIndex = position;
    // A divider can only begin at the first of several spaces. A search at each of them would be slow for long runs.
    const isInBlanks = position > 0 && /\s/.test(text.charAt(position)) && /\s/.test(text.charAt(position - 1));
    const match = inQuotes || isInBlanks ? null : divider.exec(text);
    const part = parts.at(-1) ?? '';
    // A quote only opens where a value begins. A doubled quote within quotes closes and opens again.
    if (text[position] === '"' && (inQuotes || /^[=!<>≠≥≤]*\s*(?:$|")/.test(part.trimStart()))) inQuotes = !inQuotes;
    if (match) parts.push('');
    else parts[parts.length - 1] = part + (text[position] ?? '');
    position += match ? match[0].length : 1;
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}

/** Removes the quotes. The closing one may still be missing while the user types. */
function unquote(value: string): string {
  return value.slice(1).replace(/""|"$/g, match => (match === '""' ? '"' : ''));
}
