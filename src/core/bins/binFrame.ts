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

/**
 * Days, and the service's intervals, which start at multiples of their length since 1970. An interval belongs to the day in which it
 * begins.
 */
interface Days {
  /** Sorted UTC milliseconds, one more than there are days: each day is [edge, next edge). */
  readonly edges: Float64Array;
  readonly stepMs: number;
  readonly zone: Omit<BinsOfZone, 'size'>;
}

/** Returns the index of the first interval of each bin and, at the end, of the interval after the last bin. */
export function stepBounds({ edges, stepMs }: Pick<Days, 'edges' | 'stepMs'>): Int32Array {
  const first = Math.ceil((edges[0] ?? 0) / stepMs);
  return Int32Array.from(edges, edge => Math.ceil(edge / stepMs) - first);
}

/** Labels of the columns with the number of hours of a row: those with data, and all of them. */
export const binCounts = {
  hours: { label: 'Hours', meaning: 'Hours with data; the other numbers use the hours that have a value' },
  ofHours: { label: 'Of hours', meaning: 'Hours there are: 24 in a day, or 23 or 25 when clocks change' },
} as const;

/**
 * Aggregates rows to days. Returns one row for each day with data: its start, the number of its hours with data, the number of its
 * hours, and the figures of each number (see `aggregateBins`). If several rows share an interval, the last one counts.
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

/** Creates the time column with the starts of the bins. */
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
 * Returns one row for each of these bins: its key, the number of its hours with data, the number of its hours, and the figures of each
 * number.
 * Power has mean, energy, minimum and maximum. Only minimum and maximum: power that is not a mean over its interval, an energy over
 * hours that other rows count too, and a share. Another energy has total, minimum and maximum; any other number mean, minimum and
 * maximum. `withBands` adds the hours of the stress index in each band. A share whose parts are known is computed from energies. Null,
 * absent and infinite numbers are ignored; hour counts have no figures. If rows are bins themselves, their columns are figures already,
 * and each is aggregated by its own rule: the total of energies, the minimum of minimums.
 */
export function figuresOfBins(
  frame: Frame,
  steps: SortedSteps,
  bins: Uint32Array,
  key: Column,
  withBands = false,
): Frame {
  const counts = hoursInBins(frame, steps, bins);
  // The hour counts of the rows are part of those of the bins.
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
    // A day does not tell how many of its hours were in a band.
    if (!withBands || steps.stepMs > hourMs || column.name !== stressField || unitOf(column.field).kind !== 'index')
      continue;
    const bands = bandHours(column, steps, bins);
    for (const band of stressBandIds) add(bandColumn(column, band, { hours: bands[band], sums, taken }));
  }
  const byName = new Map(made.map(column => [column.name, column]));
  // Figures that keep the name of their column come first.
  const first = kept.flatMap(({ name }) => byName.get(name) ?? []);
  const own = new Set(first);
  const rest = laterFigures.flatMap(figure => made.filter(one => one.field?.figure === figure && !own.has(one)));
  return { rowCount: bins.length, columns: [...columns, ...first, ...rest] };
}

const namedFigures = ['energy', 'min', 'max'] as const;

/** Returns which figure each column is, for columns that are figures of others, by name. */
export function figuresByName(columns: readonly Column[]): ReadonlyMap<string, (typeof namedFigures)[number]> {
  const names = new Set(columns.map(({ name }) => name));
  const all = columns.flatMap(({ name }) => namedFigures.map(figure => [figureName(name, figure), figure] as const));
  return new Map(all.filter(([name]) => names.has(name)));
}

const laterFigures: readonly Figure[] = ['energy', 'min', 'max', ...stressBandIds];

/** Counts the hours of each bin with data and in total. Uses the counts of the rows if they have them. */
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

/** Creates the columns with the number of hours of each row, and adds their names to `taken`. */
export function hourCounts({ hours, ofHours, gaps }: HourCounts, taken: Set<string>): NumberColumn[] {
  const column = (wanted: string, field: FieldInfo, values: Float64Array): NumberColumn => {
    const name = uniqueName(wanted, taken);
    taken.add(name);
    return { kind: 'number', name, path: [name], values, ...(gaps && { gaps }), field: { ...field, unit: hourCount } };
  };
  return [column('hours', binCounts.hours, hours), column('of_hours', binCounts.ofHours, ofHours)];
}

/** Finds the columns created by `createHourCountColumns`, or those of a compared period. */
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

/**
 * Returns a function that tells whether a row has data for less than `minShare` (0 to 1) of its hours, or of those of a compared period;
 * undefined if hours are not counted.
 */
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
  /** The column holds this figure of shorter rows, and keeps its name. */
  readonly isAgain?: boolean | undefined;
}

/** Creates a column with the hours of each bin that are in a band. */
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

/** Creates a column with this figure of each requested bin, with a name that is not in `taken`. */
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
  // A value that counts for no hours has extremes, but neither mean nor energy.
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

/** Returns the name of a figure's column: "wind_mw" becomes "wind_min_mw", "wind_max_mw" and "wind_mwh"; "value" becomes "value_min". */
export function figureName(name: string, figure: Figure): string {
  const [, stem = name, unit = ''] = /^(.*)(_(?:mwh?|pct))$/.exec(name) ?? [];
  return figure === 'energy' ? `${stem}_mwh` : `${stem}_${figure}${unit}`;
}
