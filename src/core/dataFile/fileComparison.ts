import { maxPeriods } from '../../shared/analysis.ts';
import type { Column, Frame, NumberColumn } from '../../shared/frame.ts';
import { getDifferenceUnit, energyChange, unitOf } from '../../shared/units.ts';
import { createComparedColumns } from '../compare/compareFrames.ts';

/**
 * Restores the fields of an exported comparison: the units, the compared columns, and the energies from which a change was calculated. The
 * columns are recognized by their names, and their values are not changed. `comparedWith` is the text in an `ExportProvenance`.
 */
export function restoreComparison(frame: Frame, comparedWith = ''): Frame {
  const numbers = new Map(frame.columns.flatMap(column => (column.kind === 'number' ? [[column.name, column]] : [])));
  const periodNames = comparedWith.split('; ').map(text => /^(.+?) \S+Z\/\S+Z(?:,|$)/.exec(text)?.[1]);
  const rows = Int32Array.from({ length: frame.rowCount }, (_, row) => row);
  const restored = new Map<string, NumberColumn>();
  for (const base of numbers.values()) {
    const { label = base.name, meaning = '' } = base.field ?? {};
    for (let period = 1; period <= maxPeriods; period++) {
      const numberSuffix = period > 1 ? ` ${period}` : '';
      const compared = numbers.get(`${base.name} · compared${numberSuffix}`);
      if (!compared) continue;
      const periodName = periodNames[period - 1] ?? `compared${numberSuffix}`;
      const comparedColumns = createComparedColumns(base, compared, rows, new Set(), role => ({
        label,
        meaning,
        comparison: {
          role,
          baseName: base.name,
          rangeName: periodName,
          hasBaseLabel: true,
          ...(period > 1 && { period }),
        },
      }));
      for (const column of period > 1 ? comparedColumns.slice(0, 1) : comparedColumns)
        restored.set(column.name, column);
    }
  }
  const columns = frame.columns.map((column): Column => {
    const [, baseName, as] = /^(.+) · (difference|percent)$/.exec(column.name) ?? [];
    const restoredColumn = restored.get(column.name);
    if (column.kind !== 'number' || (!restoredColumn && !as)) return column;
    const { values, gaps } = column;
    if (restoredColumn) {
      const { gaps: _, ...columnWithoutGaps } = restoredColumn;
      return { ...columnWithoutGaps, values, ...(gaps && { gaps }) };
    }
    // The file lacks the compared columns, so the unit follows from the name alone.
    const unit = as === 'percent' ? energyChange : getDifferenceUnit(unitOf(numbers.get(baseName ?? '')?.field));
    return { ...column, field: { label: column.name, meaning: '', ...column.field, unit } };
  });
  return { rowCount: frame.rowCount, columns };
}
