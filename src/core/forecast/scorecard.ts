import { dayMs, hourMs, weekMs } from '../../shared/durations.ts';
import { receivedFormatter, usableLocale } from '../../shared/formatNumber.ts';
import type { Column, FieldInfo, Frame, NumberColumn } from '../../shared/frame.ts';
import { isCycle } from '../../shared/resampling.ts';
import type { Scorecard } from '../../shared/scorecard.ts';
import { differenceOf, hourCount, share, type Unit, unitOf } from '../../shared/units.ts';
import { numberAt } from '../bins/binSums.ts';
import { binsInFiles, binsOfCycle, cycleColumn, cycleColumns, leaveOut, sortedSteps } from '../bins/resample.ts';
import { decimalDifference, DecimalSum } from '../statistics/sumDigits.ts';
import { countBelow, countUpTo, quantile } from '../statistics/sorted.ts';
import { computedColumn, type ForecastErrors, forecastErrors, nameWithUnit } from './forecastErrors.ts';
import { uniqueName } from '../export/exportTable.ts';
import { takeRows } from '../frame/clip.ts';

const bandCount = 5;

/** Labels and meanings of the figures, in the order of their columns. */
export const scoreTexts = {
  hours: { label: 'Hours', meaning: 'Hours with both values: the other figures are of these' },
  ofHours: { label: 'Of hours', meaning: 'Hours there are, also those without a row' },
  bias: { label: 'Bias', meaning: 'Mean error; positive where the forecast was too low' },
  mae: { label: 'MAE', meaning: 'Mean absolute error' },
  rmse: { label: 'RMSE', meaning: 'Root mean square error' },
  mape: { label: 'MAPE', meaning: 'Mean absolute error in percent of the actual; hours with 0 are left out' },
  p5: { label: 'P5', meaning: '5 % of the errors are below it' },
  p50: { label: 'P50', meaning: 'Median error' },
  p95: { label: 'P95', meaning: '95 % of the errors are below it' },
  skillDay: {
    label: 'Skill, 24 h',
    meaning: 'How much less the MAE is than that of the value 24 h before as the forecast; negative where it is more',
  },
  skillWeek: {
    label: 'Skill, 168 h',
    meaning: 'How much less the MAE is than that of the value 168 h before as the forecast; negative where it is more',
  },
  group: { label: 'Group', meaning: 'Hours that the figures are of' },
} as const;

const groupsInFiles = { all: 'all hours', band: 'five bands of the actual', worst: 'the ten worst hours' };

/** Describes the rows in English for exported files. */
export function scorecardText({ actual, forecast, by, label, rows }: Scorecard): string {
  const groups = isCycle(by) ? `${binsInFiles[by]} of ${label}` : groupsInFiles[by];
  const skill = by === 'worst' ? '' : '; skill: 1 - MAE / MAE of the actual 24 h or 168 h before';
  const filtered = rows ? '; only of hours that pass the filters' : '';
  return `${forecast} as a forecast of ${actual}, ${groups}: error = actual - forecast${skill}${filtered}`;
}

/** The figures of a group of hours; NaN if no hour has the required values. */
type Scores = Record<Exclude<keyof typeof scoreTexts, 'group'>, number>;

/**
 * Scores a forecast: a row for all included hours, then one for each group that has any. `hours` are those with both values, `of_hours`
 * also those without a row. Bias, MAE, RMSE and MAPE follow Hyndman & Athanasopoulos, Forecasting: Principles and Practice (3rd
 * edition), section 5.8; quantiles follow `quantile`; skill follows Murphy, "Skill Scores Based on the Mean Square Error and Their
 * Relationships to the Correlation Coefficient", Monthly Weather Review 116 (1988), with the MAE: 1 - MAE / MAE of a reference. The
 * reference is persistence, the actual 24 h or 168 h before by UTC, over the hours that have it too; that earlier hour need not be an
 * included one. With `by: 'worst'`, returns the result of `createWorstHours`. Empty if the frame lacks a column. Throws a RangeError if
 * there are too many intervals.
 */
