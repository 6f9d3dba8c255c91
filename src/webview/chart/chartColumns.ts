import { timeColumnOf } from '../../core/frame/clip.ts';
import { demandField, forecastField, rampField, stressField } from '../../shared/fields.ts';
import { cellState, type Frame, type NumberColumn } from '../../shared/frame.ts';
import { type ChartMode, type ChartOptions, chartModes, type TimeRange } from './chartModel.ts';
import { isHourCount, unitOf } from '../../shared/units.ts';

const leastMix = 3;
/** What is generated, as far as it is published source by source; from the bottom of a stack up. */
export const dispatchable = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'eskom_ocgt_mw', 'hydro_water_mw'];
export const windAndPv = ['pv_mw', 'wind_mw'];
export const grossImports = 'imports_mw';
const firstColumns = 3;

/** Every column that can be drawn. */
function numberColumns(frame: Frame): NumberColumn[] {
  const numbers = frame.columns.filter(column => column.kind === 'number');
  return numbers.filter(({ field }) => !isHourCount(unitOf(field)));
}

export function numberColumn(frame: Frame, name: string): NumberColumn | undefined {
  return numberColumns(frame).find(column => column.name === name);
}

/** The columns of these names that hold a value, in this order. */
export function columnsWithValues(frame: Frame, names: readonly string[]): NumberColumn[] {
  const columns = names.flatMap(name => numberColumn(frame, name) ?? []);
  return columns.filter(({ gaps }) => !gaps || gaps.includes(cellState.value));
}

/** The stress index: a column of that name which the catalogue knows, since `value` may be anything elsewhere. */
export function stressColumn(frame: Frame): NumberColumn | undefined {
  const column = numberColumn(frame, stressField);
  return column && unitOf(column.field).kind === 'index' ? column : undefined;
}

/** The parts of the stress index. */
export function stressParts(frame: Frame): NumberColumn[] {
  return numberColumns(frame).filter(
    ({ name, field }) => unitOf(field).kind === 'index' && name.startsWith('components.'),
  );
}

export function rampColumn(frame: Frame): NumberColumn | undefined {
  return numberColumn(frame, rampField);
}

/** The columns a person may choose from in a mode. */
export function choosableColumns(frame: Frame, mode: ChartMode): NumberColumn[] {
  return mode === 'lines' ? numberColumns(frame) : mode === 'stress' ? stressParts(frame) : [];
}

/** The modes a frame has the columns for; none where it has no times, no rows or no numbers. */
export function availableModes(frame: Frame): ChartMode[] {
  if (!timeColumnOf(frame) || frame.rowCount === 0 || numberColumns(frame).length === 0) return [];
  return [
    'lines',
    ...(columnsWithValues(frame, [...dispatchable, ...windAndPv, grossImports]).length >= leastMix
      ? (['mix'] as const)
      : []),
    ...(stressColumn(frame) ? (['stress'] as const) : []),
    ...(rampColumn(frame) ? (['ramps'] as const) : []),
  ];
}

/** What a chart shows before anyone chose: stress where it is the answer, else residual demand with its forecast, else the first columns of one unit. */
export function defaultOptions(frame: Frame): ChartOptions {
  const known = [demandField, forecastField].filter(name => numberColumn(frame, name));
  const all = numberColumns(frame);
  const stress = stressColumn(frame);
  const sameUnit = all.filter(({ field }) => unitOf(field).text === unitOf(all[0]?.field).text).slice(0, firstColumns);
  const first = stress ? [stress] : sameUnit;
  const columns = known.length > 0 ? known : first.map(({ name }) => name);
  return { mode: stress ? 'stress' : 'lines', columns, hidden: [] };
}

/** Options as they were kept, checked piece by piece: what cannot be read is as if nobody had chosen. */
export function readChartOptions(kept: unknown, frame: Frame): ChartOptions {
  const otherwise = defaultOptions(frame);
  if (!isRecord(kept)) return otherwise;
  const { mode, columns, hidden, zoom } = kept;
  return {
    mode: chartModes.find(known => known === mode) ?? otherwise.mode,
    columns: isTexts(columns) ? columns : otherwise.columns,
    hidden: isTexts(hidden) ? hidden : otherwise.hidden,
    ...(isRange(zoom) && { zoom: { start: zoom.start, end: zoom.end } }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(entry => typeof entry === 'string');
}

function isRange(value: unknown): value is TimeRange {
  if (!isRecord(value)) return false;
  const { start, end } = value;
  return Number.isFinite(start) && Number.isFinite(end) && (start as number) < (end as number);
}
