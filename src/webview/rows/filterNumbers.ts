import type { NumberColumn } from '../../shared/frame.ts';
import { refused, type Operator, type ParsedTerm, type TermReader } from './filterTypes.ts';
import { numberReader } from '../../shared/localeNumber.ts';

/** Comparisons and ranges of numbers. */
export function numberTerms(column: NumberColumn, locale: string): TermReader {
  const read = numberReader(locale);
  const valueAt = (row: number): number => column.values[row] ?? NaN;

  return (operator, value) => {
    const [first = '', second, ...more] = value.replace('…', '..').split('..');
    if (second === undefined) return comparison(operator, value);
    if (more.length > 0 || /[<>]/.test(operator)) return refused('notNumber', value);
    const from = first.trim() === '' ? -Infinity : read(first);
    const to = second.trim() === '' ? Infinity : read(second);
    if (typeof from === 'string') return unread(from, first);
    if (typeof to === 'string') return unread(to, second);
    if (from === -Infinity && to === Infinity) return refused('notNumber', value);
    if (from > to) return refused('backwards', value);
    const negated = operator.startsWith('!');
    return { ok: true, negated, test: row => (valueAt(row) >= from && valueAt(row) <= to) !== negated };
  };

  function comparison(operator: Operator, value: string): ParsedTerm {
    const limit = read(value);
    if (typeof limit === 'string') return unread(limit, value);
    const negated = operator.startsWith('!');
    const compare = comparisons[operator];
    return { ok: true, negated, test: row => compare(valueAt(row), limit) };
  }
}

const equal = (value: number, limit: number): boolean => value === limit;
const different = (value: number, limit: number): boolean => value !== limit;
const comparisons: Readonly<Record<Operator, (value: number, limit: number) => boolean>> = {
  '': equal,
  '=': equal,
  '!': different,
  '!=': different,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

function unread(why: 'none' | 'ambiguous', part: string): ParsedTerm {
  return refused(why === 'none' ? 'notNumber' : 'ambiguousNumber', part.trim());
}
