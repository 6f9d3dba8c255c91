import { hourMs } from '../../shared/durations.ts';
import {
  cellState,
  getCellState,
  type Column,
  type ColumnComparison,
  type FieldInfo,
  type Figure,
  type Frame,
  type NumberColumn,
  type ShareParts,
} from '../../shared/frame.ts';
import { getStressBand, type StressBand } from '../../shared/stressBands.ts';
import { isQuotient, unitOf } from '../../shared/units.ts';
import { multiplyByHours } from '../statistics/energy.ts';
import { subtractDecimals, DecimalSum } from '../statistics/decimalSum.ts';

/** Intervals sorted into bins. */
export interface BinnedRows {
  /** The row of each interval, grouped by bin; -1 for an interval without a row. */
  readonly rows: Int32Array;
  /** The index of the first interval of each bin and, at the end, the number of intervals. */
  readonly bounds: Int32Array;
  readonly intervalMs: number;
  /** The length of each interval in hours; undefined if all have the length `intervalMs`. */
  readonly hours?: Float64Array;
}

/** Figures of one column, with one item per requested bin. If the state of a bin in `gaps` is not `value`, only its `hours` are valid. */
export interface BinAggregates {
  readonly sums: Float64Array;
  /** The sum of the numbers, each multiplied by its weight in hours. */
  readonly hourSums: Float64Array;
  readonly means: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** The first row that has the minimum or the maximum. */
  readonly minRows: Uint32Array;
  readonly maxRows: Uint32Array;
  /** The number of hours with a finite number. */
  readonly hours: Float64Array;
  /** The `cellState` of each bin; `null` if a cell of the bin is null and no cell has a number. */
  readonly gaps: Uint8Array;
}

export interface ShareAggregates extends Pick<BinAggregates, 'means' | 'hours' | 'gaps'> {
  /** Sums of amounts, or else means over `hours`, from which a share of several bins can be calculated. */
  readonly parts: ShareParts;
}

/**
 * Computes the figures of a column for the bins with these indexes. Each row is weighted by its hours in the column, if the column has them,
 * or by the length of its interval. For example, a day with three known hours has the weight 3 in a mean and an energy. Sums are free of
 * binary rounding errors.
 */
export function aggregateColumn(
  column: NumberColumn,
  { rows, bounds, intervalMs, hours: lengths }: BinnedRows,
  bins: Uint32Array,
): BinAggregates {
  const createArray = (): Float64Array => new Float64Array(bins.length);
  const minRows = new Uint32Array(bins.length);
  const maxRows = new Uint32Array(bins.length);
  const gaps = new Uint8Array(bins.length).fill(cellState.absent);
  const aggregates: BinAggregates = {
    sums: createArray(),
    hourSums: createArray(),
    means: createArray(),
    min: createArray(),
    max: createArray(),
    minRows,
    maxRows,
    hours: createArray(),
    gaps,
  };
  const total = new DecimalSum();
  const weightedTotal = new DecimalSum();
  const rowHours = getHoursOfRows(column);
  const hasUnequalHours = rowHours !== undefined || lengths !== undefined;
  for (let position = 0; position < bins.length; position++) {
    const bin = bins[position] ?? 0;
    const from = bounds[bin] ?? 0;
    const to = bounds[bin + 1] ?? 0;
    total.clear();
    weightedTotal.clear();
    let min = Infinity;
    let max = -Infinity;
    let hours = 0;
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? -1;
      if (row < 0) continue;
      const value = column.values[row] ?? NaN;
      if (!isCountedNumber(column, row, value)) {
        if (getCellState(column, row) === cellState.null) gaps[position] = cellState.null;
        continue;
      }
      total.add(value);
      if (hasUnequalHours) {
        const weight = (rowHours ? rowHours[row] : lengths?.[index]) ?? 0;
        hours += weight;
        weightedTotal.add(value * weight);
      }
      if (value < min) {
        min = value;
        minRows[position] = row;
      }
      if (value > max) {
        max = value;
        maxRows[position] = row;
      }
    }
    if (total.count > 0) gaps[position] = cellState.value;
    const sum = total.sum();
    const hourSum = hasUnequalHours ? weightedTotal.sum() : multiplyByHours(sum, intervalMs);
    aggregates.sums[position] = sum;
    aggregates.hourSums[position] = hourSum;
    aggregates.hours[position] = hasUnequalHours ? hours : multiplyByHours(total.count, intervalMs);
    const mean = hasUnequalHours ? hourSum / hours : sum / total.count;
    // Because of rounding, the mean of equal numbers can differ from them.
    aggregates.means[position] = Math.min(max, Math.max(min, mean));
    aggregates.min[position] = min;
    aggregates.max[position] = max;
  }
  return aggregates;
}

