import { hourMs } from '../../shared/durations.ts';
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
import { stressField } from '../../shared/fields.ts';
import { stressBandIds, type StressBand } from '../../shared/stressBands.ts';
import type { BinsOfZone } from '../../shared/resampling.ts';
import { energy, hourCount, isHourCount, powerExtreme, unitOf, type Unit } from '../../shared/units.ts';
import { numbersAt, timeColumnOf } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { uniqueName } from '../export/exportTable.ts';
import {
  bandHours,
  binSums,
  hoursOfRows,
  partsOf,
  shareSums,
  type BinSums,
  type ShareSums,
  type SortedSteps,
} from './binSums.ts';
import { rowsOfSteps, rowSteps } from './rowSteps.ts';

/** Days and the service's steps, which begin at multiples of their length since 1970: one belongs to the day in which it begins. */
interface Days {
  /** Ascending UTC milliseconds, one more than there are days: each is [edge, next edge). */
  readonly edges: Float64Array;
  readonly stepMs: number;
  readonly zone: Omit<BinsOfZone, 'size'>;
}

/** The first step of each bin and, at the end, the one after the last, counted from the first. */
export function stepBounds({ edges, stepMs }: Pick<Days, 'edges' | 'stepMs'>): Int32Array {
  const first = Math.ceil((edges[0] ?? 0) / stepMs);
  return Int32Array.from(edges, edge => Math.ceil(edge / stepMs) - first);
}

/** Labels of the columns with the number of hours of a row: those with data, and all. */
export const binCounts = {
  hours: { label: 'Hours', meaning: 'Hours with data; the other numbers use the hours that have a value' },
  ofHours: { label: 'Of hours', meaning: 'Hours there are: 24 in a day, or 23 or 25 when clocks change' },
} as const;

/**
 * One row for each day that has data: its beginning, how many of its hours have data and how many it has, and the figures of each number,
 * as `figuresOfBins` makes them. Of several rows of one step the last counts.
 */
export function binFrame(frame: Frame, days: Days): Frame {
  const time = timeColumnOf(frame);
  if (!time) return { rowCount: 0, columns: [] };
  const { edges, stepMs, zone } = days;
  const bounds = stepBounds(days);
  const start = Math.ceil((edges[0] ?? 0) / stepMs) * stepMs;
  const rows = rowsOfSteps(time, rowSteps({ start, end: start + (bounds.at(-1) ?? 0) * stepMs, stepMs }));
  const bins = new Uint32Array(bounds.length - 1).map((_, bin) => bin);
  const filled = bins.filter(bin => rows.subarray(bounds[bin], bounds[bin + 1]).some(row => row >= 0));
  const key = binTimes(time, { size: 'day', ...zone }, edges, filled);
  return figuresOfBins(frame, { rows, bounds, stepMs }, filled, key);
}

/** The beginnings of the bins as a column in the place of a time column. */
export function binTimes(
  { name, path, field }: TimeColumn,
  bins: BinsOfZone,
  edges: Float64Array,
  filled: Uint32Array,
): TimeColumn {
  const values = Float64Array.from(filled, bin => edges[bin] ?? NaN);
  return {
    kind: 'time',
    name,
    path,
    values,
    bins,
    ...(field && { field: { ...field, label: rowLabels[bins.size] } }),
  };
}

/**
 * One row for each of these bins: what it is called, how many of its hours have data and how many it has, and the figures of each number.
 * Power: mean, energy, minimum and maximum; power that is not a mean over its step, an energy over hours that other rows count too, and a
 * share: minimum and maximum; another energy: total, minimum and maximum; any other number: mean, minimum and maximum; `withBands`, the hours of the stress index in each band too. A share
 * whose part is known is computed from energies. Null, absent and infinite numbers don't count, and numbers of hours have no figures. Rows
 * that are bins themselves have these figures in columns: each is made again, the energies' totals, the least of the least.
 */
