import { niceStep } from '../statistics/niceSteps.ts';

/** The values an axis spans and its marks. */
export interface ValueAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** Digits after the point that tell the marks apart. */
  readonly decimals: number;
  /** Equal ratios are equally long. */
  readonly isLog?: true;
}

/** An axis goes no further, or its length would be no number. */
const furthest = 8e307;
/** An axis is no shorter, or its marks would be told apart by no digit. */
const finest = 1e-18;

/** An axis around the values with round marks inside, at most about `most`. `zero`: it starts at zero or holds it. */
export function valueAxis(least: number, greatest: number, most: number, zero: boolean): ValueAxis {
  let [min = 0, max = 1] = [least, greatest].map(end => Math.max(-furthest, Math.min(furthest, end)));
  if (!(min <= max)) [min, max] = [0, 1];
  if (zero) {
    min = Math.min(min, 0);
    max = Math.max(max, 0);
  }
  // Closer than numbers of this size can be told apart: as good as one value.
  if (max - min <= Math.max(finest, Math.abs(min) * 1e-10, Math.abs(max) * 1e-10)) {
    const share = Math.abs(min) * 0.05;
    const half = share > finest ? share : 0.5;
    [min, max] = [min - half, max + half];
  }
  const step = niceStep((max - min) / Math.max(1, most)).width;
  // The ends need not be marks: a whole step more for a little below zero would be room for nothing.
  const part = step / 5;
  return withTicks(Math.floor(min / part + 1e-9) * part + 0, Math.ceil(max / part - 1e-9) * part + 0, step);
}

/** An axis of given ends. */
export function fixedAxis(min: number, max: number, most: number): ValueAxis {
  return withTicks(min, max, niceStep((max - min) / Math.max(1, most)).width);
}

/** A logarithmic axis around values above zero: from a power of ten to one, with marks at 1, 2 and 5 times each while these are few. */
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

/** The clock of a day, with a mark at least every twelve hours. */
export function clockAxis(most: number): ValueAxis {
  const step = [1, 2, 3, 6].find(hours => 24 / hours <= most) ?? 12;
  return withTicks(0, 24, step);
}

function withTicks(min: number, max: number, step: number): ValueAxis {
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9), decimalsOf(step)));
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first + 1;
  // Each mark from its number, not from the one before, so that no error adds up; no "-0".
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(decimals)) + 0);
  return { min, max, ticks, decimals };
}

function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < 20 && Math.abs(Number(step.toFixed(decimals)) - step) > step * 1e-9) decimals++;
  return decimals;
}
