import { mostPeriods } from '../../shared/analysis.ts';
import type { Column, Frame, NumberColumn } from '../../shared/frame.ts';
import { differenceOf, energyChange, unitOf } from '../../shared/units.ts';
import { comparedNumbers } from '../compare/compare.ts';

/**
 * Restores the fields of the columns of an exported comparison, which are recognized by their names: the units, the compared column, and the
 * energies behind a change. The values are those of the file. `comparedWith` is the text in an `ExportProvenance`.
 */
export function asComparison(frame: Frame, comparedWith = ''): Frame {
  const numbers = new Map(frame.columns.flatMap(column => (column.kind === 'number' ? [[column.name, column]] : [])));
  const others = comparedWith.split('; ').map(text => /^(.+?) \S+Z\/\S+Z(?:,|$)/.exec(text)?.[1]);
  const rows = Int32Array.from({ length: frame.rowCount }, (_, row) => row);
  const made = new Map<string, NumberColumn>();
  for (const base of numbers.values()) {
    const { label = base.name, meaning = '' } = base.field ?? {};
    for (let period = 1; period <= mostPeriods; period++) {
      const number = period > 1 ? ` ${period}` : '';
      const compared = numbers.get(`${base.name} · compared${number}`);
      if (!compared) continue;
      const other = others[period - 1] ?? `compared${number}`;
      const added = comparedNumbers(base, compared, rows, new Set(), as => ({
        label,
        meaning,
        compares: { as, of: base.name, with: other, plain: true, ...(period > 1 && { period }) },
      }));
      for (const column of period > 1 ? added.slice(0, 1) : added) made.set(column.name, column);
    }
  }
  const columns = frame.columns.map((column): Column => {
    const [, name, as] = /^(.+) · (difference|percent)$/.exec(column.name) ?? [];
    const own = made.get(column.name);
    if (column.kind !== 'number' || (!own && !as)) return column;
    const { values, gaps } = column;
    if (own) {
      const { gaps: _, ...known } = own;
      return { ...known, values, ...(gaps && { gaps }) };
    }
    // The compared columns are not in the file, so the unit follows from the name alone.
    const unit = as === 'percent' ? energyChange : differenceOf(unitOf(numbers.get(name ?? '')?.field));
    return { ...column, field: { label: column.name, meaning: '', ...column.field, unit } };
  });
  return { rowCount: frame.rowCount, columns };
}
