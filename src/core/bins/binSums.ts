import { hourMs } from '../../shared/durations.ts';
import {
  cellState,
  stateAt,
  type Column,
  type Compares,
  type FieldInfo,
  type Figure,
  type Frame,
  type NumberColumn,
  type ShareParts,
} from '../../shared/frame.ts';
import { stressBandOf, type StressBand } from '../../shared/stressBands.ts';
import { isShare, unitOf } from '../../shared/units.ts';
import { inHours } from '../statistics/energy.ts';
import { decimalDifference, DecimalSum } from '../statistics/sumDigits.ts';

/** Intervals sorted into bins. */
export interface SortedSteps {
  /** The row of each interval, grouped by bin; -1 if there is none. */
  readonly rows: Int32Array;
  /** The index of the first interval of each bin and, at the end, the number of intervals. */
  readonly bounds: Int32Array;
  readonly stepMs: number;
  /** The length of each interval in hours; undefined if all have the length `intervalMs`. */
  readonly hours?: Float64Array;
}

/** Sums of one column, with one item per requested bin. If the gap is not `value`, only `hours` is meaningful. */
export interface BinSums {
  readonly sums: Float64Array;
  /** Each number multiplied by the hours that it counts for. */
  readonly hourSums: Float64Array;
  readonly means: Float64Array;
  readonly least: Float64Array;
  readonly greatest: Float64Array;
  /** The first rows with the minimum and the maximum. */
  readonly leastRows: Uint32Array;
  readonly greatestRows: Uint32Array;
  /** The number of hours with a finite number. */
  readonly hours: Float64Array;
  /** A `cellState`: `null` if a cell is null and none has a number. */
  readonly gaps: Uint8Array;
}

export interface ShareSums extends Pick<BinSums, 'means' | 'hours' | 'gaps'> {
  /** Means over `hours`, from which a share of several bins can be calculated. */
  readonly parts: ShareParts;
}

/**
 * Sums a column over bins. `bins`: the indexes of the bins to sum. A row counts for the hours that its column names, or else for the
 * length of an interval: a day with three known hours counts for three in a mean and an energy. Sums have no binary noise.
 */
export function binSums(
  column: NumberColumn,
  { rows, bounds, stepMs, hours: lengths }: SortedSteps,
  bins: Uint32Array,
): BinSums {
  const make = (): Float64Array => new Float64Array(bins.length);
  const [leastRows, greatestRows] = [new Uint32Array(bins.length), new Uint32Array(bins.length)];
  const gaps = new Uint8Array(bins.length).fill(cellState.absent);
  const made: BinSums = {
    sums: make(),
    hourSums: make(),
    means: make(),
    least: make(),
    greatest: make(),
    leastRows,
    greatestRows,
    hours: make(),
    gaps,
  };
  const [total, byHours] = [new DecimalSum(), new DecimalSum()];
  const ofRows = hoursOfRows(column);
  const areUnlike = ofRows !== undefined || lengths !== undefined;
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    const [from, to] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
    total.clear();
    byHours.clear();
    let [least, greatest, hours] = [Infinity, -Infinity, 0];
    for (let step = from; step < to; step++) {
      const row = rows[step] ?? -1;
      if (row < 0) continue;
      const value = column.values[row] ?? NaN;
      if (!isNumber(column, row, value)) {
        if (stateAt(column, row) === cellState.null) gaps[at] = cellState.null;
        continue;
      }
      total.add(value);
      if (areUnlike) {
        const own = (ofRows ? ofRows[row] : lengths?.[step]) ?? 0;
        hours += own;
        byHours.add(value * own);
      }
      if (value < least) {
        least = value;
        leastRows[at] = row;
      }
      if (value > greatest) {
        greatest = value;
        greatestRows[at] = row;
      }
    }
    if (total.count > 0) gaps[at] = cellState.value;
    const sum = total.sum();
    const ofHours = areUnlike ? byHours.sum() : inHours(sum, stepMs);
    made.sums[at] = sum;
    made.hourSums[at] = ofHours;
    made.hours[at] = areUnlike ? hours : inHours(total.count, stepMs);
    const mean = areUnlike ? ofHours / hours : sum / total.count;
    // Rounding may move the mean of equal numbers past them.
    made.means[at] = Math.min(greatest, Math.max(least, mean));
    made.least[at] = least;
    made.greatest[at] = greatest;
  }
  return made;
}

/**
 * Returns the hours that each row counts for; undefined if that is the length of an interval, or if rows share their hours, as windows
 * do.
 */
export function hoursOfRows({ field, hours }: NumberColumn): Float64Array | undefined {
  return unitOf(field).overlaps ? undefined : hours;
}

/**
 * The parts of a share, with the hours that each row counts for (by default the length of an interval). `minus`: the other share, if
 * this is a difference of shares.
 */
export interface CountedParts extends ShareParts {
  readonly hours?: Float64Array;
  readonly minus?: CountedParts;
}

/**
 * Finds the part and the whole of a share. A derived share has them. For a received share the frame must have the part's power; the
 * whole is part ÷ share, which is unknown at 0 %. Undefined if the frame lacks the part.
 */