export function scorecardFrame(frame: Frame, scorecard: Scorecard): Frame {
  const errors = forecastErrors(frame, scorecard);
  if (!errors) return { rowCount: 0, columns: [] };
  const { by, stepMs, names } = scorecard;
  const { begins, rowOfStep } = errors;
  const bins = isCycle(by) ? binsOfCycle(begins, by, scorecard) : new Int32Array(rowOfStep.length);
  leaveOut(bins, rowOfStep, frame.rowCount, scorecard);
  const bands = by === 'band' ? bandsOfRows(bins, errors, scorecard.locale) : [];
  const count = isCycle(by) ? cycleColumns[by].bins : bands.length;
  // The last bin holds the hours without an actual, which belong to no band.
  const { rows, bounds, hours } = sortedSteps(rowOfStep, bins, count + 1, errors.steps);
  if (by === 'worst') return worstHours(errors, rows);
  const earlier = { day: persistenceForecast(errors, dayMs), week: persistenceForecast(errors, weekMs) };
  const shown = Array.from({ length: count }, (_, bin) => bin).filter(
    bin => (bounds[bin + 1] ?? 0) > (bounds[bin] ?? 0),
  );
  const scoresOf = (from?: number, to?: number): Scores => {
    const scores = computeScores(rows.subarray(from, to), errors, earlier);
    const lengths = hours?.subarray(from, to).reduce((sum, length) => sum + length, 0);
    return lengths === undefined ? scores : { ...scores, ofHours: lengths / (stepMs / hourMs) };
  };
  const scores = [scoresOf()];
  for (const bin of shown) scores.push(scoresOf(bounds[bin], bounds[bin + 1]));
  const codes = Uint32Array.of(count, ...shown);
  const key: Column = isCycle(by)
    ? cycleColumn(errors.time, { by, timeZone: scorecard.timeZone, label: scorecard.label }, codes, names)
    : {
        kind: 'text',
        name: 'group',
        path: ['group'],
        texts: { codes, entries: [...bands, ...names] },
        field: scoreTexts.group,
      };
  return { rowCount: scores.length, columns: [key, ...scoreColumns(scores, errors.actual, stepMs / hourMs)] };
}

/**
 * Sorts the intervals in bin 0 into bands by the quintiles of the actual, the lowest first; those without an actual go into the bin
 * after the last band. Returns the labels of the bands. Hours with the same actual are in the same band, so bands may have different
 * sizes or be empty.
 */
function bandsOfRows(
  bins: Int32Array,
  { actual, rowOfStep }: Pick<ForecastErrors, 'actual' | 'rowOfStep'>,
  locale: string,
): string[] {
  const actualOf = (step: number): number => (bins[step] === 0 ? numberAt(actual, rowOfStep[step] ?? -1) : NaN);
  const known = new Float64Array(bins.length);
  let count = 0;
  for (let step = 0; step < bins.length; step++) {
    const value = actualOf(step);
    if (!Number.isNaN(value)) known[count++] = value;
  }
  const values = known.subarray(0, count).sort();
  const from = Array.from(
    { length: bandCount },
    (_, band) => values[Math.ceil((band * count) / bandCount)] ?? Infinity,
  );
  for (let step = 0; step < bins.length; step++) {
    const value = actualOf(step);
    if (bins[step] === 0) bins[step] = Number.isNaN(value) ? bandCount : countUpTo(from, value) - 1;
  }
  const write = receivedFormatter(usableLocale(locale));
  const unit = unitOf(actual.field).text;
  return from.map((least, band) => {
    const greatest = values[countBelow(values, from[band + 1] ?? Infinity) - 1] ?? NaN;
    const limits = least < greatest ? `${write(least)} – ${write(greatest)}` : write(least);
    return unit ? `${limits} ${unit}` : limits;
  });
}

/** Computes the error of persistence for each row with both values: the actual minus the actual `lagMs` before, NaN if there is none. */
function persistenceForecast({ actual, steps, rowOfStep, errors }: ForecastErrors, lagMs: number): Float64Array {
  const { startOf, stepAt, hoursOf } = steps;
  const persistence = new Float64Array(errors.length).fill(NaN);
  for (let step = 0; step < rowOfStep.length; step++) {
    const start = startOf(step) - lagMs;
    const before = stepAt(start);
    // The value of an hour does not apply to a quarter of it.
    const isSame = startOf(before) === start && hoursOf?.(before) === hoursOf?.(step);
    const [row, earlier] = [rowOfStep[step] ?? -1, isSame ? (rowOfStep[before] ?? -1) : -1];
    if (row < 0 || earlier < 0 || !Number.isFinite(errors[row])) continue;
    persistence[row] = decimalDifference(numberAt(actual, row), numberAt(actual, earlier));
  }
  return persistence;
}

