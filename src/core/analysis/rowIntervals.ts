import { greatestLength } from '../bins/binEdges.ts';
import { zoneOfRows } from '../bins/dayInterval.ts';
import type { RowSteps } from '../bins/rowSteps.ts';
import { timesOfColumn } from '../compare/compare.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { sast } from '../time/zone.ts';
import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { timeShape } from '../../shared/formatTime.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import { mostSteps, type BinSize, type Resampling, type StepSpan } from '../../shared/resampling.ts';
import { stepStart, stepState } from '../../shared/result.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { parseFilters } from '../filter/parseFilter.ts';
import { filterRows } from '../filter/filterRows.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { ResultRows } from './resultRows.ts';

const known = new WeakMap<ResultRows, StepSpan | undefined>();

/** Approximate maximum length of a bin, in milliseconds. */
export const binLengths: Readonly<Record<BinSize, number>> = {
  '3h': 3 * hourMs,
  day: dayMs,
  week: weekMs,
  month: 31 * dayMs,
  quarter: 92 * dayMs,
  year: 366 * dayMs,
};

/**
 * Returns the intervals of a result's rows, without those that are not published yet. Undefined without instants, and while only the
 * first rows are there. Cached, because each selection in the panel needs it.
 */
export function stepSpanOf(state: ResultRows): StepSpan | undefined {
  if (!known.has(state)) known.set(state, stepSpan(state));
  return known.get(state);
}

function stepSpan({ frame, step, start, coverage, isHead }: ResultRows): StepSpan | undefined {
  const time = timeColumnOf(frame);
  if (!time || isHead) return undefined;
  const shape = timeShape(time, frame.rowCount);
  const { bins, lengths } = time;
  const isUnlike = bins !== undefined || lengths !== undefined;
  const shortest = bins ? binLengths[bins.size] : Math.min(step ?? Infinity, shape.step ?? Infinity);
  const stepMs = lengths ? greatestLength(lengths) : shortest;
  if (!shape.range || !Number.isFinite(stepMs)) return undefined;
  const [earliest, latest] = shape.range;
  const published = coverage && coverage.states.findLastIndex(state => state !== stepState.notPublished) + 1;
  const isWhole = published !== undefined && (step !== undefined || coverage?.edges !== undefined);
  const least = isWhole ? Math.min(start, earliest) : earliest;
  // Rows need not begin at round times: intervals before the first row are counted from its start.
  const from = isUnlike ? least : earliest - Math.floor((earliest - least) / stepMs) * stepMs;
  const publishedEnd = isWhole ? stepStart(coverage ?? {}, start, step ?? NaN, published) : -Infinity;
  const end = Math.max(publishedEnd, latest + (isUnlike ? 1 : stepMs));
  if (!((end - from) / shortest <= mostSteps)) return undefined;
  return { start: from, end, stepMs, ...(bins && { bins }), ...(lengths && { lengths }) };
}

/**
 * Returns the intervals of a column's values. Those of a compared period reach from its first row to its last, because the result's
 * coverage does not apply to it.
 */
export function stepSpanOfColumn(state: ResultRows, column: Column): StepSpan | undefined {
  const { frame } = state;
  const steps = stepSpanOf(state);
  const time = timesOfColumn(frame, column);
  if (!steps || !time || time === timeColumnOf(frame)) return steps;
  const { range } = timeShape(time, frame.rowCount);
  return range && { start: range[0], end: range[1] + steps.stepMs, stepMs: steps.stepMs };
}

/** Returns the time zone of resampled rows, and the tariffs if they are resampled by tariff period, which uses SAST. */
export function zoneOfBins(
  by: Scorecard['by'] | Resampling['by'],
  { frame, interval, zone, tariffs }: ResultRows,
): Pick<Resampling, 'timeZone' | 'label' | 'tariffs'> {
  if (by === 'tariffPeriod') return { ...sast, ...(tariffs && { tariffs }) };
  const { timeZone, label } = timeColumnOf(frame)?.bins ?? zoneOfRows(interval, zone);
  return { timeZone, label };
}

/** Returns the rows that pass the filters, which use the time zone of the rows; undefined for all rows. */
export function passingRows(
  filters: PanelView['filters'],
  { frame, interval, zone, tariffs }: Pick<ResultRows, 'frame' | 'interval' | 'zone' | 'tariffs'>,
  locale: string,
): Uint32Array | undefined {
  const { timeZone } = zoneOfRows(interval, zone);
  return filterRows(frame, parseFilters(frame, filters, { timeZone, locale, tariffs }).tests);
}

/** Determines which rows and which intervals count, according to the filters. An interval without a row is filtered by its time alone. */
export function countRows(
  filters: PanelView['filters'],
  result: ResultRows,
  { count, startOf }: Pick<RowSteps, 'count' | 'startOf'>,
  locale: string,
): Pick<Resampling, 'rows' | 'counted'> {
  const rows = passingRows(filters, result, locale);
  const time = timeColumnOf(result.frame);
  if (!rows || !time) return {};
  const values = new Float64Array(count);
  for (let step = 0; step < count; step++) values[step] = startOf(step);
  const { name, path, bins } = time;
  const ofSteps: TimeColumn = { kind: 'time', name, path, values, ...(bins && { bins }) };
  const steps = { rowCount: count, columns: [ofSteps] };
  const passing = passingRows(filters, { ...result, frame: steps }, locale);
  if (!passing) return { rows };
  const counted = new Uint8Array(count);
  for (const step of passing) counted[step] = 1;
  return { rows, counted };
}
