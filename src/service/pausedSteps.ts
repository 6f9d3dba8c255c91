import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../core/time/steps.ts';
import { GridError } from '../core/errors.ts';

/** Runs the steps, and lets other work run after each. Throws a GridError ("cancelled") when stopped. */
export async function pausedSteps<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
    throwIfStopped(signal);
  }
}

/** Throws a GridError ("cancelled") where the person stopped the work. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GridError('cancelled');
}
