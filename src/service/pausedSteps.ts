import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../core/steps.ts';
import { throwIfStopped } from './abort.ts';

/** Runs the steps, with a turn for others after each. Throws a GridError ("cancelled") when stopped. */
export async function pausedSteps<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
    throwIfStopped(signal);
  }
}