/**
 * Returns the hours by which each row is weighted. Returns undefined if rows are weighted by the length of their interval. Those of a moving
 * window always are, because their hours overlap.
 */
export function getHoursOfRows({ field, hours }: NumberColumn): Float64Array | undefined {
  return unitOf(field).overlaps ? undefined : hours;
}

/**
 * The parts of a share or rate. `hours`: the hours by which each row is weighted, by default the length of its interval. `minus`: the subtracted share
 * of a difference of two shares.
 */
export interface WeightedShareParts extends ShareParts {
  readonly hours?: Float64Array;
  readonly minus?: WeightedShareParts;
}

/**
 * Finds the part and the whole of a share or rate. A derived one contains both. The part of a received share is a power column of the frame,
 * and the whole is part ÷ share, which is unknown at 0 %. Returns undefined if the frame does not have the part.
 */
export function findShareParts(frame: Frame, share: NumberColumn): WeightedShareParts | undefined {
  const { columns } = frame;
  const shareHours = getHoursOfRows(share);
  if (share.parts) return { ...share.parts, ...(shareHours && { hours: shareHours }) };
  const { comparison, shareOf } = share.field ?? {};
  const baseColumn = columns.find(({ name }) => name === comparison?.baseName);
  if (comparison?.role === 'difference') return findDifferenceParts(frame, baseColumn);
  // The share of a compared period refers to the part of that period.
  const partColumn =
    comparison?.role === 'compared'
      ? columns.find(
          ({ field }) =>
            field?.comparison?.role === 'compared' &&
            field.comparison.period === comparison.period &&
            field.comparison.baseName === baseColumn?.field?.shareOf,
        )
      : columns.find(({ name }) => name === shareOf);
  if (partColumn?.kind !== 'number' || unitOf(partColumn.field).mwhPerHour === undefined) return undefined;
  const part = partColumn.values.slice().fill(NaN);
  const whole = partColumn.values.slice().fill(NaN);
  for (let row = 0; row < part.length; row++) {
    const percentage = share.values[row] ?? NaN;
    const value = partColumn.values[row] ?? NaN;
    if (!isCountedNumber(share, row, percentage) || !isCountedNumber(partColumn, row, value)) continue;
    part[row] = value;
    if (percentage !== 0) whole[row] = (100 * value) / percentage;
  }
  return { part, whole, ...(partColumn.hours && { hours: partColumn.hours }) };
}

/** Finds the parts of the difference between a share or rate and that of the compared period. */
function findDifferenceParts(frame: Frame, baseColumn: Column | undefined): WeightedShareParts | undefined {
  const comparedColumn = frame.columns.find(
    ({ field }) => field?.comparison?.role === 'compared' && field.comparison.baseName === baseColumn?.name,
  );
  if (baseColumn?.kind !== 'number' || comparedColumn?.kind !== 'number' || !isQuotient(unitOf(baseColumn.field)))
    return undefined;
  const parts = findShareParts(frame, baseColumn);
  const minus = findShareParts(frame, comparedColumn);
  return parts && minus && { ...parts, minus };
}

/**
 * Calculates the share of the energies of each bin in percent, or the rate of its amounts: the sum of the parts ÷ the sum of the wholes. A bin with an unknown whole
 * has no share, unless all its wholes are unknown and its parts are 0. For a difference of shares, subtracts the shares of the bin.
 * `hours`: the hours of the intervals with a part.
 */
