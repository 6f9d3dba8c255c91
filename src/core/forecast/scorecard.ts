import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { createReceivedFormatter, toIntlLocale } from '../../shared/formatNumber.ts';
import type { Column, FieldInfo, Frame, NumberColumn } from '../../shared/frame.ts';
import { isCycle } from '../../shared/resampling.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { getDifferenceUnit, hourCount, share, type Unit, unitOf } from '../../shared/units.ts';
import { getNumber } from '../bins/binSums.ts';
import {
  binDescriptions,
  assignCycleBins,
  createCycleColumn,
  cycleColumns,
  excludeIntervals,
  sortRowsIntoBins,
} from '../bins/resampleFrame.ts';
import { subtractDecimals, DecimalSum } from '../statistics/decimalSum.ts';
import { countBelow, countAtMost, quantile } from '../statistics/quantile.ts';
import { createComputedColumn, type ForecastErrors, computeForecastErrors, appendUnit } from './forecastErrors.ts';
import { uniqueName } from '../export/exportTable.ts';
import { takeRows } from '../frame/clip.ts';

const bandCount = 5;

/** Labels and meanings of the figures, in the order of their columns. */
export const scoreFields = {
  hours: { label: 'Hours', meaning: 'Hours with both values; the other figures are based on these' },
  ofHours: { label: 'Hours in period', meaning: 'Hours in the period, including those without a row' },
  bias: { label: 'Bias', meaning: 'Mean error; positive where the forecast was too low' },
  mae: { label: 'MAE', meaning: 'Mean absolute error' },
  rmse: { label: 'RMSE', meaning: 'Root mean square error' },
  mape: { label: 'MAPE', meaning: 'Mean absolute error as a percentage of the actual; hours with 0 are omitted' },
  p5: { label: 'P5', meaning: '5 % of the errors are below it' },
  p50: { label: 'P50', meaning: 'Median error' },
  p95: { label: 'P95', meaning: '95 % of the errors are below it' },
  skillDay: {
    label: 'Skill, 24 h',
    meaning:
      'Reduction of the MAE compared with using the value 24 h before as the forecast; negative if the MAE is higher',
  },
  skillWeek: {
    label: 'Skill, 168 h',
    meaning:
      'Reduction of the MAE compared with using the value 168 h before as the forecast; negative if the MAE is higher',
  },
  group: { label: 'Group', meaning: 'Hours included in the figures' },
} as const;

const groupDescriptions = { all: 'all hours', band: 'five bands of the actual', worst: 'the ten worst hours' };

/** Describes the rows in English for exported files. */
export function describeScorecard({
  actual,
  forecast,
  by,
  label,
  rows,
}: Pick<Scorecard, 'actual' | 'forecast' | 'by' | 'label' | 'rows'>): string {
  const groupText = isCycle(by) ? `${binDescriptions[by]} of ${label}` : groupDescriptions[by];
  const skill = by === 'worst' ? '' : '; skill: 1 - MAE / MAE of the actual 24 h or 168 h before';
  const filterText = rows ? '; only hours that pass the filters' : '';
  return `${forecast} as a forecast of ${actual}, ${groupText}: error = actual - forecast${skill}${filterText}`;
}

/** The figures of a group of hours; NaN if no hour has the required values. */
type ScoreFigures = Record<Exclude<keyof typeof scoreFields, 'group'>, number>;

/**
 * Scores a forecast. Returns a row for all included hours, then a row for each group that is not empty. With `by: 'worst'`, returns the
 * result of `createWorstHours`. Returns an empty frame if a column is missing. Throws a RangeError if there are too many intervals.
 *
 * - `hours` counts the intervals with both values; `of_hours` also counts intervals without a row.
 * - Bias, MAE, RMSE and MAPE follow Hyndman & Athanasopoulos, Forecasting: Principles and Practice (3rd edition), section 5.8. For the
 * quantiles, see `quantile`.
 * - Skill is 1 - MAE / MAE of a reference. It follows Murphy, "Skill Scores Based on the Mean Square Error and Their Relationships to the
 * Correlation Coefficient", Monthly Weather Review 116 (1988), with the MAE instead of the mean square error. The reference is
 * persistence: the actual value 24 h or 168 h before by UTC. The skill is based on the hours for which that value is known. Filters do not
 * apply to the earlier hour.
 */
