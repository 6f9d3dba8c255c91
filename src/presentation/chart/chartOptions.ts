import { demandField, forecastField } from '../../shared/fields.ts';
import type { Frame } from '../../shared/frame.ts';
import { isRecord, isStringArray, pickStrings } from '../../shared/view.ts';
import { unitOf } from '../../shared/units.ts';
import { findNumberColumn, listNumberColumns, findStressColumn } from '../../core/frame/chartColumns.ts';
import { toSingleLine } from '../../core/inertText.ts';
import { maxLimit, maxTitleLength, type ChartLimit, type ChartOptions, type TimeWindow } from './chartModel.ts';
import { chartModes } from './chartModes.ts';

const maxDefaultColumns = 3;

/** Returns the default options: the stress index if there is one, else residual demand with its forecast, else the first columns of one unit. */
export function createDefaultOptions(frame: Frame): ChartOptions {
  const knownNames = [demandField, forecastField].filter(name => findNumberColumn(frame, name));
  const numberColumns = listNumberColumns(frame);
  const stress = findStressColumn(frame);
  const sameUnit = numberColumns
    .filter(({ field }) => unitOf(field).text === unitOf(numberColumns[0]?.field).text)
    .slice(0, maxDefaultColumns);
  const first = stress ? [stress] : sameUnit;
  const columns = knownNames.length > 0 ? knownNames : first.map(({ name }) => name);
  return { mode: stress ? 'stress' : 'lines', columns, hidden: [], picked: {} };
}

/** Parses stored options. Each invalid property falls back to its default. */
export function parseChartOptions(stored: unknown, frame: Frame): ChartOptions {
  const defaults = createDefaultOptions(frame);
  if (!isRecord(stored)) return defaults;
  const { mode, columns, hidden, picked, zoom, asTable, title, limit } = stored;
  return {
    mode: chartModes.find(({ id }) => id === mode)?.id ?? defaults.mode,
    columns: isStringArray(columns) ? columns : defaults.columns,
    hidden: isStringArray(hidden) ? hidden : defaults.hidden,
    picked: isRecord(picked) ? pickStrings(picked) : defaults.picked,
    ...(asTable === true && { asTable }),
    ...(typeof title === 'string' && title.trim() !== '' && { title: toSingleLine(title).slice(0, maxTitleLength) }),
    ...(isLimit(limit) && { limit: { value: limit.value, unit: limit.unit } }),
    ...(isTimeRange(zoom) && { zoom: { start: zoom.start, end: zoom.end } }),
  };
}

function isLimit(value: unknown): value is ChartLimit {
  if (!isRecord(value)) return false;
  const { value: limit, unit } = value;
  return typeof limit === 'number' && Math.abs(limit) <= maxLimit && typeof unit === 'string';
}

function isTimeRange(value: unknown): value is TimeWindow {
  if (!isRecord(value)) return false;
  const { start, end } = value;
  return Number.isFinite(start) && Number.isFinite(end) && (start as number) < (end as number);
}
