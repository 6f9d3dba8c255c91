import type { Frame } from '../../shared/frame.ts';
import { defaultOptions } from './chartColumns.ts';
import { chartModes } from './chartModel.ts';
import type { ChartOptions, TimeRange } from './chartModel.ts';

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
