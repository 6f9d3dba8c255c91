import type { BooleanColumn } from '../../shared/frame.ts';
import { refused, type TermReader } from './filterTypes.ts';

/** `true`, `false` and their opposites. */
export function booleanTerms(column: BooleanColumn): TermReader {
  return (operator, value) => {
    const plain = value.toLowerCase();
    if (/[<>]/.test(operator) || (plain !== 'true' && plain !== 'false')) return refused('notBoolean', value);
    const negated = operator.startsWith('!');
    const wanted = (plain === 'true') !== negated;
    return { ok: true, negated, test: row => (column.values[row] === 1) === wanted };
  };
}