export function figuresOfBins(
  frame: Frame,
  steps: SortedSteps,
  bins: Uint32Array,
  key: Column,
  withBands = false,
): Frame {
  const counts = hoursInBins(frame, steps, bins);
  // The hours of the rows themselves are in those of the bins.
  const kept = frame.columns.filter(column => column.kind !== 'number' || !isHourCount(unitOf(column.field)));
  const taken = new Set(kept.map(({ name }) => name));
  const columns: Column[] = [key, ...hourCounts(counts, taken)];
  const made: NumberColumn[] = [];
  const time = timeColumnOf(frame);
  const times = time?.values;
  const ofOthers = time?.bins && figuresByName(kept);
  const add = (column: NumberColumn): void => {
    taken.add(column.name);
    made.push(column);
  };
  for (const column of kept) {
    if (column.kind !== 'number') continue;
    const parts = partsOf(frame, column);
    const sums = binSums(column, steps, bins);
    const shares = parts && shareSums(parts, steps, bins);
    const again = ofOthers?.get(column.name);
    const figures = again
      ? [again === 'energy' ? ('total' as const) : again]
      : figuresOf(column, parts !== undefined).filter(figure => !ofOthers?.has(figureName(column.name, figure)));
    for (const figure of figures)
      add(figureColumn(column, figure, { sums, shares, taken, times, isAgain: again !== undefined }));
    // Of a day there is no telling how many of its hours were in a band.
    if (!withBands || steps.stepMs > hourMs || column.name !== stressField || unitOf(column.field).kind !== 'index')
      continue;
    const bands = bandHours(column, steps, bins);
    for (const band of stressBandIds) add(bandColumn(column, band, { hours: bands[band], sums, taken }));
  }
  const byName = new Map(made.map(column => [column.name, column]));
  // The figures that have the name of their column.
  const first = kept.flatMap(({ name }) => byName.get(name) ?? []);
  const own = new Set(first);
  const rest = laterFigures.flatMap(figure => made.filter(one => one.field?.figure === figure && !own.has(one)));
  return { rowCount: bins.length, columns: [...columns, ...first, ...rest] };
}

const namedFigures = ['energy', 'min', 'max'] as const;

/** By the names of columns that are figures of others, which figure each is. */
export function figuresByName(columns: readonly Column[]): ReadonlyMap<string, (typeof namedFigures)[number]> {
  const names = new Set(columns.map(({ name }) => name));
  const all = columns.flatMap(({ name }) => namedFigures.map(figure => [figureName(name, figure), figure] as const));
  return new Map(all.filter(([name]) => names.has(name)));
}

const laterFigures: readonly Figure[] = ['energy', 'min', 'max', ...stressBandIds];

/** How many hours of each bin have data, and how many there are: of rows that count their hours, these. */
function hoursInBins(
  frame: Frame,
  { rows, bounds, stepMs, hours: lengths }: SortedSteps,
  bins: Uint32Array,
): HourCounts {
  const known = hourCountsIn(frame);
  const [hours, ofHours] = [new Float64Array(bins.length), new Float64Array(bins.length)];
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    for (let step = bounds[bin] ?? 0; step < (bounds[bin + 1] ?? 0); step++) {
      const row = rows[step] ?? -1;
      const perHour = lengths?.[step] ?? stepMs / hourMs;
      const isKnown = known !== undefined && row >= 0 && stateAt(known[0], row) === cellState.value;
      hours[at] = (hours[at] ?? 0) + (row < 0 ? 0 : isKnown ? (known[0].values[row] ?? 0) : perHour);
      ofHours[at] = (ofHours[at] ?? 0) + (isKnown ? (known[1].values[row] ?? 0) : perHour);
    }
  }
  return { hours, ofHours };
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

/** The same columns in a frame that has them, also those of a compared period: how many hours of each row have data, and there are. */
export function hourCountsIn(
  { columns }: Frame,
  isCompared = false,
): readonly [hours: NumberColumn, ofHours: NumberColumn] | undefined {
  const counts = columns.filter(
    ({ kind, field }) =>
      kind === 'number' && isHourCount(unitOf(field)) && (field?.compares !== undefined) === isCompared,
  );
  const [hours, ofHours] = counts;
  return hours?.kind === 'number' && ofHours?.kind === 'number' ? [hours, ofHours] : undefined;
}

/** Whether a row has data for less than `least` (0 to 1) of its hours, or those of a compared period; undefined where none are counted. */
export function fewHoursTest(frame: Frame, least: number, isCompared = false): ((row: number) => boolean) | undefined {
  const [hours, ofHours] = hourCountsIn(frame, isCompared) ?? [];
  return hours && ofHours && (row => (hours.values[row] ?? 0) < (ofHours.values[row] ?? 0) * least);
}

