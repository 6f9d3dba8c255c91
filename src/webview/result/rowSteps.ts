import { zoneOfRows } from '../../core/bins/dayInterval.ts';
import { timesOfColumn } from '../../core/compare/compare.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { sast } from '../../core/time/zone.ts';
import { timeShape } from '../../shared/formatTime.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import { mostSteps, type Resampling, type StepSpan } from '../../shared/resampling.ts';
import { stepState } from '../../shared/result.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { parseFilters } from '../rows/parseFilter.ts';
import { filterRows } from '../rows/rowOrder.ts';
import type { PanelView } from '../../shared/savedView.ts';
import type { TableState } from './rowModel.ts';

const known = new WeakMap<TableState, StepSpan | undefined>();

/**
 * The steps of a result's rows, without those that are not published yet. Undefined without instants, for bins such as days of a zone, whose
 * lengths differ, and while there are only the first rows. Cached, since each choice in the panel needs it.
 */
export function stepsOf(state: TableState): StepSpan | undefined {
  if (!known.has(state)) known.set(state, stepSpan(state));
  return known.get(state);
}

function stepSpan({ frame, step, start, coverage, isHead }: TableState): StepSpan | undefined {
  const time = timeColumnOf(frame);
  if (!time || time.bins || isHead) return undefined;
  const shape = timeShape(time, frame.rowCount);
  const stepMs = Math.min(step ?? Infinity, shape.step ?? Infinity);
  if (!shape.range || !Number.isFinite(stepMs)) return undefined;
  const [earliest, latest] = shape.range;
  const published = coverage && coverage.states.findLastIndex(state => state !== stepState.notPublished) + 1;
  const isWhole = published !== undefined && step !== undefined;
  const from = isWhole ? Math.min(start, earliest) : earliest;
  const end = Math.max(isWhole ? start + published * step : 0, latest + stepMs);
  return (end - from) / stepMs <= mostSteps ? { start: from, end, stepMs } : undefined;
}

/** The steps of a column's values: of the compared period from its first row to its last, since its coverage is not the result's. */
export function stepsOfColumn(state: TableState, column: Column): StepSpan | undefined {
  const { frame } = state;
  const steps = stepsOf(state);
  const time = timesOfColumn(frame, column);
  if (!steps || !time || time === timeColumnOf(frame)) return steps;
  const { range } = timeShape(time, frame.rowCount);
  return range && { start: range[0], end: range[1] + steps.stepMs, stepMs: steps.stepMs };
}

/** The zone of resampled rows, and tariffs for those by tariff periods, which are by SAST. */
export function zoneOfBins(
  by: Scorecard['by'] | Resampling['by'],
  { interval, zone, tariffs }: TableState,
): Pick<Resampling, 'timeZone' | 'label' | 'tariffs'> {
  return by === 'tariffPeriod' ? { ...sast, ...(tariffs && { tariffs }) } : zoneOfRows(interval, zone);
}

/** Which rows count, and which of `count` steps from `first` on, by the filters. A step without a row is left out by its time alone. */
export function countedRows(
  filters: PanelView['filters'],
  { frame, interval, zone, tariffs }: TableState,
  { first, count, stepMs }: { readonly first: number; readonly count: number; readonly stepMs: number },
  locale: string,
): Pick<Resampling, 'rows' | 'counted'> {
  const context = { timeZone: zoneOfRows(interval, zone).timeZone, locale, tariffs };
  const rows = filterRows(frame, parseFilters(frame, filters, context).tests);
  const time = timeColumnOf(frame);
  if (!rows || !time) return {};
  const values = new Float64Array(count);
  for (let step = 0; step < count; step++) values[step] = (first + step) * stepMs;
  const ofSteps: TimeColumn = { kind: 'time', name: time.name, path: time.path, values };
  const steps = { rowCount: count, columns: [ofSteps] };
  const passing = filterRows(steps, parseFilters(steps, filters, context).tests);
  if (!passing) return { rows };
  const counted = new Uint8Array(count);
  for (const step of passing) counted[step] = 1;
  return { rows, counted };
}
