import { hourMs } from '../../shared/durations.ts';
import { numbersAt } from '../frame/clip.ts';
import { differenceOf, energy, type Unit } from '../../shared/units.ts';
import { energyOf } from '../statistics/energy.ts';
import { decimalDifference, SumDigits, withoutBinaryNoise } from '../statistics/sumDigits.ts';
import { FormulaError, type Place, type WindowName } from './formula.ts';

/** A number for each instant (NaN if there is none), and the hours that each counts for if they differ from the length of a row. */
export interface Series {
  readonly values: Float64Array;
  readonly hours?: Float64Array;
}

/** The distinct instants of a series, sorted, and the properties of its rows. */
interface SeriesRows {
  readonly times: Float64Array;
  /** The length of a row in milliseconds; undefined if unknown. */
  readonly stepMs: number | undefined;
  readonly unit: Unit;
}

/** A function of the values at other instants. */
interface WindowFunction {
  /** Throws a FormulaError if the function does not apply to values of the unit. */
  readonly unit: (unit: Unit, at: Place) => Unit;
  readonly apply: (series: Series, rows: SeriesRows, durationMs: number) => Series;
}

/** Removes the energy of a unit: only means over the hours of a row have one. */
function withoutEnergy({ kind, text, difference, overlaps }: Unit): Unit {
  return { kind, text, ...(difference && { difference }), ...(overlaps && { overlaps }) };
}

const ofWindow = (unit: Unit): Unit => ({ ...withoutEnergy(unit), overlaps: true });

function unitOfSum(unit: Unit, at: Place): Unit {
  if (unit.mwhPerHour !== undefined) return ofWindow({ ...unit, ...energy });
  if (unit.kind === 'energy' || unit.kind === 'none') return ofWindow(unit);
  throw new FormulaError('sum', at);
}

/** A row's window is [its end − duration, its end): the rows after the one exactly `duration` before. */
export const windowFunctions: Readonly<Record<WindowName, WindowFunction>> = {
  lag: { unit: unit => unit, apply: lagSeries },
  delta: {
    unit: unit => differenceOf(withoutEnergy(unit)),
    apply(series, rows, durationMs) {
      const { values: before } = lagSeries(series, rows, durationMs);
      return { values: series.values.map((value, at) => decimalDifference(value, before[at] ?? NaN)) };
    },
  },
  mean: {
    unit: ofWindow,
    apply: windowed(windowSum, (sum, weight) => withoutBinaryNoise(sum / weight, Math.abs(sum / weight)), true),
  },
  sum: {
    unit: unitOfSum,
    apply: windowed(windowSum, (sum, _, unit, weightMs) =>
      unit.mwhPerHour === undefined ? sum : (energyOf(unit, sum, 1, weightMs)?.mwh ?? NaN),
    ),
  },
  lowest: { unit: ofWindow, apply: windowed(windowExtreme(Math.min, Infinity), value => value) },
  highest: { unit: ofWindow, apply: windowed(windowExtreme(Math.max, -Infinity), value => value) },
};

/** Returns the values exactly that long before. */
function lagSeries(series: Series, { times }: SeriesRows, durationMs: number): Series {
  const source = new Int32Array(times.length).fill(-1);
  for (let at = 0, earlier = 0; at < times.length; at++) {
    const wanted = (times[at] ?? NaN) - durationMs;
    while ((times[earlier] ?? NaN) < wanted) earlier++;
    if (times[earlier] === wanted) source[at] = earlier;
  }
  return seriesAt(series, source);
}

/** Returns the items at these indexes; NaN for -1. */
export function seriesAt({ values, hours }: Series, places: Int32Array | Uint32Array): Series {
  return { values: numbersAt(values, places), ...(hours && { hours: numbersAt(hours, places) }) };
}

/** Computes a figure for each window. `weights`: the weight of each value, 0 if it is missing. */
type WindowFigure = (series: Series, weights: Float64Array, times: Float64Array, ms: number) => Float64Array;

/**
 * Creates a function of the values in each window, with the hours that they count for. A value has the weight 1, except for power that
 * counts for hours of its own, and any value in a mean (`isMean`), where the weight is those hours. `finish` receives the figure, the
 * total weight of the window, and the duration of a weight of 1.
 */
function windowed(
  figure: WindowFigure,
  finish: (figure: number, weight: number, unit: Unit, weightMs: number | undefined) => number,
  isMean = false,
): WindowFunction['apply'] {
  return function (series, { times, stepMs, unit }, durationMs) {
    const ownHours = unit.mwhPerHour === undefined && (!isMean || unit.overlaps) ? undefined : series.hours;
    const weightMs = ownHours ? hourMs : stepMs;
    const own = series.values.map((value, at) => (Number.isNaN(value) ? 0 : (ownHours?.[at] ?? 1)));
    const weights = joinWindows(times, own, durationMs, add, 0);
    const figures = figure(series, own, times, durationMs);
    const values = figures.map((figure, at) => {
      const weight = weights[at] ?? 0;
      return weight > 0 ? finish(figure, weight, unit, weightMs) : NaN;
    });
    if (weightMs === undefined) return { values };
    return { values, hours: weights.map(weight => weight * (weightMs / hourMs)) };
  };
}

const add = (a: number, b: number): number => a + b;

/** Returns the weighted sum of each window without binary noise. */
function windowSum({ values }: Series, weights: Float64Array, times: Float64Array, ms: number): Float64Array {
  const weighted = values.map((value, at) => (Number.isNaN(value) ? 0 : value * (weights[at] ?? NaN)));
  const digits = new SumDigits();
  let size = 0;
  for (let at = 0; at < weighted.length; at++) {
    const value = weighted[at] ?? 0;
    digits.note(value);
    size += Math.abs(value);
  }
  // Sums of whole numbers are exact.
  const scale = digits.wholeScale(size);
  if (scale === undefined) return joinWindows(times, weighted, ms, add, 0);
  const whole = weighted.map(value => Math.round(value * scale));
  return joinWindows(times, whole, ms, add, 0).map(sum => sum / scale);
}

function windowExtreme(extreme: (a: number, b: number) => number, none: number): WindowFigure {
  return function ({ values }, weights, times, ms) {
    const counted = values.map((value, at) => (weights[at] ? value : none));
    return joinWindows(times, counted, ms, extreme, none);
  };
}

/**
 * Reduces the values in (time − duration, time] for each time, in linear time and without subtracting sums, whose rounding errors would
 * accumulate. A window is the end of a block of values, reduced once from the back, and the values after it. `join` must return the
 * value for `none` and a value.
 */
function joinWindows(
  times: Float64Array,
  values: Float64Array,
  durationMs: number,
  join: (a: number, b: number) => number,
  none: number,
): Float64Array {
  const joined = new Float64Array(times.length);
  /** The reduction from each index to the end of the block. */
  const toBlockEnd = new Float64Array(times.length);
  let [first, blockEnd, since] = [0, 0, none];
  for (let at = 0; at < times.length; at++) {
    while ((times[first] ?? NaN) <= (times[at] ?? NaN) - durationMs) first++;
    since = join(since, values[at] ?? none);
    if (first >= blockEnd) {
      let rest = none;
      for (let place = at; place >= first; place--) toBlockEnd[place] = rest = join(values[place] ?? none, rest);
      [blockEnd, since] = [at + 1, none];
    }
    joined[at] = join(toBlockEnd[first] ?? none, since);
  }
  return joined;
}
