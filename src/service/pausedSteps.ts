import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../core/time/steps.ts';
import { GridError } from '../core/errors.ts';

/** Runs the steps, with a turn for others after each. Throws a GridError ("cancelled") when stopped. */
export async function pausedSteps<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
    throwIfStopped(signal);
  }
}

/** The reason of an aborted signal as an Error, whatever it was aborted with. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}

/** Throws a GridError ("cancelled") where the person stopped the work. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GridError('cancelled');
}
