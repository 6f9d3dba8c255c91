import { hourMs } from '../../shared/durations.ts';
import { numbersAt } from '../frame/clip.ts';
import { differenceOf, energy, type Unit } from '../../shared/units.ts';
import { energyOf } from '../statistics/energy.ts';
import { decimalDifference, SumDigits, withoutBinaryNoise } from '../statistics/sumDigits.ts';
import { fillSteps, stepRows, type Steps } from '../time/steps.ts';
import { FormulaError, type Place, type WindowName } from './formula.ts';

/** A number for each instant, NaN for none, and for how many hours each counts, where that is not the length of a row. */
export interface Series {
  readonly values: Float64Array;
  readonly hours?: Float64Array;
}

/** The instants of a series, each once and ascending, and what its rows are. */
interface SeriesRows {
  readonly times: Float64Array;
  /** The length of a row; undefined where it is not known. */
  readonly stepMs: number | undefined;
  readonly unit: Unit;
}

/** A function of the values at other instants. */
interface WindowFunction {
  /** Throws a FormulaError for values of a unit that has none. */
  readonly unit: (unit: Unit, at: Place) => Unit;
  readonly steps: (series: Series, rows: SeriesRows, durationMs: number) => Steps<Series>;
}

/** What is no mean over the hours of its row has no energy. */
function withoutEnergy({ kind, text, difference, overlaps }: Unit): Unit {
  return { kind, text, ...(difference && { difference }), ...(overlaps && { overlaps }) };
}

const ofWindow = (unit: Unit): Unit => ({ ...withoutEnergy(unit), overlaps: true });

function unitOfSum(unit: Unit, at: Place): Unit {
  if (unit.mwhPerHour !== undefined) return ofWindow({ ...unit, ...energy });
  if (unit.kind === 'energy' || unit.kind === 'none') return ofWindow(unit);
  throw new FormulaError('sum', at);
}

/** A window of a row is [its end − duration, its end): the rows after the one that lies exactly that long before. */
export const windowFunctions: Readonly<Record<WindowName, WindowFunction>> = {
  lag: { unit: unit => unit, steps: lagSteps },
  delta: {
    unit: unit => differenceOf(withoutEnergy(unit)),
    *steps(series, rows, durationMs) {
      const { values: before } = yield* lagSteps(series, rows, durationMs);
      return { values: yield* mapSteps(series.values, (value, at) => decimalDifference(value, before[at] ?? NaN)) };
    },
  },
  mean: {
    unit: ofWindow,
    steps: windowed(sumSteps, (sum, weight) => withoutBinaryNoise(sum / weight, Math.abs(sum / weight)), true),
  },
  sum: {
    unit: unitOfSum,
    steps: windowed(sumSteps, (sum, _, unit, weightMs) =>
      unit.mwhPerHour === undefined ? sum : (energyOf(unit, sum, 1, weightMs)?.mwh ?? NaN),
    ),
  },
  lowest: { unit: ofWindow, steps: windowed(extremeSteps(Math.min, Infinity), value => value) },
  highest: { unit: ofWindow, steps: windowed(extremeSteps(Math.max, -Infinity), value => value) },
};

/** The values exactly so long before. */
function* lagSteps(series: Series, { times }: SeriesRows, durationMs: number): Steps<Series> {
  const source = new Int32Array(times.length).fill(-1);
  for (let at = 0, earlier = 0; at < times.length; at++) {
    if (at % stepRows === stepRows - 1) yield;
    const wanted = (times[at] ?? NaN) - durationMs;
    while ((times[earlier] ?? NaN) < wanted) earlier++;
    if (times[earlier] === wanted) source[at] = earlier;
  }
  yield;
  return seriesAt(series, source);
}

/** What stands at these places; NaN for -1. */
export function seriesAt({ values, hours }: Series, places: Int32Array | Uint32Array): Series {
  return { values: numbersAt(values, places), ...(hours && { hours: numbersAt(hours, places) }) };
}

