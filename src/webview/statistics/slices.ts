import type { Steps } from '../../core/time/steps.ts';

/** How work waits its turn. */
export interface Turns {
  /** Milliseconds of any origin. */
  now(): number;
  /** Settles once the page has drawn and has nothing more urgent to do. */
  pause(): Promise<void>;
}

const sliceMs = 8;

/** Runs steps in slices of about 8 ms with a pause after each. Undefined, and no step more, once `stopped`. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  turns: Turns,
  stopped: () => boolean,
): Promise<Result | undefined> {
  let since = turns.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (turns.now() - since < sliceMs) continue;
    await turns.pause();
    if (stopped()) return undefined;
    since = turns.now();
  }
}
