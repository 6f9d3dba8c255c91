import { hourMs } from '../../shared/durations.ts';
import { numbersAt } from '../frame/clip.ts';
import { getDifferenceUnit, energy, isAmount, type Unit } from '../../shared/units.ts';
import { calculateEnergy } from '../statistics/energy.ts';
import { subtractDecimals, DecimalTracker, roundBinaryNoise } from '../statistics/decimalSum.ts';
import { FormulaError, type TextRange, type WindowName } from './formula.ts';

/** A number for each instant (NaN if there is none), and the hours that each counts for if they differ from the length of a row. */
export interface Series {
  readonly values: Float64Array;
  readonly hours?: Float64Array;
}

/** The distinct instants of a series, sorted, and the properties of its rows. */
interface SeriesRows {
  readonly times: Float64Array;
  /** The length of a row in milliseconds; undefined if unknown. */
  readonly intervalMs: number | undefined;
  readonly unit: Unit;
}

/** A function of the values at other instants. */
interface WindowFunction {
  /** Throws a FormulaError if the function does not apply to values of the unit. */
  readonly unit: (unit: Unit, range: TextRange) => Unit;
  readonly apply: (series: Series, rows: SeriesRows, durationMs: number) => Series;
}

/** Removes the energy of a unit: only means over the hours of a row have one. */
function removeEnergy({ kind, text, difference, overlaps }: Unit): Unit {
  return { kind, text, ...(difference && { difference }), ...(overlaps && { overlaps }) };
}

const toWindowUnit = (unit: Unit): Unit => ({ ...removeEnergy(unit), overlaps: true });

function getSumUnit(unit: Unit, range: TextRange): Unit {
  if (unit.mwhPerHour !== undefined) return toWindowUnit({ ...unit, ...energy });
  if (isAmount(unit) || unit.kind === 'none') return toWindowUnit(unit);
  throw new FormulaError('sum', range);
}

/** The window of a row is [its end − duration, its end): the rows after the one that begins exactly the duration before. */
export const windowFunctions: Readonly<Record<WindowName, WindowFunction>> = {
  lag: { unit: unit => unit, apply: getLaggedValues },
  delta: {
    unit: unit => getDifferenceUnit(removeEnergy(unit)),
    apply(series, rows, durationMs) {
      const { values: earlierValues } = getLaggedValues(series, rows, durationMs);
      return { values: series.values.map((value, row) => subtractDecimals(value, earlierValues[row] ?? NaN)) };
    },
  },
  mean: {
    unit: toWindowUnit,
    apply: createWindowFunction(
      sumWindows,
      (sum, weight) => roundBinaryNoise(sum / weight, Math.abs(sum / weight)),
      true,
    ),
  },
  sum: {
    unit: getSumUnit,
    apply: createWindowFunction(sumWindows, (sum, _, unit, weightMs) =>
      unit.mwhPerHour === undefined ? sum : (calculateEnergy(unit, sum, 1, weightMs)?.mwh ?? NaN),
    ),
  },
  lowest: { unit: toWindowUnit, apply: createWindowFunction(createExtremeFigure(Math.min, Infinity), value => value) },
  highest: {
    unit: toWindowUnit,
    apply: createWindowFunction(createExtremeFigure(Math.max, -Infinity), value => value),
  },
};

/** Returns for each row the value of the row that begins exactly the duration before. */
function getLaggedValues(series: Series, { times }: SeriesRows, durationMs: number): Series {
  const source = new Int32Array(times.length).fill(-1);
  let earlierRow = 0;
  for (let row = 0; row < times.length; row++) {
    const targetMs = (times[row] ?? NaN) - durationMs;
    while ((times[earlierRow] ?? NaN) < targetMs) earlierRow++;
    if (times[earlierRow] === targetMs) source[row] = earlierRow;
  }
  return takeSeries(series, source);
}

/** Returns the items at these indexes; NaN for -1. */
export function takeSeries({ values, hours }: Series, indexes: Int32Array | Uint32Array): Series {
  return { values: numbersAt(values, indexes), ...(hours && { hours: numbersAt(hours, indexes) }) };
}