export function partsOf(frame: Frame, share: NumberColumn): CountedParts | undefined {
  const { columns } = frame;
  const ofShare = hoursOfRows(share);
  if (share.parts) return { ...share.parts, ...(ofShare && { hours: ofShare }) };
  const { compares, shareOf } = share.field ?? {};
  const own = columns.find(({ name }) => name === compares?.of);
  if (compares?.as === 'difference') return differenceParts(frame, own);
  // The share of a compared period refers to the part of that period.
  const of =
    compares?.as === 'compared'
      ? columns.find(
          ({ field }) =>
            field?.compares?.as === 'compared' &&
            field.compares.period === compares.period &&
            field.compares.of === own?.field?.shareOf,
        )
      : columns.find(({ name }) => name === shareOf);
  if (of?.kind !== 'number' || unitOf(of.field).mwhPerHour === undefined) return undefined;
  const [part, whole] = [of.values.slice().fill(NaN), of.values.slice().fill(NaN)];
  for (let row = 0; row < part.length; row++) {
    const [own, value] = [share.values[row] ?? NaN, of.values[row] ?? NaN];
    if (!isNumber(share, row, own) || !isNumber(of, row, value)) continue;
    part[row] = value;
    if (own !== 0) whole[row] = (100 * value) / own;
  }
  return { part, whole, ...(of.hours && { hours: of.hours }) };
}

/** Finds the parts of the difference between a share and that of the compared period. */
function differenceParts(frame: Frame, own: Column | undefined): CountedParts | undefined {
  const other = frame.columns.find(
    ({ field }) => field?.compares?.as === 'compared' && field.compares.of === own?.name,
  );
  if (own?.kind !== 'number' || other?.kind !== 'number' || !isShare(unitOf(own.field))) return undefined;
  const [parts, minus] = [partsOf(frame, own), partsOf(frame, other)];
  return parts && minus && { ...parts, minus };
}

/**
 * Calculates the share of the energies of each bin in percent: the sum of the parts ÷ the sum of the wholes. A bin with an unknown whole
 * has no share, unless all its wholes are unknown and its parts are 0. For a difference of shares, subtracts the shares of the bin.
 * `hours`: the hours of the intervals with a part.
 */
export function shareSums({ minus, ...counted }: CountedParts, steps: SortedSteps, bins: Uint32Array): ShareSums {
  if (minus) {
    const [own, other] = [shareSums(counted, steps, bins), shareSums(minus, steps, bins)];
    const means = own.means.map((share, at) => decimalDifference(share, other.means[at] ?? NaN));
    return { ...own, means, gaps: own.gaps.map((state, at) => Math.max(state, other.gaps[at] ?? state)) };
  }
  const { part, whole, ofSize, hours: ofRows } = counted;
  const { rows, bounds, stepMs, hours: lengths } = steps;
  const means = new Float64Array(bins.length);
  const hours = new Float64Array(bins.length);
  const perHour = inHours(1, stepMs);
  const gaps = new Uint8Array(bins.length).fill(cellState.null);
  const made = { part: means.slice().fill(NaN), whole: means.slice().fill(NaN) };
  const [parts, wholes] = [new DecimalSum(), new DecimalSum()];
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    const [from, to] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
    parts.clear();
    wholes.clear();
    let known = 0;
    for (let step = from; step < to; step++) {
      const row = rows[step] ?? -1;
      const [own, of] = [part[row] ?? NaN, whole[row] ?? NaN];
      if (Number.isNaN(own)) continue;
      const weight = ofRows?.[row] ?? lengths?.[step] ?? perHour;
      parts.add(weight * own);
      if (!Number.isNaN(of)) wholes.add(weight * of);
      known += weight;
    }
    hours[at] = known;
    const isWhole = wholes.count === parts.count;
    const sum = wholes.sum();
    if (known > 0) made.part[at] = parts.sum() / known;
    if (isWhole && known > 0) made.whole[at] = sum / known;
    if (isWhole ? sum !== 0 : wholes.count === 0 && parts.sum() === 0) {
      gaps[at] = cellState.value;
      means[at] = isWhole ? (100 * parts.sum()) / (ofSize ? Math.abs(sum) : sum) : 0;
    }
  }
  return { means, hours, gaps, parts: made };
}

/** Calculates the share of the energies of these rows (by default all), as if they were one bin; undefined if it is unknown. */
export function shareOfRows(parts: CountedParts, only?: ArrayLike<number>): number | undefined {
  const rows = only ? new Int32Array(only) : new Int32Array(parts.part.length).map((_, row) => row);
  const sorted = { rows, bounds: Int32Array.of(0, rows.length), stepMs: hourMs };
  const { means, gaps } = shareSums(parts, sorted, Uint32Array.of(0));
  return gaps[0] === cellState.value ? means[0] : undefined;
}

