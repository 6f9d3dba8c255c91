import { hourMs } from '../../shared/durations.ts';
import {
  cellState,
  getCellState,
  type Column,
  type FieldInfo,
  type Figure,
  type Frame,
  type NumberColumn,
  type TimeColumn,
} from '../../shared/frame.ts';
import { stressField } from '../../shared/fields.ts';
import { stressBandIds, type StressBand } from '../../shared/stressBands.ts';
import type { ZonedBins } from '../../shared/resampling.ts';
import { energy, hourCount, isHourCount, unitOf, type Unit } from '../../shared/units.ts';
import { numbersAt, findTimeColumn } from '../frame/clip.ts';
import { rowLabels } from '../frame/describeFields.ts';
import { uniqueName } from '../export/exportTable.ts';
import {
  countBandHours,
  aggregateColumn,
  getHoursOfRows,
  findShareParts,
  aggregateShare,
  type BinAggregates,
  type ShareAggregates,
  type BinnedRows,
} from './binSums.ts';
import { findRowsOfIntervals, getRowIntervals } from './rowIntervals.ts';

/**
 * Days, and the service's intervals, which start at multiples of their length since 1970. An interval belongs to the day in which it
 * begins.
 */
interface DayBins {
  /** Sorted UTC milliseconds, one more than there are days: each day is [edge, next edge). */
  readonly edges: Float64Array;
  readonly intervalMs: number;
  readonly zone: Omit<ZonedBins, 'size'>;
}

/** Returns the index of the first interval of each bin and, at the end, of the interval after the last bin. */
export function getIntervalBounds({ edges, intervalMs }: Pick<DayBins, 'edges' | 'intervalMs'>): Int32Array {
  const first = Math.ceil((edges[0] ?? 0) / intervalMs);
  return Int32Array.from(edges, edge => Math.ceil(edge / intervalMs) - first);
}

/** Labels of the two columns that count the hours of a row: the hours with data, and all hours. */
export const hourCountFields = {
  hours: { label: 'Hours', meaning: 'Hours with data; the other numbers use the hours that have a value' },
  ofHours: { label: 'Hours in period', meaning: 'Hours in the period: 24 a day, or 23 or 25 when clocks change' },
} as const;

/**
 * Aggregates rows to days. Returns one row for each day with data: its start, the number of its hours with data, the number of its
 * hours, and the figures of each number (see `aggregateBins`). If several rows share an interval, the last one counts.
 */
export function aggregateDays(frame: Frame, days: DayBins): Frame {
  const time = findTimeColumn(frame);
  if (!time) return { rowCount: 0, columns: [] };
  const { edges, intervalMs, zone } = days;
  const bounds = getIntervalBounds(days);
  const start = Math.ceil((edges[0] ?? 0) / intervalMs) * intervalMs;
  const rows = findRowsOfIntervals(
    time,
    getRowIntervals({ start, end: start + (bounds.at(-1) ?? 0) * intervalMs, intervalMs }),
  );
  const bins = new Uint32Array(bounds.length - 1).map((_, bin) => bin);
  const nonEmptyBins = bins.filter(bin => rows.subarray(bounds[bin], bounds[bin + 1]).some(row => row >= 0));
  const keyColumn = createBinTimes(time, { size: 'day', ...zone }, edges, nonEmptyBins);
  return aggregateBins(frame, { rows, bounds, intervalMs }, nonEmptyBins, keyColumn);
}

