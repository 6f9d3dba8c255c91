import { rangeEnds } from '../../core/range/parseRange.ts';
import type { TimeColumn } from '../../shared/frame.ts';
import { refused, type FilterContext, type Operator, type ParsedTerm, type TermReader } from './filterTypes.ts';
import { stretchOf, type Stretch } from './timeStretch.ts';

/** Comparisons and ranges of instants. What is written stands for its whole length: `>2023-05` begins with June. */
export function timeTerms(column: TimeColumn, context: FilterContext): TermReader {
  const valueAt = (row: number): number => column.values[row] ?? NaN;

  return (operator, value) => {
    const [first = '', second, ...more] = rangeEnds(value);
    if (second === undefined) return comparison(operator, value);
    if (more.length > 0 || /[<>]/.test(operator) || (first === '' && second === '')) return refused('notTime', value);
    const from = first === '' ? always : stretchOf(first, context);
    const to = second === '' ? always : stretchOf(second, context);
    if (!from.ok) return from;
    if (!to.ok) return to;
    return to.value.end <= from.value.start
      ? refused('backwards', value)
      : within([{ start: from.value.start, end: to.value.end }], operator.startsWith('!'));
  };

  function comparison(operator: Operator, text: string): ParsedTerm {
    const stretch = stretchOf(text, context);
    if (!stretch.ok) return stretch;
    const { start, end, parts } = stretch.value;
    switch (operator) {
      case '':
      case '=':
        return within(parts, false);
      case '!':
      case '!=':
        return within(parts, true);
      case '>':
        return { ok: true, negated: false, test: row => valueAt(row) >= end };
      case '>=':
        return { ok: true, negated: false, test: row => valueAt(row) >= start };
      case '<':
        return { ok: true, negated: false, test: row => valueAt(row) < start };
      case '<=':
        return { ok: true, negated: false, test: row => valueAt(row) < end };
    }
  }

  function within(parts: readonly Pick<Stretch, 'start' | 'end'>[], negated: boolean): ParsedTerm {
    const isIn = (ms: number): boolean => parts.some(({ start, end }) => ms >= start && ms < end);
    return { ok: true, negated, test: row => isIn(valueAt(row)) !== negated };
  }
}

const always = { ok: true, value: { start: -Infinity, end: Infinity } } as const;