/** Counts the hours of each bin in each band of the stress index. */
export function bandHours(
  column: NumberColumn,
  { rows, bounds, stepMs, hours: lengths }: SortedSteps,
  bins: Uint32Array,
): Readonly<Record<StressBand, Float64Array>> {
  const make = (): Float64Array => new Float64Array(bins.length);
  const counts = { low: make(), moderate: make(), high: make(), critical: make() };
  for (let at = 0; at < bins.length; at++) {
    const bin = bins[at] ?? 0;
    const [from, to] = [bounds[bin] ?? 0, bounds[bin + 1] ?? 0];
    for (let step = from; step < to; step++) {
      const row = rows[step] ?? -1;
      const value = column.values[row] ?? NaN;
      if (row < 0 || !isNumber(column, row, value)) continue;
      const count = counts[stressBandOf(value)];
      count[at] = (count[at] ?? 0) + (lengths?.[step] ?? 1);
    }
  }
  if (lengths) return counts;
  for (const hours of Object.values(counts)) hours.forEach((count, at) => (hours[at] = inHours(count, stepMs)));
  return counts;
}

/** Whether a value of the column in this row counts: a gap may have any value under it. */
export function isNumber(column: NumberColumn, row: number, value: number): boolean {
  return stateAt(column, row) === cellState.value && Number.isFinite(value);
}

/** Returns the number in this row, NaN if there is no finite one. */
export function numberAt(column: NumberColumn, row: number): number {
  const value = column.values[row] ?? NaN;
  return isNumber(column, row, value) ? value : NaN;
}

/** Label and meaning of each figure; {0} is the label or meaning of the field. Without a label, the field's own is used. */
export const figureTexts: Readonly<Record<Figure, { readonly label?: string; readonly meaning: string }>> = {
  mean: { meaning: '{0}. Mean of the hours that have a value' },
  share: {
    meaning:
      '{0}. Made from the energies of the hours, not the mean of their shares; none where an hour has 0 %, as what that is a share of is not known',
  },
  quotient: { meaning: '{0}. Made from the energies of the hours, not the mean of their shares' },
  total: { meaning: '{0}. Sum of the hours that have a value' },
  energy: { label: '{0}, energy', meaning: '{0}. Energy of the hours that have a value' },
  min: { label: '{0}, min', meaning: '{0}. The least hour' },
  max: { label: '{0}, max', meaning: '{0}. The greatest hour' },
  change: { label: '{0}, change', meaning: '{0}. The largest change over the hours of the search' },
  low: { label: '{0}, low', meaning: '{0}. Hours below 0.3' },
  moderate: { label: '{0}, moderate', meaning: '{0}. Hours from 0.3 to below 0.6' },
  high: { label: '{0}, high', meaning: '{0}. Hours from 0.6 to below 0.8' },
  critical: { label: '{0}, critical', meaning: '{0}. Hours from 0.8 on' },
};

/** Labels and meanings of the columns that a comparison adds; {0} is the label or meaning of the compared column, {1} the other range. */
export const comparedTexts = {
  label: '{0}, {1}',
  timeMeaning: 'The matching time in the {0}',
  comparedMeaning: '{0}, in the {1}',
  difference: '{0}, difference',
  differenceMeaning: '{0} minus that of the {1}',
  change: '{0}, change',
  changeMeaning: "{0} minus that of the {1}, in percent of the latter's size",
  hours: '{0}. Each over the hours that its own period has, which may differ',
} as const;

export function comparedWords(
  { as, with: other }: Pick<Compares, 'as' | 'with'>,
  label: string,
  meaning: string,
  say: Say,
): Pick<FieldInfo, 'label' | 'meaning'> {
  const texts = comparedTexts;
  switch (as) {
    case 'compared':
      return { label: say(texts.label, label, other), meaning: say(texts.comparedMeaning, meaning || label, other) };
    case 'difference':
      return { label: say(texts.difference, label), meaning: say(texts.differenceMeaning, label, other) };
    case 'percent':
      return { label: say(texts.change, label), meaning: say(texts.changeMeaning, label, other) };
  }
}

/** Translates a text and fills in {0}, {1}, …. */
export type Say = (text: string, ...parts: string[]) => string;

export const inEnglish: Say = (text, ...parts) => text.replace(/\{(\d)\}/g, (_, at: string) => parts[Number(at)] ?? '');

/**
 * Completes the label and the meaning of a field with its figure and comparison, translated by `translate`; in English by default, as in
 * files.
 */
export function fieldInWords({ figure, compares, ...field }: FieldInfo, say = inEnglish): FieldInfo {
  const named = { label: say(field.label), meaning: say(field.meaning) };
  if (figure !== undefined) {
    const texts = figureTexts[figure];
    named.meaning = say(texts.meaning, named.meaning || named.label);
    if (texts.label !== undefined) named.label = say(texts.label, named.label);
  }
  if (!compares) return { ...field, ...named };
  const { plain, ...of } = compares;
  if (!plain) return { ...field, ...named, compares };
  const { label, meaning } = comparedWords(of, named.label, named.meaning, say);
  return { ...field, label, meaning: of.as === 'compared' ? meaning : say(comparedTexts.hours, meaning), compares: of };
}
