import { demandField, forecastField } from '../../shared/fields.ts';
import type { Frame } from '../../shared/frame.ts';
import { isRecord, isStringArray, pickStrings } from '../../shared/view.ts';
import { unitOf } from '../../shared/units.ts';
import { findNumberColumn, listNumberColumns, findStressColumn } from '../../core/frame/chartColumns.ts';
import { toSingleLine } from '../../core/inertText.ts';
import { greatestLimit, longestTitle, type ChartLimit, type ChartOptions, type TimeRange } from './chartModel.ts';
import { chartModes } from './chartModes.ts';

const firstColumns = 3;

/** Returns the default options: the stress index if there is one, else residual demand with its forecast, else the first columns of one unit. */
export function defaultOptions(frame: Frame): ChartOptions {
  const known = [demandField, forecastField].filter(name => findNumberColumn(frame, name));
  const all = listNumberColumns(frame);
  const stress = findStressColumn(frame);
  const sameUnit = all.filter(({ field }) => unitOf(field).text === unitOf(all[0]?.field).text).slice(0, firstColumns);
  const first = stress ? [stress] : sameUnit;
  const columns = known.length > 0 ? known : first.map(({ name }) => name);
  return { mode: stress ? 'stress' : 'lines', columns, hidden: [], picked: {} };
}

/** Parses stored options. Each invalid property falls back to its default. */
export function readChartOptions(kept: unknown, frame: Frame): ChartOptions {
  const otherwise = defaultOptions(frame);
  if (!isRecord(kept)) return otherwise;
  const { mode, columns, hidden, picked, zoom, asTable, title, limit } = kept;
  return {
    mode: chartModes.find(({ id }) => id === mode)?.id ?? otherwise.mode,
    columns: isStringArray(columns) ? columns : otherwise.columns,
    hidden: isStringArray(hidden) ? hidden : otherwise.hidden,
    picked: isRecord(picked) ? pickStrings(picked) : otherwise.picked,
    ...(asTable === true && { asTable }),
    ...(typeof title === 'string' && title.trim() !== '' && { title: toSingleLine(title).slice(0, longestTitle) }),
    ...(isLimit(limit) && { limit: { value: limit.value, unit: limit.unit } }),
    ...(isRange(zoom) && { zoom: { start: zoom.start, end: zoom.end } }),
  };
}

function isLimit(value: unknown): value is ChartLimit {
  if (!isRecord(value)) return false;
  const { value: limit, unit } = value;
  return typeof limit === 'number' && Math.abs(limit) <= greatestLimit && typeof unit === 'string';
}

function isRange(value: unknown): value is TimeRange {
  if (!isRecord(value)) return false;
  const { start, end } = value;
  return Number.isFinite(start) && Number.isFinite(end) && (start as number) < (end as number);
}
