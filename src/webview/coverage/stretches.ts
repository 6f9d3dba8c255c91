import { stepState } from '../../shared/result.ts';

/** Steps [from, to) in one state that follow each other. */
export interface Stretch {
  readonly state: number;
  readonly from: number;
  readonly to: number;
}

/** All steps as stretches, in order, without a gap. */
export function stretchesIn(states: Uint8Array): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (let step = 1; step <= states.length; step++) {
    const state = states[from] ?? stepState.present;
    if (states[step] === state) continue;
    stretches.push({ state, from, to: step });
    from = step;
  }
  return stretches;
}

/** The place of the stretch that holds the step; the first or last for a step outside. */
export function stretchAt(stretches: readonly Stretch[], step: number): number {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((stretches[middle]?.from ?? Infinity) <= step) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
