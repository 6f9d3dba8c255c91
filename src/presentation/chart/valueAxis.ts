import { computeNiceWidth } from '../statistics/niceNumbers.ts';

/** The range of a value axis and its ticks. */
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** The decimals that distinguish the ticks. */
  readonly decimals: number;
  /** Set for a logarithmic axis. */
  readonly isLog?: true;
}

/** The largest end of an axis; beyond it the length would not be finite. */
const maxEnd = 8e307;
/** The minimum length of an axis; below it, no decimals would distinguish the ticks. */
const minLength = 1e-18;

/** Creates an axis around values with at most about `maxTicks` round ticks. */
export function createValueAxis(
  minValue: number,
  maxValue: number,
  maxTicks: number,
  includesZero: boolean,
): ValueAxis {
  let [min = 0, max = 1] = [minValue, maxValue].map(end => Math.max(-maxEnd, Math.min(maxEnd, end)));
  if (!(min <= max)) [min, max] = [0, 1];
  if (includesZero) {
    min = Math.min(min, 0);
    max = Math.max(max, 0);
  }
  // The values are equal within their precision.
  if (max - min <= Math.max(minLength, Math.abs(min) * 1e-10, Math.abs(max) * 1e-10)) {
    const share = Math.abs(min) * 0.05;
    const half = share > minLength ? share : 0.5;
    [min, max] = [min - half, max + half];
  }
  const tickDistance = computeNiceWidth((max - min) / Math.max(1, maxTicks)).width;
  // The ends need not be ticks, because a whole tick distance for a value just below zero would waste space.
  const rounding = tickDistance / 5;
  return createAxis(
    Math.floor(min / rounding + 1e-9) * rounding + 0,
    Math.ceil(max / rounding - 1e-9) * rounding + 0,
    tickDistance,
  );
}

/** Creates an axis with given ends. */
export function createFixedAxis(min: number, max: number, maxTicks: number): ValueAxis {
  return createAxis(min, max, computeNiceWidth((max - min) / Math.max(1, maxTicks)).width);
}

/** Creates a logarithmic axis between powers of ten, with ticks at the powers, and at 2 and 5 times each if there is room. */
export function createLogAxis(minValue: number, maxValue: number, maxTicks: number): ValueAxis {
  const [low, high] = minValue > 0 && maxValue >= minValue && maxValue < maxEnd ? [minValue, maxValue] : [1, 10];
  const first = Math.floor(Math.log10(low));
  const last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const powers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const factors = 3 * (last - first) <= 2 * maxTicks ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(powers.length / Math.max(1, 2 * maxTicks)));
  const ticks = powers
    .filter((_, index) => index % stride === 0)
    .flatMap(power => factors.map(factor => Number(`${factor}e${power}`)))
    .filter(tick => tick <= 10 ** last);
  return { min: 10 ** first, max: 10 ** last, ticks, decimals: Math.min(20, Math.max(0, -first)), isLog: true };
}

/** Creates an axis of the hours of a day, with a tick at least every twelve hours. */
export function createHourAxis(maxTicks: number): ValueAxis {
  const tickDistance = [1, 2, 3, 6].find(hours => 24 / hours <= maxTicks) ?? 12;
  return createAxis(0, 24, tickDistance);
}

function createAxis(min: number, max: number, tickDistance: number): ValueAxis {
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(tickDistance) + 1e-9), countDecimals(tickDistance)));
  const first = Math.ceil(min / tickDistance - 1e-9);
  const count = Math.floor(max / tickDistance + 1e-9) - first + 1;
  // Each tick is computed from its index, so that errors do not add up. Adding 0 avoids -0.
  const ticks = Array.from(
    { length: count },
    (_, index) => Number(((first + index) * tickDistance).toFixed(decimals)) + 0,
  );
  return { min, max, ticks, decimals };
}

function countDecimals(tickDistance: number): number {
  let decimals = 0;
  while (decimals < 20 && Math.abs(Number(tickDistance.toFixed(decimals)) - tickDistance) > tickDistance * 1e-9)
    decimals++;
  return decimals;
}
