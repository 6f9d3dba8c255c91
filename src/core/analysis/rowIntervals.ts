import { getMaxRowLength } from '../bins/binEdges.ts';
import { getZoneOfRows } from '../bins/dayInterval.ts';
import type { RowIntervals } from '../bins/rowIntervals.ts';
import { getTimesOfColumn } from '../compare/compareFrames.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { sast } from '../time/zone.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { getTimeShape } from '../../shared/formatTime.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import { maxIntervals, type BinSize, type Resampling, type ElapsedRange } from '../../shared/resampling.ts';
import { getIntervalStart, intervalState } from '../../shared/result.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { parseFilters } from '../filter/parseFilter.ts';
import { filterRows } from '../filter/filterRows.ts';
import type { View } from '../../shared/view.ts';
import type { ResultRows } from './resultRows.ts';

const cache = new WeakMap<ResultRows, ElapsedRange | undefined>();

/** Approximate maximum length of a bin, in milliseconds. */
export const binLengthsMs: Readonly<Record<BinSize, number>> = {
  '3h': 3 * hourMs,
  day: dayMs,
  week: weekMs,
  month: 31 * dayMs,
  quarter: 92 * dayMs,
  year: 366 * dayMs,
};

/**
 * Returns the span of a result's rows, excluding intervals that are not published yet. Undefined without instants, and while only the
 * first rows have been received. Cached, because each selection in the panel needs it.
 */
export function getIntervalSpan(state: ResultRows): ElapsedRange | undefined {
  if (!cache.has(state)) cache.set(state, computeIntervalSpan(state));
  return cache.get(state);
}

function computeIntervalSpan({ frame, intervalMs, start, coverage, isHead }: ResultRows): ElapsedRange | undefined {
  const time = findTimeColumn(frame);
  if (!time || isHead) return undefined;
  const shape = getTimeShape(time, frame.rowCount);
  const { bins, lengths } = time;
  const hasUnequalLengths = bins !== undefined || lengths !== undefined;
  const shortestMs = bins ? binLengthsMs[bins.size] : Math.min(intervalMs ?? Infinity, shape.step ?? Infinity);
  const rowLengthMs = lengths ? getMaxRowLength(lengths) : shortestMs;
  if (!shape.range || !Number.isFinite(rowLengthMs)) return undefined;
  const [earliest, latest] = shape.range;
  const published = coverage && coverage.states.findLastIndex(state => state !== intervalState.notPublished) + 1;
  const isPublicationKnown = published !== undefined && (intervalMs !== undefined || coverage?.edges !== undefined);
  const earliestStart = isPublicationKnown ? Math.min(start, earliest) : earliest;
  // Rows need not begin at round times: intervals before the first row are counted from its start.
  const firstStart = hasUnequalLengths
    ? earliestStart
    : earliest - Math.floor((earliest - earliestStart) / rowLengthMs) * rowLengthMs;
  const publishedEnd = isPublicationKnown
    ? getIntervalStart(coverage ?? {}, start, intervalMs ?? NaN, published)
    : -Infinity;
  const end = Math.max(publishedEnd, latest + (hasUnequalLengths ? 1 : rowLengthMs));
  if (!((end - firstStart) / shortestMs <= maxIntervals)) return undefined;
  return { start: firstStart, end, intervalMs: rowLengthMs, ...(bins && { bins }), ...(lengths && { lengths }) };
}

/**
 * Returns the span of a column's values. For a compared period, it extends from the first row to the last, because the result's coverage
 * does not apply to that period.
 */
export function getIntervalSpanOfColumn(state: ResultRows, column: Column): ElapsedRange | undefined {
  const { frame } = state;
  const resultSpan = getIntervalSpan(state);
  const time = getTimesOfColumn(frame, column);
  if (!resultSpan || !time || time === findTimeColumn(frame)) return resultSpan;
  const { range } = getTimeShape(time, frame.rowCount);
  return range && { start: range[0], end: range[1] + resultSpan.intervalMs, intervalMs: resultSpan.intervalMs };
}

/** Returns the time zone of resampled rows, and the tariffs if they are resampled by tariff period, which uses SAST. */
export function getZoneOfBins(
  by: Scorecard['by'] | Resampling['by'],
  { frame, interval, zone, tariffs }: ResultRows,
): Pick<Resampling, 'timeZone' | 'label' | 'tariffs'> {
  if (by === 'tariffPeriod') return { ...sast, ...(tariffs && { tariffs }) };
  const { timeZone, label } = findTimeColumn(frame)?.bins ?? getZoneOfRows(interval, zone);
  return { timeZone, label };
}

/** Returns the rows that pass the filters, which use the time zone of the rows; undefined for all rows. */
export function filterPassingRows(
  filters: View['filters'],
  { frame, interval, zone, tariffs }: Pick<ResultRows, 'frame' | 'interval' | 'zone' | 'tariffs'>,
  locale: string,
): Uint32Array | undefined {
  const { timeZone } = getZoneOfRows(interval, zone);
  return filterRows(frame, parseFilters(frame, filters, { timeZone, locale, tariffs }).tests);
}

/** Returns the rows and the intervals that pass the filters. An interval without a row is filtered by its time alone. */
export function selectCountedRows(
  filters: View['filters'],
  result: ResultRows,
  { count, getStart }: Pick<RowIntervals, 'count' | 'getStart'>,
  locale: string,
): Pick<Resampling, 'rows' | 'counted'> {
  const rows = filterPassingRows(filters, result, locale);
  const time = findTimeColumn(result.frame);
  if (!rows || !time) return {};
  const values = new Float64Array(count);
  for (let interval = 0; interval < count; interval++) values[interval] = getStart(interval);
  const { name, path, bins } = time;
  const intervalTimes: TimeColumn = { kind: 'time', name, path, values, ...(bins && { bins }) };
  const intervalFrame = { rowCount: count, columns: [intervalTimes] };
  const passingIntervals = filterPassingRows(filters, { ...result, frame: intervalFrame }, locale);
  if (!passingIntervals) return { rows };
  const counted = new Uint8Array(count);
  for (const interval of passingIntervals) counted[interval] = 1;
  return { rows, counted };
}
