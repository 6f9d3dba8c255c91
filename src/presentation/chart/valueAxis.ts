import { niceStep } from '../statistics/niceSteps.ts';

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
const furthest = 8e307;
/** The minimum length of an axis; below it, no decimals would distinguish the ticks. */
const finest = 1e-18;

/** Creates an axis around values with at most about `most` round ticks. `zero`: whether it includes zero. */
export function valueAxis(least: number, greatest: number, most: number, zero: boolean): ValueAxis {
  let [min = 0, max = 1] = [least, greatest].map(end => Math.max(-furthest, Math.min(furthest, end)));
  if (!(min <= max)) [min, max] = [0, 1];
  if (zero) {
    min = Math.min(min, 0);
    max = Math.max(max, 0);
  }
  // The values are equal within their precision.
  if (max - min <= Math.max(finest, Math.abs(min) * 1e-10, Math.abs(max) * 1e-10)) {
    const share = Math.abs(min) * 0.05;
    const half = share > finest ? share : 0.5;
    [min, max] = [min - half, max + half];
  }
  const step = niceStep((max - min) / Math.max(1, most)).width;
  // The ends need not be ticks: a whole tick distance for a little below zero would waste space.
  const part = step / 5;
  return withTicks(Math.floor(min / part + 1e-9) * part + 0, Math.ceil(max / part - 1e-9) * part + 0, step);
}

/** Creates an axis with given ends. */
export function fixedAxis(min: number, max: number, most: number): ValueAxis {
  return withTicks(min, max, niceStep((max - min) / Math.max(1, most)).width);
}

/** Creates a logarithmic axis between powers of ten, with ticks at the powers, and at 2 and 5 times each if there is room. */
export function logAxis(least: number, greatest: number, most: number): ValueAxis {
  const [low, high] = least > 0 && greatest >= least && greatest < furthest ? [least, greatest] : [1, 10];
  const first = Math.floor(Math.log10(low));
  const last = Math.max(first + 1, Math.ceil(Math.log10(high)));
  const powers = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const factors = 3 * (last - first) <= 2 * most ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(powers.length / Math.max(1, 2 * most)));
  const ticks = powers
    .filter((_, place) => place % stride === 0)
    .flatMap(power => factors.map(factor => Number(`${factor}e${power}`)))
    .filter(tick => tick <= 10 ** last);
  return { min: 10 ** first, max: 10 ** last, ticks, decimals: Math.min(20, Math.max(0, -first)), isLog: true };
}

/** Creates an axis of the hours of a day, with a tick at least every twelve hours. */
export function clockAxis(most: number): ValueAxis {
  const step = [1, 2, 3, 6].find(hours => 24 / hours <= most) ?? 12;
  return withTicks(0, 24, step);
}

function withTicks(min: number, max: number, step: number): ValueAxis {
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9), decimalsOf(step)));
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  // Each tick is computed from its index, so that errors do not add up. Adding 0 avoids -0.
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(decimals)) + 0);
  return { min, max, ticks, decimals };
}

function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < 20 && Math.abs(Number(step.toFixed(decimals)) - step) > step * 1e-9) decimals++;
  return decimals;
}