interface HourCounts {
  readonly hours: Float64Array;
  readonly ofHours: Float64Array;
  readonly gaps?: Uint8Array;
}

type BinFigure = Exclude<Figure, StressBand | 'change'>;

function figuresOf({ field, parts }: NumberColumn, hasParts: boolean): readonly BinFigure[] {
  const { kind, mwhPerHour, overlaps } = unitOf(field);
  switch (kind) {
    case 'power':
      return mwhPerHour === undefined ? ['min', 'max'] : ['mean', 'energy', 'min', 'max'];
    case 'energy':
      return overlaps ? ['min', 'max'] : ['total', 'min', 'max'];
    case 'share':
      return hasParts ? [parts ? 'quotient' : 'share', 'min', 'max'] : ['min', 'max'];
    case 'index':
    case 'none':
      return ['mean', 'min', 'max'];
  }
}

interface Made {
  readonly sums: BinSums;
  readonly shares: ShareSums | undefined;
  readonly taken: ReadonlySet<string>;
  /** The instants of the rows. */
  readonly times?: Float64Array | undefined;
  /** The column has this figure of shorter rows, and keeps its name. */
  readonly isAgain?: boolean | undefined;
}

/** How many hours of each bin are in a band. */
function bandColumn(
  column: NumberColumn,
  band: StressBand,
  { hours, sums, taken }: Pick<Made, 'sums' | 'taken'> & { readonly hours: Float64Array },
): NumberColumn {
  const name = uniqueName(`${column.name}_${band}_h`, taken);
  const { label = column.name, meaning = '' } = column.field ?? {};
  const field: FieldInfo = { label, meaning, figure: band, unit: hourCount };
  return { kind: 'number', name, path: [...column.path.slice(0, -1), name], values: hours, gaps: sums.gaps, field };
}

/** A column with this figure of each requested bin, by a name that is not `taken`. */
export function figureColumn(
  column: NumberColumn,
  figure: BinFigure,
  { sums, shares, taken, times, isAgain = false }: Made,
): NumberColumn {
  const isShare = figure === 'share' || figure === 'quotient';
  const isOwn = isAgain || figure === 'mean' || isShare || figure === 'total';
  const received = unitOf(column.field);
  const unit = unitOfFigure(received, figure);
  const { mwhPerHour = NaN } = received;
  const name = isOwn ? column.name : uniqueName(figureName(column.name, figure), taken);
  const path = isOwn
    ? column.path
    : [...column.path.slice(0, -1), name.slice(column.name.length - (column.path.at(-1) ?? '').length)];
  const label = column.field?.label ?? column.name;
  const field: FieldInfo = { label, meaning: column.field?.meaning ?? '', figure, ...(unit && { unit }) };
  const { gaps: known, hours } = isShare && shares ? shares : sums;
  // A value that counts for no hour has an extreme, but neither mean nor energy.
  const isOfHours = hoursOfRows(column) && (figure === 'mean' || figure === 'energy');
  const gaps = isOfHours
    ? known.map((state, at) => (state === cellState.value && hours[at] === 0 ? cellState.absent : state))
    : known;
  const hasGaps = gaps.some(state => state !== cellState.value);
  const base = { kind: 'number', name, path, field, ...(hasGaps && { gaps }) } as const;
  const extremes = (rows: Uint32Array) => times && { extremeAt: numbersAt(times, rows) };
  switch (figure) {
    case 'mean':
      return { ...base, values: sums.means, hours };
    case 'share':
    case 'quotient':
      return { ...base, values: (shares ?? sums).means, hours, ...(shares && { parts: shares.parts }) };
    case 'total':
      return { ...base, values: sums.sums };
    case 'energy':
      return { ...base, values: sums.hourSums.map(sum => sum * mwhPerHour) };
    case 'min':
      return { ...base, values: sums.least, ...extremes(sums.leastRows) };
    case 'max':
      return { ...base, values: sums.greatest, ...extremes(sums.greatestRows) };
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
export function figureName(name: string, figure: Figure): string {
  const [, stem = name, unit = ''] = /^(.*)(_(?:mwh?|pct))$/.exec(name) ?? [];
  return figure === 'energy' ? `${stem}_mwh` : `${stem}_${figure}${unit}`;
}
