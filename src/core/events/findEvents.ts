import { decimalDifference } from '../statistics/sumDigits.ts';

/** The known values of a range's intervals, in order of time. */
export interface StepValues {
  /** NaN if the value is unknown, as it is before and after the range. */
  readonly values: Float64Array;
  /** Not 0 for each excluded interval. */
  readonly leftOut: ArrayLike<number>;
}

/** Returns the length of an interval in milliseconds. */
type StepLength = (step: number) => number;

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
 * Finds runs of intervals that satisfy the condition. Unknown intervals between two that do are part of the run if they last no longer
 * than `maxBridgedMs`. An excluded interval ends the run, like one that does not satisfy the condition.
 */
export function findRuns(
  { values, leftOut }: StepValues,
  holds: (value: number) => boolean,
  maxBridgedMs: number,
  lengthOf: StepLength,
): FoundEvent[] {
  const found: FoundEvent[] = [];
  let open: { readonly first: number; last: number; readonly isUncertain: boolean } | undefined;
  /** The length of the unknown intervals directly before the current one. */
  let unknown = Infinity;
  const close = (): void => {
    if (open) found.push({ ...open, isUncertain: open.isUncertain || unknown > 0 });
    open = undefined;
  };
  for (let step = 0; step < values.length; step++) {
    const value = values[step] ?? NaN;
    const isOut = leftOut[step] !== 0;
    if (!isOut && Number.isNaN(value)) {
      unknown += lengthOf(step);
      continue;
    }
    if (isOut || !holds(value)) {
      close();
    } else if (open && unknown <= maxBridgedMs) {
      open.last = step;
    } else {
      close();
      open = { first: step, last: step, isUncertain: unknown > 0 };
    }
    unknown = 0;
  }
  unknown = Infinity;
  close();
  return found;
}

/**
 * Finds changes of at least `minChange` over `length` intervals, where both values are known and no interval in between is excluded.
 * Changes in one direction that share an interval or are adjacent form one event. Sorted by their start.
 */
export function findRamps({ values, leftOut }: StepValues, length: number, least: number): FoundEvent[] {
  const found: Ramp[] = [];
  const open: { up?: Ramp; down?: Ramp } = {};
  let [lastOut, lastUnknown] = [-1, -Infinity];
  // The iteration after the last one stands for the unknown interval after the range.
  for (let step = 0; step <= values.length; step++) {
    if ((leftOut[step] ?? 0) !== 0) lastOut = step;
    if (lastOut >= Math.max(0, step - length)) continue;
    const change = decimalDifference(values[step] ?? NaN, values[step - length] ?? NaN);
    const reaches = (ramp: Ramp | undefined): ramp is Ramp => ramp !== undefined && step - length <= ramp.last + 1;
    if (!Number.isFinite(change)) {
      lastUnknown = step;
      for (const ramp of [open.up, open.down]) if (reaches(ramp)) ramp.isUncertain = true;
      continue;
    }
    if (change === 0 || Math.abs(change) < least) continue;
    const direction = change > 0 ? 'up' : 'down';
    const ramp = open[direction];
    if (!reaches(ramp)) {
      const begins = lastUnknown < step - length - 1;
      const first = step - length;
      found.push((open[direction] = { first, last: step, begins, isUncertain: !begins, change, changeAt: step }));
      continue;
    }
    // An unknown change within the event does not make it longer.
    ramp.last = step;
    ramp.isUncertain = !ramp.begins;
    if (Math.abs(change) > Math.abs(ramp.change)) [ramp.change, ramp.changeAt] = [change, step];
  }
  return found;
}

interface Ramp extends FoundEvent {
  /** Whether no unknown change may be the start of the event. */
  readonly begins: boolean;
  last: number;
  isUncertain: boolean;
  change: number;
  changeAt: number;
}

/** Finds intervals whose value is the maximum of all known ones up to `reach` intervals before and after, the first of equals. */
export function findPeaks({ values, leftOut }: StepValues, reach: number): FoundEvent[] {
  const found: FoundEvent[] = [];
  const isUnknown = (step: number): boolean => leftOut[step] === 0 && Number.isNaN(values[step]);
  // Sorted intervals with descending values: the first is the maximum within reach.
  const queue = new Int32Array(values.length);
  let [head, tail] = [0, 0];
  let unknown = 0;
  for (let next = 0; next < values.length + reach; next++) {
    const step = next - reach;
    if (isUnknown(next)) unknown++;
    if (isUnknown(step - reach - 1)) unknown--;
    const value = values[next] ?? NaN;
    if (leftOut[next] === 0 && !Number.isNaN(value)) {
      while (tail > head && (values[queue[tail - 1] ?? 0] ?? NaN) < value) tail--;
      queue[tail++] = next;
    }
    while (tail > head && (queue[head] ?? 0) < step - reach) head++;
    if (tail === head || queue[head] !== step) continue;
    const isAtEdge = step < reach || next >= values.length;
    found.push({ first: step, last: step, isUncertain: unknown > 0 || isAtEdge });
  }
  return found;
}
