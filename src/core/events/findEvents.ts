import { subtractDecimals } from '../statistics/decimalSum.ts';

/** The known values of a range's intervals, in order of time. */
export interface IntervalValues {
  /** NaN if the value is unknown. Values before and after the range are unknown too. */
  readonly values: Float64Array;
  /** Not 0 for each excluded interval. */
  readonly excluded: ArrayLike<number>;
}

/** Returns the length of an interval in milliseconds. */
type GetIntervalLength = (interval: number) => number;

/** An event, with the indexes of its intervals in the range. */
export interface FoundEvent {
  readonly first: number;
  readonly last: number;
  /** Adjacent unknown intervals may be part of the event or, for a peak, be higher. */
  readonly isUncertain: boolean;
  /** For ramps: the largest change, and the interval in which it ends. */
  readonly change?: number;
  readonly changeAt?: number;
}

/**
 * Finds runs of intervals that satisfy the condition. Unknown intervals between two of them are part of the run if they last no longer
 * than `maxBridgedMs`. An excluded interval ends the run, just as an interval that does not satisfy the condition.
 */
export function findRuns(
  { values, excluded }: IntervalValues,
  isMet: (value: number) => boolean,
  maxBridgedMs: number,
  getLength: GetIntervalLength,
): FoundEvent[] {
  const events: FoundEvent[] = [];
  let openRun: { readonly first: number; last: number; readonly isUncertain: boolean } | undefined;
  /** The length of the unknown intervals directly before the current one. */
  let unknownMs = Infinity;
  const close = (): void => {
    if (openRun) events.push({ ...openRun, isUncertain: openRun.isUncertain || unknownMs > 0 });
    openRun = undefined;
  };
  for (let interval = 0; interval < values.length; interval++) {
    const value = values[interval] ?? NaN;
    const isExcluded = excluded[interval] !== 0;
    if (!isExcluded && Number.isNaN(value)) {
      unknownMs += getLength(interval);
      continue;
    }
    if (isExcluded || !isMet(value)) {
      close();
    } else if (openRun && unknownMs <= maxBridgedMs) {
      openRun.last = interval;
    } else {
      close();
      openRun = { first: interval, last: interval, isUncertain: unknownMs > 0 };
    }
    unknownMs = 0;
  }
  unknownMs = Infinity;
  close();
  return events;
}

/**
 * Finds changes of at least `minChange` over `length` intervals, where both values are known and no interval in between is excluded.
 * Changes in one direction that share an interval or are adjacent form one event. Sorted by their start.
 */
export function findRamps({ values, excluded }: IntervalValues, length: number, minChange: number): FoundEvent[] {
  const ramps: Ramp[] = [];
  const openRamps: { up?: Ramp; down?: Ramp } = {};
  let lastExcluded = -1;
  let lastUnknown = -Infinity;
  // The iteration after the last one stands for the unknown interval after the range.
  for (let interval = 0; interval <= values.length; interval++) {
    if ((excluded[interval] ?? 0) !== 0) lastExcluded = interval;
    if (lastExcluded >= Math.max(0, interval - length)) continue;
    const change = subtractDecimals(values[interval] ?? NaN, values[interval - length] ?? NaN);
    const canExtend = (ramp: Ramp | undefined): ramp is Ramp =>
      ramp !== undefined && interval - length <= ramp.last + 1;
    if (!Number.isFinite(change)) {
      lastUnknown = interval;
      for (const ramp of [openRamps.up, openRamps.down]) if (canExtend(ramp)) ramp.isUncertain = true;
      continue;
    }
    if (change === 0 || Math.abs(change) < minChange) continue;
    const direction = change > 0 ? 'up' : 'down';
    const ramp = openRamps[direction];
    if (!canExtend(ramp)) {
      const hasKnownStart = lastUnknown < interval - length - 1;
      const first = interval - length;
      ramps.push(
        (openRamps[direction] = {
          first,
          last: interval,
          hasKnownStart,
          isUncertain: !hasKnownStart,
          change,
          changeAt: interval,
        }),
      );
      continue;
    }
    // An unknown change within the event does not make it longer.
    ramp.last = interval;
    ramp.isUncertain = !ramp.hasKnownStart;
    if (Math.abs(change) > Math.abs(ramp.change)) [ramp.change, ramp.changeAt] = [change, interval];
  }
  return ramps;
}

interface Ramp extends FoundEvent {
  /** Whether the start is certain: no unknown change could belong to the beginning of the event. */
  readonly hasKnownStart: boolean;
  last: number;
  isUncertain: boolean;
  change: number;
  changeAt: number;
}

/** Finds intervals with the maximum of all known values up to `reach` intervals before and after. Of equal values, the first counts. */
export function findPeaks({ values, excluded }: IntervalValues, reach: number): FoundEvent[] {
  const peaks: FoundEvent[] = [];
  const isUnknown = (interval: number): boolean => excluded[interval] === 0 && Number.isNaN(values[interval]);
  // Sorted intervals with descending values: the first is the maximum within reach.
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  let unknownCount = 0;
  for (let nextInterval = 0; nextInterval < values.length + reach; nextInterval++) {
    const interval = nextInterval - reach;
    if (isUnknown(nextInterval)) unknownCount++;
    if (isUnknown(interval - reach - 1)) unknownCount--;
    const value = values[nextInterval] ?? NaN;
    if (excluded[nextInterval] === 0 && !Number.isNaN(value)) {
      while (tail > head && (values[queue[tail - 1] ?? 0] ?? NaN) < value) tail--;
      queue[tail++] = nextInterval;
    }
    while (tail > head && (queue[head] ?? 0) < interval - reach) head++;
    if (tail === head || queue[head] !== interval) continue;
    const isAtEdge = interval < reach || nextInterval >= values.length;
    peaks.push({ first: interval, last: interval, isUncertain: unknownCount > 0 || isAtEdge });
  }
  return peaks;
}