export function createScorecard(frame: Frame, scorecard: Scorecard): Frame {
  const errors = computeForecastErrors(frame, scorecard);
  if (!errors) return { rowCount: 0, columns: [] };
  const { by, intervalMs, names } = scorecard;
  const { starts, rowOfInterval } = errors;
  const bins = isCycle(by) ? assignCycleBins(starts, by, scorecard) : new Int32Array(rowOfInterval.length);
  excludeIntervals(bins, rowOfInterval, frame.rowCount, scorecard);
  const bands = by === 'band' ? assignBands(bins, errors, scorecard.locale) : [];
  const count = isCycle(by) ? cycleColumns[by].bins : bands.length;
  // Hours without an actual belong to no band. They are in an additional last bin.
  const { rows, bounds, hours } = sortRowsIntoBins(rowOfInterval, bins, count + 1, errors.rowIntervals);
  if (by === 'worst') return createWorstHours(errors, rows);
  const persistenceErrors = {
    day: computePersistenceErrors(errors, dayMs),
    week: computePersistenceErrors(errors, weekMs),
  };
  const nonEmptyBins = Array.from({ length: count }, (_, bin) => bin).filter(
    bin => (bounds[bin + 1] ?? 0) > (bounds[bin] ?? 0),
  );
  const scoreRange = (from?: number, to?: number): ScoreFigures => {
    const scores = computeScores(rows.subarray(from, to), errors, persistenceErrors);
    const totalHours = hours?.subarray(from, to).reduce((sum, length) => sum + length, 0);
    return totalHours === undefined ? scores : { ...scores, ofHours: totalHours / (intervalMs / hourMs) };
  };
  const scores = [scoreRange()];
  for (const bin of nonEmptyBins) scores.push(scoreRange(bounds[bin], bounds[bin + 1]));
  const codes = Uint32Array.of(count, ...nonEmptyBins);
  const keyColumn: Column = isCycle(by)
    ? createCycleColumn(errors.time, { by, timeZone: scorecard.timeZone, label: scorecard.label }, codes, names)
    : {
        kind: 'text',
        name: 'group',
        path: ['group'],
        texts: { codes, entries: [...bands, ...names] },
        field: scoreFields.group,
      };
  return {
    rowCount: scores.length,
    columns: [keyColumn, ...createScoreColumns(scores, errors.actual, intervalMs / hourMs)],
  };
}

/**
 * Sorts the intervals in bin 0 into bands by the quintiles of the actual, the lowest first. Intervals without an actual go into the bin
 * after the last band. Returns the labels of the bands. Hours with the same actual are in the same band, so bands may have different
 * sizes or be empty.
 */
function assignBands(
  bins: Int32Array,
  { actual, rowOfInterval }: Pick<ForecastErrors, 'actual' | 'rowOfInterval'>,
  locale: string,
): string[] {
  const getActual = (interval: number): number =>
    bins[interval] === 0 ? getNumber(actual, rowOfInterval[interval] ?? -1) : NaN;
  const actuals = new Float64Array(bins.length);
  let count = 0;
  for (let interval = 0; interval < bins.length; interval++) {
    const value = getActual(interval);
    if (!Number.isNaN(value)) actuals[count++] = value;
  }
  const values = actuals.subarray(0, count).sort();
  const lowerLimits = Array.from(
    { length: bandCount },
    (_, band) => values[Math.ceil((band * count) / bandCount)] ?? Infinity,
  );
  for (let interval = 0; interval < bins.length; interval++) {
    const value = getActual(interval);
    if (bins[interval] === 0) bins[interval] = Number.isNaN(value) ? bandCount : countAtMost(lowerLimits, value) - 1;
  }
  const format = createReceivedFormatter(toIntlLocale(locale));
  const unit = unitOf(actual.field).text;
  return lowerLimits.map((min, band) => {
    const max = values[countBelow(values, lowerLimits[band + 1] ?? Infinity) - 1] ?? NaN;
    const limits = min < max ? `${format(min)} – ${format(max)}` : format(min);
    return unit ? `${limits} ${unit}` : limits;
  });
}

