import { dayMs, hourMs } from '../../shared/durations.ts';
import {
  mostBridgedHours,
  peakHours,
  type EventChoiceKind,
  type EventRule,
  type EventSearch,
  type RunRule,
  type UnusualRows,
} from '../../shared/eventSearch.ts';
import {
  cellState,
  type BooleanColumn,
  type Column,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { differenceOf, hourCount, unitOf } from '../../shared/units.ts';
import { figureColumn, figureName } from '../bins/binFrame.ts';
import { binSums, type BinSums, numberAt } from '../bins/binSums.ts';
import { leaveOut } from '../bins/resample.ts';
import { rowsOfSteps, rowSteps, type RowSteps } from '../bins/rowSteps.ts';
import { parseLimit } from '../formula/columnLimit.ts';
import { evaluateCondition } from '../formula/deriveColumns.ts';
import { FormulaError } from '../formula/formula.ts';
import { numbersAt } from '../frame/clip.ts';
import { timesOfColumn } from '../compare/compare.ts';
import { eventColumns } from './eventColumns.ts';
import { fewestCompared, weeksBefore, yearsBefore } from './unusual.ts';
import { findPeaks, findRamps, findRuns, type FoundEvent, type StepValues } from './findEvents.ts';

/**
 * Whether events of a kind can be found in rows of this length in milliseconds. The hours of a ramp or around a peak must be whole rows,
 * and rows longer than a day do not recur at the same time of each week. Rows of several lengths (`time`) only allow runs.
 */
export function fitsSteps(
  kind: EventChoiceKind | EventRule['kind'],
  stepMs: number,
  time: Pick<TimeColumn, 'lengths'> | undefined,
): boolean {
  if (time?.lengths) return kind !== 'peak' && kind !== 'ramp' && kind !== 'unusual';
  if (kind === 'unusual') return stepMs <= dayMs;
  return (kind !== 'ramp' && kind !== 'peak') || hourMs % stepMs === 0;
}

/** Describes the rows in English for exported files. */
export function eventsText({ rule, column, stepMs, lengths, rows }: EventSearch): string {
  const row = stepMs === hourMs && !lengths ? 'hours' : 'rows';
  const filtered = rows ? '; only of rows that pass the filters' : '';
  return `${ruleText(rule, column, row)}${hasBridges(rule, stepMs) ? `; up to ${mostBridgedHours} unknown hours within a run are bridged` : ''}${filtered}`;
}

function ruleText(rule: EventRule, column: string, row: string): string {
  switch (rule.kind) {
    case 'peak':
      return `peaks: ${row} with the greatest ${column} within ${peakHours} hours before and after`;
    case 'ramp':
      return `ramps: ${column} changed by at least ${rule.value} over ${rule.hours} hours`;
    case 'condition':
      return `runs of ${row} in which ${rule.condition}`;
    case 'unusual':
      return `${rule.by === 'row' ? row : `${rule.by}s`} of ${column}, the most unusual first: each beside ${likeText(rule.by)}, with ${fewestCompared} of them or more`;
  }
}

/** Describes in English which rows a row is compared with. */
function likeText(by: UnusualRows): string {
  if (by === 'month') return 'the same months of earlier years';
  const which = by === 'week' ? 'those' : 'those of the same time of the week';
  return `${which} of the ${weeksBefore} weeks before and of the same week, and one to either side, of up to ${yearsBefore} earlier years`;
}

/** Whether a run may bridge unknown rows of this length in milliseconds. */
export function hasBridges({ kind }: Pick<EventRule, 'kind'>, stepMs: number): boolean {
  return kind === 'condition' && stepMs <= mostBridgedHours * hourMs;
}

/**
 * Returns one row per event, sorted by its start (by the times of the compared period for its columns): start and end, length, extreme
 * and its time, energy if the unit has one, hours with a value, and whether the event may be longer. A peak is a single row, so it has
 * no redundant columns. If several rows share an interval, the last one counts. Empty without instants or the column, for unsuitable
 * intervals, and for an invalid condition. Throws a RangeError if there are too many intervals.
 */
export function eventTable(frame: Frame, search: EventSearch & { readonly rule: RunRule }): Frame {
  const column = frame.columns.find(({ name }) => name === search.column);
  const time = column && timesOfColumn(frame, column);
  const { rule, stepMs } = search;
  if (!time || column.kind !== 'number' || !fitsSteps(rule.kind, stepMs, time)) return { rowCount: 0, columns: [] };
  const steps = rowSteps(search);
  const { count, hoursOf } = steps;
  const rows = rowsOfSteps(time, steps);
  const leftOut = new Int32Array(count);
  leaveOut(leftOut, rows, frame.rowCount, search);
  const values = new Float64Array(count).map((_, step) => numberAt(column, rows[step] ?? -1));
  const judged = rule.kind === 'condition' ? evaluateCondition(frame, rule.condition, stepMs) : undefined;
  if (judged instanceof FormulaError) return { rowCount: 0, columns: [] };
  const looked = judged ? numbersAt(judged.holds, rows) : values;
  const found = findSteps({ values: looked, leftOut }, rule, steps);
  // Ramps up and ramps down may overlap, so each event has bounds of its own.
  const bounds = Int32Array.from(found.flatMap(({ first, last }) => [first, last + 1]));
  const sums = binSums(
    column,
    { rows, bounds, stepMs, ...(hoursOf && { hours: Float64Array.from(rows.keys(), hoursOf) }) },
    Uint32Array.from(found.keys(), at => 2 * at),
  );
  return eventFrame({ time, column, rows, values, steps }, rule, found, sums);
}

function findSteps(known: StepValues, rule: RunRule, { stepMs, startOf }: RowSteps): FoundEvent[] {
  const perHour = hourMs / stepMs;
  switch (rule.kind) {
    case 'peak':
      return findPeaks(known, peakHours * perHour);
    case 'ramp':
      return findRamps(known, rule.hours * perHour, rule.value);
    case 'condition':
      return findRuns(
        known,
        holds => holds === 1,
        mostBridgedHours * hourMs,
        step => startOf(step + 1) - startOf(step),
      );
  }
}

/** The intervals to search for events. */
interface Searched {
  readonly time: TimeColumn;
  readonly column: NumberColumn;
  /** The row of each interval; -1 if there is none. */
  readonly rows: Int32Array;
  readonly values: Float64Array;
  readonly steps: RowSteps;
}

function eventFrame(searched: Searched, rule: RunRule, found: readonly FoundEvent[], sums: BinSums): Frame {
  const { time, column, rows, values, steps } = searched;
  const { startOf, hoursOf, stepMs } = steps;
  const { length: rowCount } = found;
  const described = (name: keyof typeof eventColumns) => ({ name, path: [name], field: eventColumns[name] });
  // The row's own instant, which may be within the interval.
  const instantOf = (step: number): number => time.values[rows[step] ?? -1] ?? NaN;
  const times = (name: keyof typeof eventColumns, instants: readonly number[]): TimeColumn => ({
    kind: 'time',
    ...described(name),
    values: Float64Array.from(instants),
  });
  const hours = (name: 'hours' | 'of_hours', values: Float64Array): NumberColumn => ({
    kind: 'number',
    ...described(name),
    field: { ...eventColumns[name], unit: hourCount },
    values,
  });
  const flag = (name: 'may_be_longer' | 'uncertain'): BooleanColumn => ({
    kind: 'boolean',
    ...described(name),
    values: Uint8Array.from(found, ({ isUncertain }) => Number(isUncertain)),
  });
  const starts = found.map(({ first }) => instantOf(first));
  const ends = found.map(({ last }) => (hoursOf ? startOf(last + 1) : instantOf(last) + stepMs));
  const lengths = Float64Array.from(found, ({ first, last }) => (startOf(last + 1) - startOf(first)) / hourMs);
  const made = { sums, shares: undefined, taken: new Set<string>() };
  const extreme = figureColumn(column, isBelow(rule) ? 'min' : 'max', made);
  if (rule.kind === 'peak')
    return { rowCount, columns: [times('start', starts), times('end', ends), extreme, flag('uncertain')] };
  const extremeAt = found.map(({ first, last, changeAt }, at) => {
    if (changeAt !== undefined) return changeAt;
    const place = values.subarray(first, last + 1).indexOf(extreme.values[at] ?? NaN);
    // A condition may hold where the column has no value.
    return place < 0 ? NaN : first + place;
  });
  const columns: Column[] = [
    times('start', starts),
    times('end', ends),
    hours('of_hours', lengths),
    rule.kind === 'ramp' ? changeColumn(column, extreme, found) : extreme,
    withGaps(times('extreme_at', extremeAt.map(instantOf))),
    ...(unitOf(column.field).mwhPerHour === undefined ? [] : [figureColumn(column, 'energy', made)]),
    hours('hours', sums.hours),
    flag('may_be_longer'),
  ];
  return { rowCount, columns };
}

function withGaps(column: TimeColumn): TimeColumn {
  if (!column.values.some(Number.isNaN)) return column;
  return {
    ...column,
    gaps: Uint8Array.from(column.values, ms => (Number.isNaN(ms) ? cellState.null : cellState.value)),
  };
}

/** Whether a run is characterised by its minimum. */
function isBelow(rule: EventRule): boolean {
  return rule.kind === 'condition' && parseLimit(rule.condition)?.sign === '<';
}

/** Creates the column with the changes of ramps, labelled like the extreme of the searched column. */
function changeColumn(column: NumberColumn, extreme: NumberColumn, found: readonly FoundEvent[]): NumberColumn {
  const { label = column.name, meaning = '', unit } = extreme.field ?? {};
  return {
    kind: 'number',
    name: figureName(column.name, 'change'),
    path: [...column.path.slice(0, -1), figureName(column.path.at(-1) ?? '', 'change')],
    values: Float64Array.from(found, ({ change }) => change ?? NaN),
    field: { label, meaning, figure: 'change', ...(unit && { unit: differenceOf(unit) }) },
  };
}