/** Creates the time column with the starts of the bins. */
export function createBinTimes(
  { name, path, field }: TimeColumn,
  bins: ZonedBins,
  edges: Float64Array,
  nonEmptyBins: Uint32Array,
): TimeColumn {
  const values = Float64Array.from(nonEmptyBins, bin => edges[bin] ?? NaN);
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
 * - Power: mean, energy, minimum and maximum. Power that is not a mean over its interval: only minimum and maximum.
 * - Energy, money and mass: total, minimum and maximum. Amounts over hours that other rows also include: only minimum and maximum.
 * - Share: computed from energies if its parts are known; a rate from its amounts. Otherwise only minimum and maximum.
 * - Other numbers: mean, minimum and maximum. Hour counts have no figures.
 *
 * `withBands` adds the hours of the stress index in each band. Null, absent and infinite numbers are ignored. If the rows are bins
 * themselves, their columns are already figures, and each is aggregated by its own rule: the total of energies, the minimum of minimums.
 */
export function aggregateBins(
  frame: Frame,
  intervals: BinnedRows,
  bins: Uint32Array,
  keyColumn: Column,
  withBands = false,
): Frame {
  const counts = countHours(frame, intervals, bins);
  // The hour counts of the bins already include the hour counts of the rows.
  const sourceColumns = frame.columns.filter(column => column.kind !== 'number' || !isHourCount(unitOf(column.field)));
  const usedNames = new Set(sourceColumns.map(({ name }) => name));
  const columns: Column[] = [keyColumn, ...createHourCountColumns(counts, usedNames)];
  const figureColumns: NumberColumn[] = [];
  const time = findTimeColumn(frame);
  const times = time?.values;
  const figureByName = time?.bins && mapFigureNames(sourceColumns);
  const addFigureColumn = (column: NumberColumn): void => {
    usedNames.add(column.name);
    figureColumns.push(column);
  };
  for (const column of sourceColumns) {
    if (column.kind !== 'number') continue;
    const parts = findShareParts(frame, column);
    const sums = aggregateColumn(column, intervals, bins);
    const shares = parts && aggregateShare(parts, intervals, bins);
    const existingFigure = figureByName?.get(column.name);
    const figures = existingFigure
      ? [existingFigure === 'energy' ? ('total' as const) : existingFigure]
      : listFigures(column, parts !== undefined).filter(
          figure => !figureByName?.has(getFigureName(column.name, figure)),
        );
    for (const figure of figures)
      addFigureColumn(
        createFigureColumn(column, figure, {
          sums,
          shares,
          usedNames,
          times,
          isReaggregated: existingFigure !== undefined,
        }),
      );
    // The bands are counted in hours, and the index of a longer interval does not show how many of its hours were in a band.
    if (
      !withBands ||
      intervals.intervalMs > hourMs ||
      column.name !== stressField ||
      unitOf(column.field).kind !== 'index'
    )
      continue;
    const bands = countBandHours(column, intervals, bins);
    for (const band of stressBandIds)
      addFigureColumn(createBandColumn(column, band, { hours: bands[band], sums, usedNames }));
  }
  const figureColumnsByName = new Map(figureColumns.map(column => [column.name, column]));
  // Figures that have the name of their source column come first.
  const unrenamedColumns = sourceColumns.flatMap(({ name }) => figureColumnsByName.get(name) ?? []);
  const unrenamedSet = new Set(unrenamedColumns);
  const furtherColumns = figureOrder.flatMap(figure =>
    figureColumns.filter(figureColumn => figureColumn.field?.figure === figure && !unrenamedSet.has(figureColumn)),
  );
  return { rowCount: bins.length, columns: [...columns, ...unrenamedColumns, ...furtherColumns] };
}

const suffixedFigures = ['energy', 'min', 'max'] as const;

/** Finds the columns that are figures of other columns. Returns the figure of each by its name. */
export function mapFigureNames(columns: readonly Column[]): ReadonlyMap<string, (typeof suffixedFigures)[number]> {
  const names = new Set(columns.map(({ name }) => name));
  const candidates = columns.flatMap(({ name }) =>
    suffixedFigures.map(figure => [getFigureName(name, figure), figure] as const),
  );
  return new Map(candidates.filter(([name]) => names.has(name)));
}

const figureOrder: readonly Figure[] = ['energy', 'min', 'max', ...stressBandIds];

/** Counts the hours of each bin with data and in total. Uses the counts of the rows if they have them. */
function countHours(
  frame: Frame,
  { rows, bounds, intervalMs, hours: lengths }: BinnedRows,
  bins: Uint32Array,
): HourCounts {
  const rowCounts = findHourCounts(frame);
  const hours = new Float64Array(bins.length);
  const ofHours = new Float64Array(bins.length);
  for (let index = 0; index < bins.length; index++) {
    const bin = bins[index] ?? 0;
    for (let interval = bounds[bin] ?? 0; interval < (bounds[bin + 1] ?? 0); interval++) {
      const row = rows[interval] ?? -1;
      const intervalHours = lengths?.[interval] ?? intervalMs / hourMs;
      const isKnown = rowCounts !== undefined && row >= 0 && getCellState(rowCounts[0], row) === cellState.value;
      hours[index] = (hours[index] ?? 0) + (row < 0 ? 0 : isKnown ? (rowCounts[0].values[row] ?? 0) : intervalHours);
      ofHours[index] = (ofHours[index] ?? 0) + (isKnown ? (rowCounts[1].values[row] ?? 0) : intervalHours);
    }
  }
  return { hours, ofHours };
}

/** Creates the columns with the number of hours of each row, and adds their names to `usedNames`. */
export function createHourCountColumns({ hours, ofHours, gaps }: HourCounts, usedNames: Set<string>): NumberColumn[] {
  const createColumn = (preferredName: string, field: FieldInfo, values: Float64Array): NumberColumn => {
    const name = uniqueName(preferredName, usedNames);
    usedNames.add(name);
    return { kind: 'number', name, path: [name], values, ...(gaps && { gaps }), field: { ...field, unit: hourCount } };
  };
  return [
    createColumn('hours', hourCountFields.hours, hours),
    createColumn('of_hours', hourCountFields.ofHours, ofHours),
  ];
}

/** Finds the columns created by `createHourCountColumns`, or the same columns of a compared period. */
export function findHourCounts(
  { columns }: Frame,
  isCompared = false,
): readonly [hours: NumberColumn, ofHours: NumberColumn] | undefined {
  const counts = columns.filter(
    ({ kind, field }) =>
      kind === 'number' && isHourCount(unitOf(field)) && (field?.comparison !== undefined) === isCompared,
  );
  const [hours, ofHours] = counts;
  return hours?.kind === 'number' && ofHours?.kind === 'number' ? [hours, ofHours] : undefined;
}

/**
 * Returns a function that tells whether a row, or with `isCompared` its compared period, has data for less than `minShare` (0 to 1) of its
 * hours. Undefined if the frame has no hour counts.
 */
export function createFewHoursTest(
  frame: Frame,
  minShare: number,
  isCompared = false,
): ((row: number) => boolean) | undefined {
  const [hours, ofHours] = findHourCounts(frame, isCompared) ?? [];
  return hours && ofHours && (row => (hours.values[row] ?? 0) < (ofHours.values[row] ?? 0) * minShare);
}

interface HourCounts {
  readonly hours: Float64Array;
  readonly ofHours: Float64Array;
  readonly gaps?: Uint8Array;
}

type BinFigure = Exclude<Figure, StressBand | 'change'>;

function listFigures({ field, parts }: NumberColumn, hasParts: boolean): readonly BinFigure[] {
  const { kind, mwhPerHour, overlaps } = unitOf(field);
  switch (kind) {
    case 'power':
      return mwhPerHour === undefined ? ['min', 'max'] : ['mean', 'energy', 'min', 'max'];
    case 'energy':
    case 'money':
    case 'mass':
      return overlaps ? ['min', 'max'] : ['total', 'min', 'max'];
    case 'share':
    case 'rate':
      return hasParts ? [parts ? 'quotient' : 'share', 'min', 'max'] : ['min', 'max'];
    case 'index':
    case 'none':
      return ['mean', 'min', 'max'];
  }
}

interface FigureInput {
  readonly sums: BinAggregates;
  readonly shares: ShareAggregates | undefined;
  readonly usedNames: ReadonlySet<string>;
  /** The instants of the rows. */
  readonly times?: Float64Array | undefined;
  /** The column holds this figure of shorter rows, and keeps its name. */
  readonly isReaggregated?: boolean | undefined;
}

/** Creates a column with the hours of each bin that are in a band. */
function createBandColumn(
  column: NumberColumn,
  band: StressBand,
  { hours, sums, usedNames }: Pick<FigureInput, 'sums' | 'usedNames'> & { readonly hours: Float64Array },
): NumberColumn {
  const name = uniqueName(`${column.name}_${band}_h`, usedNames);
  const { label = column.name, meaning = '' } = column.field ?? {};
  const field: FieldInfo = { label, meaning, figure: band, unit: hourCount };
  return { kind: 'number', name, path: [...column.path.slice(0, -1), name], values: hours, gaps: sums.gaps, field };
}

/** Creates a column with this figure of each requested bin, with a name that is not in `usedNames`. */
export function createFigureColumn(
  column: NumberColumn,
  figure: BinFigure,
  { sums, shares, usedNames, times, isReaggregated = false }: FigureInput,
): NumberColumn {
  const isShare = figure === 'share' || figure === 'quotient';
  const keepsName = isReaggregated || figure === 'mean' || isShare || figure === 'total';
  const sourceUnit = unitOf(column.field);
  const unit = getFigureUnit(sourceUnit, figure);
  const { mwhPerHour = NaN } = sourceUnit;
  const name = keepsName ? column.name : uniqueName(getFigureName(column.name, figure), usedNames);
  const path = keepsName
    ? column.path
    : [...column.path.slice(0, -1), name.slice(column.name.length - (column.path.at(-1) ?? '').length)];
  const { unit: _, shareOf: __, comparison: ___, ...description } = column.field ?? { label: column.name, meaning: '' };
  const field: FieldInfo = { ...description, figure, ...(unit && { unit }) };
  const { gaps: sourceGaps, hours } = isShare && shares ? shares : sums;
  // A value with a weight of 0 hours has a minimum and a maximum, but neither mean nor energy.
  const needsHours = getHoursOfRows(column) && (figure === 'mean' || figure === 'energy');
  const gaps = needsHours
    ? sourceGaps.map((state, index) => (state === cellState.value && hours[index] === 0 ? cellState.absent : state))
    : sourceGaps;
  const hasGaps = gaps.some(state => state !== cellState.value);
  const base = { kind: 'number', name, path, field, ...(hasGaps && { gaps }) } as const;
  const getExtremeTimes = (rows: Uint32Array) => times && { extremeAt: numbersAt(times, rows) };
  switch (figure) {
    case 'mean':
      return { ...base, values: sums.means, hours };
    case 'share':
    case 'quotient':
      return { ...base, values: (shares ?? sums).means, hours, ...(shares && { parts: shares.parts }) };
    case 'total':
      return { ...base, values: sums.sums, hours };
    case 'energy':
      return { ...base, values: sums.hourSums.map(sum => sum * mwhPerHour) };
    case 'min':
      return { ...base, values: sums.min, ...getExtremeTimes(sums.minRows) };
    case 'max':
      return { ...base, values: sums.max, ...getExtremeTimes(sums.maxRows) };
  }
}

function getFigureUnit(unit: Unit, figure: Figure): Unit | undefined {
  const difference = unit.difference && { difference: unit.difference };
  if (figure === 'energy') return { ...energy, ...difference };
  const isExtreme = figure === 'min' || figure === 'max';
  if (unit.kind === 'power' && isExtreme) return { kind: unit.kind, text: unit.text, ...difference };
  return unit.kind === 'none' && unit.text === '' ? undefined : unit;
}

/** Returns the name of a figure's column: "wind_mw" becomes "wind_min_mw", "wind_max_mw" and "wind_mwh"; "value" becomes "value_min". */
export function getFigureName(name: string, figure: Figure): string {
  const [, stem = name, unit = ''] = /^(.*)(_(?:[mk]wh?|pct))$/.exec(name) ?? [];
  return figure === 'energy' ? `${stem}_mwh` : `${stem}_${figure}${unit}`;
}