/** Computes the error of persistence for each row that has both values: the actual minus the actual `lagMs` before. Other rows have NaN. */
function computePersistenceErrors(
  { actual, rowIntervals, rowOfInterval, errors }: ForecastErrors,
  lagMs: number,
): Float64Array {
  const { getStart, findInterval, getHours } = rowIntervals;
  const persistence = new Float64Array(errors.length).fill(NaN);
  for (let interval = 0; interval < rowOfInterval.length; interval++) {
    const start = getStart(interval) - lagMs;
    const earlierInterval = findInterval(start);
    // The value of an hour and the value of a quarter of an hour are not comparable.
    const hasSameLength = getStart(earlierInterval) === start && getHours?.(earlierInterval) === getHours?.(interval);
    const row = rowOfInterval[interval] ?? -1;
    const earlierRow = hasSameLength ? (rowOfInterval[earlierInterval] ?? -1) : -1;
    if (row < 0 || earlierRow < 0 || !Number.isFinite(errors[row])) continue;
    persistence[row] = subtractDecimals(getNumber(actual, row), getNumber(actual, earlierRow));
  }
  return persistence;
}

function computeScores(
  rows: Int32Array,
  { actual, errors, weights }: Pick<ForecastErrors, 'actual' | 'errors' | 'weights'>,
  persistenceErrors: Readonly<Record<'day' | 'week', Float64Array>>,
): ScoreFigures {
  const errorValues = new Float64Array(rows.length);
  const sums = {
    error: new DecimalSum(),
    absolute: new DecimalSum(),
    square: new DecimalSum(),
    relative: new DecimalSum(),
  };
  const totalWeight = new DecimalSum();
  const nonZeroWeight = new DecimalSum();
  const day = new SkillAccumulator(persistenceErrors.day);
  const week = new SkillAccumulator(persistenceErrors.week);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? -1;
    const error = errors[row] ?? NaN;
    if (!Number.isFinite(error)) continue;
    const value = getNumber(actual, row);
    errorValues[sums.error.count] = error;
    const weight = weights?.[row] ?? 1;
    totalWeight.add(weight);
    sums.error.add(error * weight);
    sums.absolute.add(Math.abs(error) * weight);
    sums.square.add(error ** 2 * weight);
    if (value !== 0) {
      nonZeroWeight.add(weight);
      sums.relative.add(Math.abs(error / value) * weight);
    }
    day.add(row, error, weight);
    week.add(row, error, weight);
  }
  const ascending = errorValues.subarray(0, sums.error.count).sort();
  return {
    hours: totalWeight.sum(),
    ofHours: rows.length,
    bias: sums.error.sum() / totalWeight.sum(),
    mae: sums.absolute.sum() / totalWeight.sum(),
    rmse: Math.sqrt(sums.square.sum() / totalWeight.sum()),
    mape: (100 * sums.relative.sum()) / nonZeroWeight.sum(),
    p5: quantile(ascending, 0.05),
    p50: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    skillDay: day.skill(),
    skillWeek: week.skill(),
  };
}

/** Sums the absolute errors of a forecast and of persistence over the hours that have both. */
class SkillAccumulator {
  readonly #persistence: Float64Array;
  readonly #forecastErrors = new DecimalSum();
  readonly #persistenceErrors = new DecimalSum();

  constructor(persistence: Float64Array) {
    this.#persistence = persistence;
  }