export function aggregateShare(
  { minus, ...partsOfShare }: WeightedShareParts,
  intervals: BinnedRows,
  bins: Uint32Array,
): ShareAggregates {
  if (minus) {
    const share = aggregateShare(partsOfShare, intervals, bins);
    const subtracted = aggregateShare(minus, intervals, bins);
    const means = share.means.map((mean, position) => subtractDecimals(mean, subtracted.means[position] ?? NaN));
    return {
      ...share,
      means,
      gaps: share.gaps.map((state, position) => Math.max(state, subtracted.gaps[position] ?? state)),
    };
  }
  const { part, whole, ofSize, areAmounts, isRate, hours: rowHours } = partsOfShare;
  const scale = isRate ? 1 : 100;
  const { rows, bounds, intervalMs, hours: lengths } = intervals;
  const means = new Float64Array(bins.length);
  const hours = new Float64Array(bins.length);
  const intervalHours = multiplyByHours(1, intervalMs);
  const gaps = new Uint8Array(bins.length).fill(cellState.null);
  const meanParts = {
    part: means.slice().fill(NaN),
    whole: means.slice().fill(NaN),
    ...(areAmounts && { areAmounts }),
    ...(isRate && { isRate }),
  };
  const parts = new DecimalSum();
  const wholes = new DecimalSum();
  for (let position = 0; position < bins.length; position++) {
    const bin = bins[position] ?? 0;
    const from = bounds[bin] ?? 0;
    const to = bounds[bin + 1] ?? 0;
    parts.clear();
    wholes.clear();
    let knownHours = 0;
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? -1;
      const partValue = part[row] ?? NaN;
      const wholeValue = whole[row] ?? NaN;
      if (Number.isNaN(partValue)) continue;
      const rowLength = rowHours?.[row] ?? lengths?.[index] ?? intervalHours;
      const weight = areAmounts ? 1 : rowLength;
      parts.add(weight * partValue);
      if (!Number.isNaN(wholeValue)) wholes.add(weight * wholeValue);
      knownHours += rowLength;
    }
    hours[position] = knownHours;
    const areWholesKnown = wholes.count === parts.count;
    const sum = wholes.sum();
    const divisor = areAmounts ? 1 : knownHours;
    if (knownHours > 0) meanParts.part[position] = parts.sum() / divisor;
    if (areWholesKnown && knownHours > 0) meanParts.whole[position] = sum / divisor;
    if (areWholesKnown ? sum !== 0 : wholes.count === 0 && parts.sum() === 0) {
      gaps[position] = cellState.value;
      means[position] = areWholesKnown ? (scale * parts.sum()) / (ofSize ? Math.abs(sum) : sum) : 0;
    }
  }
  return { means, hours, gaps, parts: meanParts };
}

/** Calculates the share of the energies of these rows (by default all rows) in percent, or their rate, as one bin; undefined if it is unknown. */
export function aggregateShareOfRows(parts: WeightedShareParts, selectedRows?: ArrayLike<number>): number | undefined {
  const rows = selectedRows ? new Int32Array(selectedRows) : new Int32Array(parts.part.length).map((_, row) => row);
  const singleBin = { rows, bounds: Int32Array.of(0, rows.length), intervalMs: hourMs };
  const { means, gaps } = aggregateShare(parts, singleBin, Uint32Array.of(0));
  return gaps[0] === cellState.value ? means[0] : undefined;
}

/** Counts the hours of each bin in each band of the stress index. */
export function countBandHours(
  column: NumberColumn,
  { rows, bounds, intervalMs, hours: lengths }: BinnedRows,
  bins: Uint32Array,
): Readonly<Record<StressBand, Float64Array>> {
  const createArray = (): Float64Array => new Float64Array(bins.length);
  const counts = { low: createArray(), moderate: createArray(), high: createArray(), critical: createArray() };
  for (let position = 0; position < bins.length; position++) {
    const bin = bins[position] ?? 0;
    const from = bounds[bin] ?? 0;
    const to = bounds[bin + 1] ?? 0;
    for (let index = from; index < to; index++) {
      const row = rows[index] ?? -1;
      const value = column.values[row] ?? NaN;
      if (row < 0 || !isCountedNumber(column, row, value)) continue;
      const count = counts[getStressBand(value)];
      count[position] = (count[position] ?? 0) + (lengths?.[index] ?? 1);
    }
  }
  if (lengths) return counts;
  for (const hours of Object.values(counts))
    hours.forEach((count, position) => (hours[position] = multiplyByHours(count, intervalMs)));
  return counts;
}

/** Whether a cell has a finite number. The value of an empty cell is arbitrary, so the state of the cell is checked too. */
export function isCountedNumber(column: NumberColumn, row: number, value: number): boolean {
  return getCellState(column, row) === cellState.value && Number.isFinite(value);
}

