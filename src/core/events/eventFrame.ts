import { dayMs, hourMs } from '../../shared/durations.ts';
import {
  maxBridgedHours,
  peakHours,
  type EventChoiceKind,
  type EventRule,
  type EventSearch,
  type RunRule,
  type UnusualBin,
} from '../../shared/eventSearch.ts';
import {
  cellState,
  type BooleanColumn,
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { getDifferenceUnit, hourCount, unitOf } from '../../shared/units.ts';
import { createFigureColumn, getFigureName } from '../bins/binFrame.ts';
import { aggregateColumn, type BinAggregates, getNumber } from '../bins/binSums.ts';
import { excludeIntervals } from '../bins/resampleFrame.ts';
import { findRowsOfIntervals, getRowIntervals, type RowIntervals } from '../bins/rowIntervals.ts';
import { parseLimit } from '../formula/columnLimit.ts';
import { evaluateCondition } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import { numbersAt } from '../frame/clip.ts';
import { getTimesOfColumn } from '../compare/compareFrames.ts';
import { eventColumns } from './eventColumns.ts';
import { minComparedValues, weeksBefore, yearsBefore } from './findUnusual.ts';
import { findPeaks, findRamps, findRuns, type FoundEvent, type IntervalValues } from './findEvents.ts';

/**
 * Whether events of a kind can be found in rows of this length in milliseconds. The hours of a ramp or around a peak must be whole rows,
 * and rows longer than a day do not recur at the same time of each week. Rows of several lengths (`time`) only allow runs.
 */
export function canFindEvents(
  kind: EventChoiceKind | EventRule['kind'],
  intervalMs: number,
  time: Pick<TimeColumn, 'lengths'> | undefined,
): boolean {
  if (time?.lengths) return kind !== 'peak' && kind !== 'ramp' && kind !== 'unusual';
  if (kind === 'unusual') return intervalMs <= dayMs;
  return (kind !== 'ramp' && kind !== 'peak') || hourMs % intervalMs === 0;
}

/** Describes the rows in English for exported files. */
export function describeEvents({
  rule,
  column,
  intervalMs,
  lengths,
  rows,
}: Pick<EventSearch, 'rule' | 'column' | 'intervalMs' | 'lengths' | 'rows'>): string {
  const rowNoun = intervalMs === hourMs && !lengths ? 'hours' : 'rows';
  const filterText = rows ? '; only rows that pass the filters' : '';
  return `${describeRule(rule, column, rowNoun)}${canBridge(rule, intervalMs) ? `; up to ${maxBridgedHours} unknown hours within a run are bridged` : ''}${filterText}`;
}

function describeRule(rule: EventRule, column: string, rowNoun: string): string {
  switch (rule.kind) {
    case 'peak':
      return `peaks: ${rowNoun} with the highest ${column} within ${peakHours} hours before and after`;
    case 'ramp':
      return `ramps: ${column} changed by at least ${rule.value} over ${rule.hours} hours`;
    case 'condition':
      return `runs of ${rowNoun} in which ${rule.condition}`;
    case 'unusual':
      return `${rule.by === 'row' ? rowNoun : `${rule.by}s`} of ${column}, the most unusual first: each compared with ${describeComparedRows(rule.by)}, if at least ${minComparedValues} of them have a value`;
  }
}

/** Describes in English which rows a row is compared with. */
function describeComparedRows(by: UnusualBin): string {
  if (by === 'month') return 'the same months of earlier years';
  const rows = by === 'week' ? 'weeks' : 'rows at the same time of the week';
  return `${rows} in the ${weeksBefore} weeks before, and around the same week of up to ${yearsBefore} earlier years`;
}

/** Whether a run may bridge unknown rows of this length in milliseconds. */
export function canBridge({ kind }: Pick<EventRule, 'kind'>, intervalMs: number): boolean {
  return kind === 'condition' && intervalMs <= maxBridgedHours * hourMs;
}

/**
 * Returns one row per event, sorted by its start (by the times of the compared period for its columns): start and end, length, extreme
 * and its time, energy if the unit has one, hours with a value, and whether the event may be longer. A peak is a single row, so it has
 * no redundant columns. If several rows share an interval, the last one counts. Empty without instants or the column, for unsuitable
 * intervals, and for an invalid condition. Throws a RangeError if there are too many intervals.
 */
export function createEventFrame(frame: Frame, search: EventSearch & { readonly rule: RunRule }): Frame {
  const column = frame.columns.find(({ name }) => name === search.column);
  const time = column && getTimesOfColumn(frame, column);
  const { rule, intervalMs } = search;
  if (!time || column.kind !== 'number' || !canFindEvents(rule.kind, intervalMs, time))
    return { rowCount: 0, columns: [] };
  const rowIntervals = getRowIntervals(search);
  const { count, getHours } = rowIntervals;
  const rows = findRowsOfIntervals(time, rowIntervals);
  const excluded = new Int32Array(count);
  excludeIntervals(excluded, rows, frame.rowCount, search);
  const values = new Float64Array(count).map((_, interval) => getNumber(column, rows[interval] ?? -1));
  const conditionResult =
    rule.kind === 'condition' ? evaluateCondition(frame, rule.condition, intervalMs, search.tariffs) : undefined;
  if (conditionResult instanceof FormulaError) return { rowCount: 0, columns: [] };
  const searchedValues = conditionResult ? numbersAt(conditionResult.holds, rows) : values;
  const events = findEvents({ values: searchedValues, excluded }, rule, rowIntervals);
  // Ramps up and ramps down may overlap, so each event has separate bounds.
  const bounds = Int32Array.from(events.flatMap(({ first, last }) => [first, last + 1]));
  const sums = aggregateColumn(
    column,
    { rows, bounds, intervalMs, ...(getHours && { hours: Float64Array.from(rows.keys(), getHours) }) },
    Uint32Array.from(events.keys(), event => 2 * event),
  );
  return assembleEventFrame({ time, column, rows, values, intervals: rowIntervals }, rule, events, sums);
}

function findEvents(
  intervalValues: IntervalValues,
  rule: RunRule,
  { intervalMs, getStart }: RowIntervals,
): FoundEvent[] {
  const intervalsPerHour = hourMs / intervalMs;
  switch (rule.kind) {
    case 'peak':
      return findPeaks(intervalValues, peakHours * intervalsPerHour);
    case 'ramp':
      return findRamps(intervalValues, rule.hours * intervalsPerHour, rule.value);
    case 'condition':
      return findRuns(
        intervalValues,
        holds => holds === 1,
        maxBridgedHours * hourMs,
        interval => getStart(interval + 1) - getStart(interval),
      );
  }
}

/** The intervals to search for events. */
interface SearchedIntervals {
  readonly time: TimeColumn;
  readonly column: NumberColumn;
  /** The row of each interval; -1 for an interval without a row. */
  readonly rows: Int32Array;
  readonly values: Float64Array;
  readonly intervals: RowIntervals;
}

function assembleEventFrame(
  searched: SearchedIntervals,
  rule: RunRule,
  events: readonly FoundEvent[],
  sums: BinAggregates,
): Frame {
  const { time, column, rows, values, intervals } = searched;
  const { getStart, getHours, intervalMs } = intervals;
  const rowCount = events.length;
  const describeColumn = (name: keyof typeof eventColumns) => ({ name, path: [name], field: eventColumns[name] });
  // The instant of the row may be within the interval.
  const getInstant = (interval: number): number => time.values[rows[interval] ?? -1] ?? NaN;
  const createTimeColumn = (name: keyof typeof eventColumns, instants: readonly number[]): TimeColumn => ({
    kind: 'time',
    ...describeColumn(name),
    values: Float64Array.from(instants),
  });
  const createHourColumn = (name: 'hours' | 'of_hours', values: Float64Array): NumberColumn => ({
    kind: 'number',
    ...describeColumn(name),
    field: { ...eventColumns[name], unit: hourCount },
    values,
  });
  const createFlagColumn = (name: 'may_be_longer' | 'uncertain'): BooleanColumn => ({
    kind: 'boolean',
    ...describeColumn(name),
    values: Uint8Array.from(events, ({ isUncertain }) => Number(isUncertain)),
  });
  const starts = events.map(({ first }) => getInstant(first));
  const ends = events.map(({ last }) => (getHours ? getStart(last + 1) : getInstant(last) + intervalMs));
  const lengths = Float64Array.from(events, ({ first, last }) => (getStart(last + 1) - getStart(first)) / hourMs);
  const figureInput = { sums, shares: undefined, usedNames: new Set<string>() };
  const extreme = createFigureColumn(column, usesMinimum(rule) ? 'min' : 'max', figureInput);
  if (rule.kind === 'peak')
    return {
      rowCount,
      columns: [
        createTimeColumn('start', starts),
        createTimeColumn('end', ends),
        extreme,
        createFlagColumn('uncertain'),
      ],
    };
  const extremeAt = events.map(({ first, last, changeAt }, event) => {
    if (changeAt !== undefined) return changeAt;
    const extremeIndex = values.subarray(first, last + 1).indexOf(extreme.values[event] ?? NaN);
    // A condition may be true in a row in which the column has no value.
    return extremeIndex < 0 ? NaN : first + extremeIndex;
  });
  const columns: Column[] = [
    createTimeColumn('start', starts),
    createTimeColumn('end', ends),
    createHourColumn('of_hours', lengths),
    rule.kind === 'ramp' ? createChangeColumn(column, extreme, events) : extreme,
    addGaps(createTimeColumn('extreme_at', extremeAt.map(getInstant))),
    ...(unitOf(column.field).mwhPerHour === undefined ? [] : [createFigureColumn(column, 'energy', figureInput)]),
    createHourColumn('hours', sums.hours),
    createFlagColumn('may_be_longer'),
  ];
  return { rowCount, columns };
}

function addGaps(column: TimeColumn): TimeColumn {
  if (!column.values.some(Number.isNaN)) return column;
  return {
    ...column,
    gaps: Uint8Array.from(column.values, ms => (Number.isNaN(ms) ? cellState.null : cellState.value)),
  };
}

/** Whether a run is characterized by its minimum. */
function usesMinimum(rule: EventRule): boolean {
  return rule.kind === 'condition' && parseLimit(rule.condition)?.sign === '<';
}

/** Creates the column with the changes of ramps, labelled like the extreme of the searched column. */
function createChangeColumn(column: NumberColumn, extreme: NumberColumn, events: readonly FoundEvent[]): NumberColumn {
  const { label = column.name, meaning = '', unit } = extreme.field ?? {};
  return {
    kind: 'number',
    name: getFigureName(column.name, 'change'),
    path: [...column.path.slice(0, -1), getFigureName(column.path.at(-1) ?? '', 'change')],
    values: Float64Array.from(events, ({ change }) => change ?? NaN),
    field: { label, meaning, figure: 'change', ...(unit && { unit: getDifferenceUnit(unit) }) },
  };
}