  add(row: number, error: number, weight: number): void {
    const reference = Math.abs(this.#persistence[row] ?? NaN);
    if (!Number.isFinite(reference)) return;
    this.#forecastErrors.add(Math.abs(error) * weight);
    this.#persistenceErrors.add(reference * weight);
  }

  /** Returns the skill in percent. Not finite if persistence has no error or there are no hours. */
  skill(): number {
    return 100 * (1 - this.#forecastErrors.sum() / this.#persistenceErrors.sum());
  }
}

function createScoreColumns(
  scores: readonly ScoreFigures[],
  actual: NumberColumn,
  hoursPerInterval: number,
): NumberColumn[] {
  const unit = actual.field?.unit && getDifferenceUnit(actual.field.unit);
  const createColumn = (
    name: string,
    figure: keyof ScoreFigures,
    figureUnit: Unit | undefined,
    scale = 1,
  ): NumberColumn => {
    const numbers = scores.map(score => score[figure] * scale);
    return createComputedColumn(name, numbers, { ...scoreFields[figure], ...(figureUnit && { unit: figureUnit }) });
  };
  const createUnitColumn = (figure: keyof ScoreFigures): NumberColumn =>
    createColumn(appendUnit(figure, unit), figure, unit);
  return [
    createColumn('hours', 'hours', hourCount, hoursPerInterval),
    createColumn('of_hours', 'ofHours', hourCount, hoursPerInterval),
    ...[createUnitColumn('bias'), createUnitColumn('mae'), createUnitColumn('rmse')],
    createColumn('mape_pct', 'mape', share),
    ...[createUnitColumn('p5'), createUnitColumn('p50'), createUnitColumn('p95')],
    createColumn('skill_24h_pct', 'skillDay', share),
    createColumn('skill_168h_pct', 'skillWeek', share),
  ];
}

const maxWorstHours = 10;

/** Labels and meanings of the computed columns. */
export const worstHourFields = {
  error: { label: 'Error', meaning: 'Actual minus forecast; positive where the forecast was too low' },
  relative: { label: 'Error, %', meaning: 'The error as a percentage of the absolute actual value' },
} as const;

/**
 * Returns the ten rows with the largest absolute errors, in descending order. If two errors are equal, the earlier row comes first. The
 * columns are time, actual, forecast, the error, and the error in percent of the absolute actual, which is null if the actual is 0. `rows`
 * must be sorted by time.
 */
function createWorstHours({ time, actual, forecast, errors }: ForecastErrors, rows: Int32Array): Frame {
  const worstRowIndexes: number[] = [];
  const getAbsoluteError = (row: number): number => Math.abs(errors[row] ?? NaN);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? -1;
    const absoluteError = getAbsoluteError(row);
    if (
      !Number.isFinite(absoluteError) ||
      (worstRowIndexes.length === maxWorstHours && !(absoluteError > getAbsoluteError(worstRowIndexes.at(-1) ?? -1)))
    )
      continue;
    const insertIndex = worstRowIndexes.findIndex(listedRow => getAbsoluteError(listedRow) < absoluteError);
    worstRowIndexes.splice(insertIndex < 0 ? worstRowIndexes.length : insertIndex, 0, row);
    worstRowIndexes.length = Math.min(worstRowIndexes.length, maxWorstHours);
  }
  const columns = [time, actual, ...(forecast === actual ? [] : [forecast])];
  const worstRows = takeRows({ rowCount: errors.length, columns }, Uint32Array.from(worstRowIndexes));
  const unit = actual.field?.unit && getDifferenceUnit(actual.field.unit);
  const names = new Set(columns.map(({ name }) => name));
  const createColumn = (name: string, numbers: readonly number[], field: FieldInfo) =>
    createComputedColumn(uniqueName(name, names), numbers, field);
  const relativeErrors = worstRowIndexes.map(row => (100 * (errors[row] ?? NaN)) / Math.abs(getNumber(actual, row)));
  return {
    rowCount: worstRowIndexes.length,
    columns: [
      ...worstRows.columns,
      createColumn(
        appendUnit('error', unit),
        worstRowIndexes.map(row => errors[row] ?? NaN),
        { ...worstHourFields.error, ...(unit && { unit }) },
      ),
      createColumn('error_pct', relativeErrors, { ...worstHourFields.relative, unit: share }),
    ],
  };
}
