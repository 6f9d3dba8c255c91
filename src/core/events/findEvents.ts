import { decimalDifference } from '../statistics/sumDigits.ts';

/** What is known of the steps of a range, in the order of time. */
export interface StepValues {
  /** NaN where the value is unknown, as it is before and after the range. */
  readonly values: Float64Array;
  /** Not 0 for each step that is not looked at. */
  readonly leftOut: ArrayLike<number>;
}

/** How long a step is, in milliseconds. */
type StepLength = (step: number) => number;

/** Steps are counted from the first of the range. */
export interface FoundEvent {
  readonly first: number;
  readonly last: number;
  /** Unknown steps beside it may be part of it or, for a peak, be greater. */
  readonly isUncertain: boolean;
  /** Only of ramps: the largest change, and the step with which it ends. */
  readonly change?: number;
  readonly changeAt?: number;
}

/**
 * Runs of steps that hold. Unknown steps between two that hold are part of the run if they last no longer than `maxBridgedMs`; one that is not looked at ends it, as
 * one that does not hold.
 */
export function findRuns(
  { values, leftOut }: StepValues,
  holds: (value: number) => boolean,
  maxBridgedMs: number,
  lengthOf: StepLength,
): FoundEvent[] {
  const found: FoundEvent[] = [];
  let open: { readonly first: number; last: number; readonly isUncertain: boolean } | undefined;
  /** How long the steps directly before this one last. */
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
 * Changes over `length` steps of at least `least`, where both values are known and all steps from the one to the other are looked at. Those
 * of one direction that share a step, or of which one begins with the step after the other, are one event. Ascending by their beginning.
 */
export function findRamps({ values, leftOut }: StepValues, length: number, least: number): FoundEvent[] {
  const found: Ramp[] = [];
  const open: { up?: Ramp; down?: Ramp } = {};
  let [lastOut, lastUnknown] = [-1, -Infinity];
  // At the end is a step that nobody knows.
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
  /** No unknown change may be the beginning of it. */
  readonly begins: boolean;
  last: number;
  isUncertain: boolean;
  change: number;
  changeAt: number;
}

/** Steps whose value is the greatest of all known ones up to `reach` steps before and after, the first of equals. */
export function findPeaks({ values, leftOut }: StepValues, reach: number): FoundEvent[] {
  const found: FoundEvent[] = [];
  const isUnknown = (step: number): boolean => leftOut[step] === 0 && Number.isNaN(values[step]);
  // Ascending steps whose values descend: the first is the greatest of those within reach.
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
