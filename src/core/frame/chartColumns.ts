import { findTimeColumn } from './clip.ts';
import { hourMs } from '../../shared/durations.ts';
import { stressField } from '../../shared/fields.ts';
import { cellState, type Frame, type NumberColumn, type TextColumn, type TimeColumn } from '../../shared/frame.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';

/** Published sources of dispatchable generation, in the order of a stacked chart from bottom to top. */
export const dispatchableFields = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
export const windAndPvFields = ['pv_mw', 'wind_mw'];
export const grossImportsField = 'imports_mw';

/** Returns every column that can be drawn. */
export function listNumberColumns(frame: Frame): NumberColumn[] {
  const numbers = frame.columns.filter(column => column.kind === 'number');
  return numbers.filter(({ field }) => !isHourCount(unitOf(field)));
}

const sameUnitCache = new WeakMap<Frame, ReadonlyMap<NumberColumn, readonly NumberColumn[]>>();

/**
 * Returns the columns that share their unit with another column. Maps each one to all columns with that unit, in the order of the frame.
 * The result is cached, since there may be thousands of columns.
 */
export function columnsWithSameUnit(frame: Frame): ReadonlyMap<NumberColumn, readonly NumberColumn[]> {
  const cached = sameUnitCache.get(frame);
  if (cached) return cached;
  const columns = listNumberColumns(frame);
  const unitKey = ({ field }: NumberColumn): string => {
    const { kind, text, mwhPerHour, difference } = unitOf(field);
    return JSON.stringify([kind, text, mwhPerHour, difference]);
  };
  const units = Map.groupBy(columns, unitKey);
  const entries = columns.map(column => [column, units.get(unitKey(column)) ?? []] as const);
  const result = new Map(entries.filter(([, { length }]) => length > 1));
  sameUnitCache.set(frame, result);
  return result;
}

export function findNumberColumn(frame: Frame, name: string | undefined): NumberColumn | undefined {
  return listNumberColumns(frame).find(column => column.name === name);
}

/** Returns the columns with these names that have a value, in the order of the names. */
export function columnsWithValues(frame: Frame, names: readonly string[]): NumberColumn[] {
  const columns = names.flatMap(name => findNumberColumn(frame, name) ?? []);
  return columns.filter(({ gaps }) => !gaps || gaps.includes(cellState.value));
}

/** Finds the column of the stress index. It checks the unit too, because other data may have a column of the same name. */
export function findStressColumn(frame: Frame): NumberColumn | undefined {
  const column = findNumberColumn(frame, stressField);
  return column && unitOf(column.field).kind === 'index' ? column : undefined;
}

/** Returns the columns of the stress index's components. */
export function stressComponents(frame: Frame): NumberColumn[] {
  return listNumberColumns(frame).filter(
    ({ name, field }) => unitOf(field).kind === 'index' && name.startsWith('components.'),
  );
}

/**
 * Returns the time column of the frame. For the bins of a cycle, creates one with consecutive hours from 1970. Returns undefined
 * if the rows have neither times nor bins.
 */
export function getChartTimes(frame: Frame): TimeColumn | undefined {
  const time = findTimeColumn(frame);
  const cycle = time ? undefined : findCycleColumn(frame);
  if (!cycle) return time;
  const values = Float64Array.from(cycle.texts.codes, bin => bin * hourMs);
  return { kind: 'time', name: cycle.name, path: cycle.path, values };
}

/** Finds the column with the names of a cycle's bins. */
export function findCycleColumn({ columns }: Frame): TextColumn | undefined {
  return columns.find(column => column.kind === 'text' && column.cycle !== undefined) as TextColumn | undefined;
}

/** Whether the frame has rows, and columns for both axes of a chart. */
export function isChartable(frame: Frame): boolean {
  return (
    (findTimeColumn(frame) ?? findCycleColumn(frame)) !== undefined &&
    frame.rowCount > 0 &&
    listNumberColumns(frame).length > 0
  );
}

/** Whether the rows are calendar bins in a time zone, or bins of a cycle. */
export function hasBins(frame: Frame): boolean {
  return findTimeColumn(frame)?.bins !== undefined || findCycleColumn(frame) !== undefined;
}