/** A figure of each window. `weights`: of each value, 0 where there is none. */
type FigureSteps = (series: Series, weights: Float64Array, times: Float64Array, ms: number) => Steps<Float64Array>;

/**
 * A function of the values in each window, with the hours for which they count. A value weighs 1 or, where it is power that counts for hours
 * of its own, these hours; in a mean (`isMean`) any value does. `finish` gets the figure, the weight of the window, and for how long a weight
 * of 1 lasts.
 */
function windowed(
  figureSteps: FigureSteps,
  finish: (figure: number, weight: number, unit: Unit, weightMs: number | undefined) => number,
  isMean = false,
): WindowFunction['steps'] {
  return function* (series, { times, stepMs, unit }, durationMs) {
    const ownHours = unit.mwhPerHour === undefined && (!isMean || unit.overlaps) ? undefined : series.hours;
    const weightMs = ownHours ? hourMs : stepMs;
    const own = yield* mapSteps(series.values, (value, at) => (Number.isNaN(value) ? 0 : (ownHours?.[at] ?? 1)));
    const weights = yield* windowSteps(times, own, durationMs, add, 0);
    const figures = yield* figureSteps(series, own, times, durationMs);
    const values = yield* mapSteps(figures, (figure, at) => {
      const weight = weights[at] ?? 0;
      return weight > 0 ? finish(figure, weight, unit, weightMs) : NaN;
    });
    if (weightMs === undefined) return { values };
    return { values, hours: yield* mapSteps(weights, weight => weight * (weightMs / hourMs)) };
  };
}

function mapSteps(numbers: Float64Array, make: (value: number, at: number) => number): Steps<Float64Array> {
  return fillSteps(new Float64Array(numbers.length), at => make(numbers[at] ?? NaN, at));
}

const add = (a: number, b: number): number => a + b;

/** The weighted sum of each window, with the digits of the decimals. */
function* sumSteps({ values }: Series, weights: Float64Array, times: Float64Array, ms: number): Steps<Float64Array> {
  const weighted = yield* mapSteps(values, (value, at) => (Number.isNaN(value) ? 0 : value * (weights[at] ?? NaN)));
  const digits = new SumDigits();
  let size = 0;
  for (let at = 0; at < weighted.length; at++) {
    if (at % stepRows === stepRows - 1) yield;
    const value = weighted[at] ?? 0;
    digits.note(value);
    size += Math.abs(value);
  }
  // Sums of whole numbers are exact.
  const scale = digits.wholeScale(size);
  if (scale === undefined) return yield* windowSteps(times, weighted, ms, add, 0);
  const whole = yield* mapSteps(weighted, value => Math.round(value * scale));
  return yield* mapSteps(yield* windowSteps(times, whole, ms, add, 0), sum => sum / scale);
}

function extremeSteps(extreme: (a: number, b: number) => number, none: number): FigureSteps {
  return function* ({ values }, weights, times, ms) {
    const counted = yield* mapSteps(values, (value, at) => (weights[at] ? value : none));
    return yield* windowSteps(times, counted, ms, extreme, none);
  };
}

/**
 * Joins the values in (time − duration, time] for each time, in linear time and without a difference of sums, whose rounding errors would
 * stay: a window is the end of a block of values, which is joined from the back once, and the values since. `join` of `none` and a value is
 * the value.
 */
function* windowSteps(
  times: Float64Array,
  values: Float64Array,
  durationMs: number,
  join: (a: number, b: number) => number,
  none: number,
): Steps<Float64Array> {
  const joined = new Float64Array(times.length);
  /** From each place to the end of the block. */
  const toBlockEnd = new Float64Array(times.length);
  let [first, blockEnd, since] = [0, 0, none];
  for (let at = 0; at < times.length; at++) {
    if (at % stepRows === stepRows - 1) yield;
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