function computeScores(
  rows: Int32Array,
  { actual, errors, weights }: Pick<ForecastErrors, 'actual' | 'errors' | 'weights'>,
  earlier: Readonly<Record<'day' | 'week', Float64Array>>,
): Scores {
  const known = new Float64Array(rows.length);
  const sums = { error: new DecimalSum(), size: new DecimalSum(), square: new DecimalSum(), part: new DecimalSum() };
  const [weighed, weighedParts] = [new DecimalSum(), new DecimalSum()];
  const [day, week] = [new SkillSum(earlier.day), new SkillSum(earlier.week)];
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    const error = errors[row] ?? NaN;
    if (!Number.isFinite(error)) continue;
    const value = numberAt(actual, row);
    known[sums.error.count] = error;
    const weight = weights?.[row] ?? 1;
    weighed.add(weight);
    sums.error.add(error * weight);
    sums.size.add(Math.abs(error) * weight);
    sums.square.add(error ** 2 * weight);
    if (value !== 0) {
      weighedParts.add(weight);
      sums.part.add(Math.abs(error / value) * weight);
    }
    day.add(row, error, weight);
    week.add(row, error, weight);
  }
  const ascending = known.subarray(0, sums.error.count).sort();
  return {
    hours: weighed.sum(),
    ofHours: rows.length,
    bias: sums.error.sum() / weighed.sum(),
    mae: sums.size.sum() / weighed.sum(),
    rmse: Math.sqrt(sums.square.sum() / weighed.sum()),
    mape: (100 * sums.part.sum()) / weighedParts.sum(),
    p5: quantile(ascending, 0.05),
    p50: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    skillDay: day.skill(),
    skillWeek: week.skill(),
  };
}

/** Sums the absolute errors of a forecast and of persistence over the hours that have both. */
class SkillSum {
  readonly #persistence: Float64Array;
  readonly #own = new DecimalSum();
  readonly #reference = new DecimalSum();

  constructor(persistence: Float64Array) {
    this.#persistence = persistence;
  }

  add(row: number, error: number, weight: number): void {
    const reference = Math.abs(this.#persistence[row] ?? NaN);
    if (!Number.isFinite(reference)) return;
    this.#own.add(Math.abs(error) * weight);
    this.#reference.add(reference * weight);
  }

  /** Returns the skill in percent. Not finite if persistence has no error or there are no hours. */
  skill(): number {
    return 100 * (1 - this.#own.sum() / this.#reference.sum());
  }
}

function scoreColumns(scores: readonly Scores[], actual: NumberColumn, perHour: number): NumberColumn[] {
  const unit = actual.field?.unit && differenceOf(actual.field.unit);
  const column = (name: string, figure: keyof Scores, own: Unit | undefined, scale = 1): NumberColumn => {
    const numbers = scores.map(score => score[figure] * scale);
    return computedColumn(name, numbers, { ...scoreTexts[figure], ...(own && { unit: own }) });
  };
  const ofUnit = (figure: keyof Scores): NumberColumn => column(nameWithUnit(figure, unit), figure, unit);
  return [
    column('hours', 'hours', hourCount, perHour),
    column('of_hours', 'ofHours', hourCount, perHour),
    ...[ofUnit('bias'), ofUnit('mae'), ofUnit('rmse')],
    column('mape_pct', 'mape', share),
    ...[ofUnit('p5'), ofUnit('p50'), ofUnit('p95')],
    column('skill_24h_pct', 'skillDay', share),
    column('skill_168h_pct', 'skillWeek', share),
  ];
}

const mostWorst = 10;

/** Labels and meanings of the computed columns. */
export const worstTexts = {
  error: { label: 'Error', meaning: 'Actual minus forecast; positive where the forecast was too low' },
  part: { label: 'Error, %', meaning: "The error in percent of the actual's size" },
} as const;

/**
 * Returns the ten rows with the largest absolute errors in descending order, of equal ones the earlier first: time, actual, forecast,
 * the error, and the error in percent of the absolute actual, null if that is 0. `rows` must be sorted by time.
 */
function worstHours({ time, actual, forecast, errors }: ForecastErrors, rows: Int32Array): Frame {
  const worst: number[] = [];
  const sizeOf = (row: number): number => Math.abs(errors[row] ?? NaN);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    const size = sizeOf(row);
    if (!Number.isFinite(size) || (worst.length === mostWorst && !(size > sizeOf(worst.at(-1) ?? -1)))) continue;
    const place = worst.findIndex(other => sizeOf(other) < size);
    worst.splice(place < 0 ? worst.length : place, 0, row);
    worst.length = Math.min(worst.length, mostWorst);
  }
  const columns = [time, actual, ...(forecast === actual ? [] : [forecast])];
  const taken = takeRows({ rowCount: errors.length, columns }, Uint32Array.from(worst));
  const unit = actual.field?.unit && differenceOf(actual.field.unit);
  const names = new Set(columns.map(({ name }) => name));
  const column = (name: string, numbers: readonly number[], field: FieldInfo) =>
    computedColumn(uniqueName(name, names), numbers, field);
  const parts = worst.map(row => (100 * (errors[row] ?? NaN)) / Math.abs(numberAt(actual, row)));
  return {
    rowCount: worst.length,
    columns: [
      ...taken.columns,
      column(
        nameWithUnit('error', unit),
        worst.map(row => errors[row] ?? NaN),
        { ...worstTexts.error, ...(unit && { unit }) },
      ),
      column('error_pct', parts, { ...worstTexts.part, unit: share }),
    ],
  };
}
