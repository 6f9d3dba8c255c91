import { GridError } from '../core/errors.ts';

/** The reason of an aborted signal as an Error, whatever it was aborted with. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error('aborted');
}

/** Throws a GridError ("cancelled") where the person stopped the work. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GridError('cancelled');
}