/** Returns the finite number in this row; NaN if there is none. */
export function getNumber(column: NumberColumn, row: number): number {
  const value = column.values[row] ?? NaN;
  return isCountedNumber(column, row, value) ? value : NaN;
}

/** Label and meaning of each figure; {0} is the label or meaning of the field. A figure without a label uses the label of the field. */
export const figureFields: Readonly<Record<Figure, { readonly label?: string; readonly meaning: string }>> = {
  mean: { meaning: '{0}. Mean of the hours that have a value' },
  share: {
    meaning:
      '{0}. Calculated from the energies of the hours, not as the mean of their shares; no value if an hour has 0 %, since its total is unknown',
  },
  quotient: { meaning: '{0}. Calculated from the sums of the hours, not as the mean of their values' },
  total: { meaning: '{0}. Sum of the hours that have a value' },
  energy: { label: '{0}, energy', meaning: '{0}. Energy of the hours that have a value' },
  min: { label: '{0}, min', meaning: '{0}. Lowest hour' },
  max: { label: '{0}, max', meaning: '{0}. Highest hour' },
  change: { label: '{0}, change', meaning: '{0}. The largest change over the hours of the search' },
  low: { label: '{0}, low', meaning: '{0}. Hours below 0.3' },
  moderate: { label: '{0}, moderate', meaning: '{0}. Hours from 0.3 to below 0.6' },
  high: { label: '{0}, high', meaning: '{0}. Hours from 0.6 to below 0.8' },
  critical: { label: '{0}, critical', meaning: '{0}. Hours from 0.8' },
};

/** Labels and meanings of the columns that a comparison adds; {0} is the label or meaning of the compared column, {1} the name of the other range. */
export const comparedFields = {
  label: '{0}, {1}',
  timeMeaning: 'The matching time in the {0}',
  comparedMeaning: '{0}, in the {1}',
  difference: '{0}, difference',
  differenceMeaning: '{0} minus that of the {1}',
  change: '{0}, change',
  changeMeaning: "{0} minus that of the {1}, as a percentage of the latter's absolute value",
  hours: '{0}. Each covers the hours of its own period, which may differ',
} as const;

export function formatComparedField(
  { role, rangeName: period }: Pick<ColumnComparison, 'role' | 'rangeName'>,
  label: string,
  meaning: string,
  translate: Translate,
): Pick<FieldInfo, 'label' | 'meaning'> {
  const texts = comparedFields;
  switch (role) {
    case 'compared':
      return {
        label: translate(texts.label, label, period),
        meaning: translate(texts.comparedMeaning, meaning || label, period),
      };
    case 'difference':
      return { label: translate(texts.difference, label), meaning: translate(texts.differenceMeaning, label, period) };
    case 'percent':
      return { label: translate(texts.change, label), meaning: translate(texts.changeMeaning, label, period) };
  }
}

/** Translates a text and fills in {0}, {1}, …. */
export type Translate = (text: string, ...parts: string[]) => string;

export const formatEnglish: Translate = (text, ...parts) =>
  text.replace(/\{(\d)\}/g, (_, index: string) => parts[Number(index)] ?? '');

/**
 * Adds the figure and the comparison to the label and the meaning of a field, translated by `translate`; in English by default, as in
 * exported files.
 */
export function translateField({ figure, comparison, ...field }: FieldInfo, translate = formatEnglish): FieldInfo {
  // The label of a joined column may end with the name of its source, which is not translated.
  const [known = '', ...source] = field.joinedFrom === undefined ? [field.label] : field.label.split(' · ');
  const result = { label: [translate(known), ...source].join(' · '), meaning: translate(field.meaning) };
  if (figure !== undefined) {
    const texts = figureFields[figure];
    result.meaning = translate(texts.meaning, result.meaning || result.label);
    if (texts.label !== undefined) result.label = translate(texts.label, result.label);
  }
  if (!comparison) return { ...field, ...result };
  const { hasBaseLabel, ...labelledComparison } = comparison;
  if (!hasBaseLabel) return { ...field, ...result, comparison };
  const { label, meaning } = formatComparedField(comparison, result.label, result.meaning, translate);
  return {
    ...field,
    label,
    meaning: comparison.role === 'compared' ? meaning : translate(comparedFields.hours, meaning),
    comparison: labelledComparison,
  };
}
