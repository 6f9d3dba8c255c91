import {
  cellState,
  stateAt,
  type Column,
  type FieldInfo,
  type Figure,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { energy, hourCount, powerExtreme, unitOf, type Unit } from '../../shared/units.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { uniqueName } from '../export/exportTable.ts';
import { stepRows, type Steps } from '../time/steps.ts';
import { binSums, shareSums, type BinSums, type ShareSums } from './binSums.ts';
import { stepState, type Coverage, type Result, type StepHours } from '../../shared/result.ts';
import { countStates, intervalsOf, listedIntervals } from '../frame/coverage.ts';
import type { RequestedDays } from '../query/query.ts';

/** Bins of time and their steps: a step belongs to the bin in which it begins. */
interface Bins {
  /** Ascending UTC milliseconds, one more than there are bins: each is [edge, next edge). */
  readonly edges: Float64Array;
  /** The length of a step; steps begin at its multiples since 1970. */
  readonly stepMs: number;
  /** The zone of the days. */
  readonly zone: NonNullable<TimeColumn['days']>;
}

/** The first step of each bin and, at the end, the one after the last, counted from the first. */
function stepBounds({ edges, stepMs }: Pick<Bins, 'edges' | 'stepMs'>): Int32Array {
  const first = Math.ceil((edges[0] ?? 0) / stepMs);
  return Int32Array.from(edges, edge => Math.ceil(edge / stepMs) - first);
}

/** Labels of the columns with the number of hours of a day: those with data, and all. */
export const binCounts = {
  hours: { label: 'Hours', meaning: 'Hours with data; the other numbers use the hours that have a value' },
  ofHours: { label: 'Of hours', meaning: 'Hours in the day: 24, or 23 or 25 when clocks change' },
} as const;

const hourMs = 3_600_000;

/**
 * One row for each bin that has data: its beginning, how many of its hours have data and how many it has, and the figures of each number.
 * Power: mean, energy, minimum and maximum; power that is not a mean over its step, and a share: minimum and maximum; an energy: total,
 * minimum and maximum; any other number: mean, minimum and maximum. A share whose part is known is computed from energies. Null, absent
 * and infinite numbers don't count. Of several rows of one step the last counts. In steps of a few milliseconds.
 */
export function* binFrameSteps(frame: Frame, bins: Bins): Steps<Frame> {
  const time = timeColumnOf(frame);
  if (!time) return { rowCount: 0, columns: [] };
  const bounds = stepBounds(bins);
  const rows = yield* rowOfStepSteps(time, bins, bounds.at(-1) ?? 0);
  const counts = countRows(rows, bounds);
  const filled = Uint32Array.from(counts.keys()).filter(bin => (counts[bin] ?? 0) > 0);
  const perHour = bins.stepMs / hourMs;
  const hoursOf = (steps: ArrayLike<number>): Float64Array =>
    Float64Array.from(filled, bin => (steps[bin] ?? 0) * perHour);
  const sizes = counts.map((_, bin) => (bounds[bin + 1] ?? 0) - (bounds[bin] ?? 0));
  yield;
  const taken = new Set(frame.columns.map(({ name }) => name));
  const starts = Float64Array.from(filled, bin => bins.edges[bin] ?? NaN);
  const { name, path, field } = time;
  const columns: Column[] = [
    {
      kind: 'time',
      name,
      path,
      values: starts,
      days: bins.zone,
      ...(field && { field: { ...field, label: rowLabels.day } }),
    },
    ...hourCounts({ hours: hoursOf(counts), ofHours: hoursOf(sizes) }, taken),
  ];
  const made: Record<Figure, Column[]> = { mean: [], share: [], total: [], energy: [], min: [], max: [] };
  for (const column of frame.columns) {
    if (column.kind !== 'number') continue;
    const part = partOf(frame, column);
    const sums = yield* binSums(column, rows, bounds, filled);
    const shares = part && (yield* shareSums(column, part, rows, bounds, filled));
    for (const figure of figuresOf(column, part)) {
      const figured = figureColumn(column, figure, { sums, shares, perHour, taken });
      taken.add(figured.name);
      made[figure].push(figured);
    }
  }
  const { mean, share, total, energy: energies, min, max } = made;
  const first = inOrder(frame, [...mean, ...share, ...total]);
  return { rowCount: filled.length, columns: [...columns, ...first, ...energies, ...min, ...max] };
}

/** The columns with the number of hours of each row; adds their names to `taken`. */
export function hourCounts({ hours, ofHours, gaps }: HourCounts, taken: Set<string>): NumberColumn[] {
  const column = (wanted: string, field: FieldInfo, values: Float64Array): NumberColumn => {
    const name = uniqueName(wanted, taken);
    taken.add(name);
    return { kind: 'number', name, path: [name], values, ...(gaps && { gaps }), field: { ...field, unit: hourCount } };
  };
  return [column('hours', binCounts.hours, hours), column('of_hours', binCounts.ofHours, ofHours)];
}

interface HourCounts {
  readonly hours: Float64Array;
  readonly ofHours: Float64Array;
  readonly gaps?: Uint8Array;
}

/** The row of each step, the last of several; -1 for none. */
function* rowOfStepSteps(
  time: TimeColumn,
  { edges, stepMs }: Pick<Bins, 'edges' | 'stepMs'>,
  steps: number,
): Steps<Int32Array> {
  const first = Math.ceil((edges[0] ?? 0) / stepMs);
  const rows = new Int32Array(steps).fill(-1);
  for (let row = 0; row < time.values.length; row++) {
    if (row % stepRows === stepRows - 1) yield;
    if (stateAt(time, row) !== cellState.value) continue;
    const step = Math.floor((time.values[row] ?? NaN) / stepMs) - first;
    if (step >= 0 && step < steps) rows[step] = row;
  }
  return rows;
}

function countRows(rows: Int32Array, bounds: Int32Array): Uint32Array {
  return new Uint32Array(bounds.length - 1).map(
    (_, bin) => rows.subarray(bounds[bin], bounds[bin + 1]).filter(row => row >= 0).length,
  );
}

function figuresOf({ field }: NumberColumn, part: NumberColumn | undefined): readonly Figure[] {
  const { kind, mwhPerHour } = unitOf(field);
  switch (kind) {
    case 'power':
      return mwhPerHour === undefined ? ['min', 'max'] : ['mean', 'energy', 'min', 'max'];
    case 'energy':
      return ['total', 'min', 'max'];
    case 'share':
      return part ? ['share', 'min', 'max'] : ['min', 'max'];
    case 'index':
    case 'none':
      return ['mean', 'min', 'max'];
  }
}

/** The power column that a share is the share of, where the frame has it. */
function partOf(frame: Frame, { field }: NumberColumn): NumberColumn | undefined {
  const found = frame.columns.find(({ name }) => name === field?.shareOf);
  return found?.kind === 'number' && unitOf(found.field).mwhPerHour !== undefined ? found : undefined;
}

interface Made {
  readonly sums: BinSums;
  readonly shares: ShareSums | undefined;
  /** The length of a step in hours. */
  readonly perHour: number;
  readonly taken: ReadonlySet<string>;
}

function figureColumn(column: NumberColumn, figure: Figure, { sums, shares, perHour, taken }: Made): NumberColumn {
  const isOwn = figure === 'mean' || figure === 'share' || figure === 'total';
  const unit = unitOfFigure(unitOf(column.field), figure);
  const name = isOwn ? column.name : uniqueName(figureName(column.name, figure), taken);
  const path = isOwn
    ? column.path
    : [...column.path.slice(0, -1), name.slice(column.name.length - (column.path.at(-1) ?? '').length)];
  const label = column.field?.label ?? column.name;
  const field: FieldInfo = { label, meaning: column.field?.meaning ?? '', figure, ...(unit && { unit }) };
  const { gaps } = figure === 'share' && shares ? shares : sums;
  const hasGaps = gaps.some(state => state !== cellState.value);
  const base = { kind: 'number', name, path, field, ...(hasGaps && { gaps }) } as const;
  switch (figure) {
    case 'mean':
      return { ...base, values: sums.means, hours: sums.counts.map(steps => steps * perHour) };
    case 'share': {
      const { means, counts } = shares ?? sums;
      return { ...base, values: means, hours: counts.map(steps => steps * perHour) };
    }
    case 'total':
      return { ...base, values: sums.sums };
    case 'energy':
      return { ...base, values: sums.sums.map(sum => sum * perHour * (unitOf(column.field).mwhPerHour ?? NaN)) };
    case 'min':
      return { ...base, values: sums.least };
    case 'max':
      return { ...base, values: sums.greatest };
  }
}

function unitOfFigure(unit: Unit, figure: Figure): Unit | undefined {
  const difference = unit.difference && { difference: unit.difference };
  if (figure === 'energy') return { ...energy, ...difference };
  const isExtreme = figure === 'min' || figure === 'max';
  if (unit.kind === 'power' && isExtreme) return { ...powerExtreme, ...difference };
  return unit.kind === 'none' && unit.text === '' ? undefined : unit;
}

/** "wind_mw" becomes "wind_min_mw", "wind_max_mw" and "wind_mwh"; "value" becomes "value_min". */
function figureName(name: string, figure: Figure): string {
  const [, stem = name, unit = ''] = /^(.*)(_(?:mwh?|pct))$/.exec(name) ?? [];
  return figure === 'energy' ? `${stem}_mwh` : `${stem}_${figure}${unit}`;
}

/** The columns in the order of the frame's columns of the same names. */
function inOrder(frame: Frame, columns: readonly Column[]): Column[] {
  const byName = new Map(columns.map(column => [column.name, column]));
  return frame.columns.flatMap(({ name }) => byName.get(name) ?? []);
}

/** The state of a day without a row: the first of these that one of its hours has. */
const reasons = [stepState.failed, stepState.notAsked, stepState.late, stepState.missing, stepState.notPublished];

/**
 * Aggregates a result of hours to the requested days. Cost, failures and revisions stay those of the hours; a result without a table stays
 * as it is. In steps of a few milliseconds.
 */
export function* daysOfResultSteps(result: Result, days: RequestedDays, stepMs: number): Steps<Result> {
  const { interval, zone, edges } = days;
  const { frame, coverage } = result;
  const provenance = {
    ...result.provenance,
    interval,
    days: zone,
    start: edges[0] ?? NaN,
    end: edges.at(-1) ?? NaN,
  };
  if (!frame) return { ...result, provenance };
  const made: Frame = yield* binFrameSteps(frame, { edges, stepMs, zone });
  return { ...result, frame: made, coverage: coverage && daysOfCoverage(coverage, edges, stepMs), provenance };
}

/** The coverage of days, from that of their hours: a day with at least one hour is present. */
function daysOfCoverage(coverage: Coverage, edges: Float64Array, stepMs: number): Coverage {
  const bounds = stepBounds({ edges, stepMs });
  const count = edges.length - 1;
  const states = new Uint8Array(count);
  const archived = new Uint8Array(count);
  const hours = hoursOfDays(coverage.states, bounds);
  for (let day = 0; day < count; day++) {
    const [from, to] = [bounds[day] ?? 0, bounds[day + 1] ?? 0];
    const own = coverage.states.subarray(from, to);
    const isFetched = own.some((state, step) => state === stepState.present && coverage.archived[from + step] === 0);
    const isPresent = (hours.present[day] ?? 0) > 0;
    states[day] = isPresent ? stepState.present : (reasons.find(reason => own.includes(reason)) ?? stepState.missing);
    archived[day] = isPresent && !isFetched ? 1 : 0;
  }
  const { missing, notPublished, failed, notAsked, late, present, expected } = coverage;
  const intervals = intervalsOf(states, stepState.missing, { start: 0, end: count }, 1, listedIntervals);
  return {
    expected: count,
    ...countStates(states),
    missingStretches: intervals.map(([from, to]) => [edges[from] ?? NaN, edges[to] ?? NaN]),
    states,
    archived,
    edges,
    hours: { ...hours, counts: { present, missing, notPublished, failed, notAsked, late, expected } },
  };
}

/** How many hours of each day are present. `bounds`: from `stepBounds`. */
function hoursOfDays(states: Uint8Array, bounds: Int32Array): StepHours {
  const days = new Uint8Array(bounds.length - 1);
  const stepsOf = (day: number): Uint8Array => states.subarray(bounds[day], bounds[day + 1]);
  return {
    present: days.map((_, day) => stepsOf(day).filter(state => state === stepState.present).length),
    expected: days.map((_, day) => stepsOf(day).length),
  };
}