/** Computes a figure for each window. `weights`: the weight of each value, 0 if it is missing. */
type WindowFigure = (series: Series, weights: Float64Array, times: Float64Array, ms: number) => Float64Array;

/**
 * Creates a function of the values in each window, with the hours that they count for. A value has the weight 1, except for power that
 * counts for hours of its own, and any value in a mean (`isMean`), where the weight is those hours. `finish` receives the figure, the
 * total weight of the window, and the duration of a weight of 1.
 */
function createWindowFunction(
  figure: WindowFigure,
  finish: (figure: number, weight: number, unit: Unit, weightMs: number | undefined) => number,
  isMean = false,
): WindowFunction['apply'] {
  return function (series, { times, intervalMs, unit }, durationMs) {
    const valueHours = unit.mwhPerHour === undefined && (!isMean || unit.overlaps) ? undefined : series.hours;
    const weightMs = valueHours ? hourMs : intervalMs;
    const valueWeights = series.values.map((value, row) => (Number.isNaN(value) ? 0 : (valueHours?.[row] ?? 1)));
    const weights = reduceWindows(times, valueWeights, durationMs, add, 0);
    const figures = figure(series, valueWeights, times, durationMs);
    const values = figures.map((figure, row) => {
      const weight = weights[row] ?? 0;
      return weight > 0 ? finish(figure, weight, unit, weightMs) : NaN;
    });
    if (weightMs === undefined) return { values };
    return { values, hours: weights.map(weight => weight * (weightMs / hourMs)) };
  };
}

const add = (a: number, b: number): number => a + b;

/** Returns the weighted sum of each window without binary noise. */
function sumWindows({ values }: Series, weights: Float64Array, times: Float64Array, ms: number): Float64Array {
  const weightedValues = values.map((value, row) => (Number.isNaN(value) ? 0 : value * (weights[row] ?? NaN)));
  const digits = new DecimalTracker();
  let totalMagnitude = 0;
  for (let row = 0; row < weightedValues.length; row++) {
    const value = weightedValues[row] ?? 0;
    digits.track(value);
    totalMagnitude += Math.abs(value);
  }
  // Sums of whole numbers are exact.
  const scale = digits.getWholeScale(totalMagnitude);
  if (scale === undefined) return reduceWindows(times, weightedValues, ms, add, 0);
  const whole = weightedValues.map(value => Math.round(value * scale));
  return reduceWindows(times, whole, ms, add, 0).map(sum => sum / scale);
}

function createExtremeFigure(extreme: (a: number, b: number) => number, neutral: number): WindowFigure {
  return function ({ values }, weights, times, ms) {
    const weightedValues = values.map((value, row) => (weights[row] ? value : neutral));
    return reduceWindows(times, weightedValues, ms, extreme, neutral);
  };
}

/**
 * Reduces the values in (time − duration, time] for each time, in linear time and without subtracting sums, whose rounding errors would
 * accumulate. A window is the end of a block of values, which is reduced once from the back, and the values after the block.
 * `reduce(neutral, value)` must return the value.
 */
function reduceWindows(
  times: Float64Array,
  values: Float64Array,
  durationMs: number,
  reduce: (a: number, b: number) => number,
  neutral: number,
): Float64Array {
  const reduced = new Float64Array(times.length);
  /** The reduction from each index to the end of the block. */
  const toBlockEnd = new Float64Array(times.length);
  let windowStart = 0;
  let blockEnd = 0;
  let afterBlock = neutral;
  for (let row = 0; row < times.length; row++) {
    while ((times[windowStart] ?? NaN) <= (times[row] ?? NaN) - durationMs) windowStart++;
    afterBlock = reduce(afterBlock, values[row] ?? neutral);
    if (windowStart >= blockEnd) {
      let suffix = neutral;
      for (let index = row; index >= windowStart; index--)
        toBlockEnd[index] = suffix = reduce(values[index] ?? neutral, suffix);
      blockEnd = row + 1;
      afterBlock = neutral;
    }
    reduced[row] = reduce(toBlockEnd[windowStart] ?? neutral, afterBlock);
  }
  return reduced;
}
