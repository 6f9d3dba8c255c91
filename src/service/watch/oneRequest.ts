import { GridError } from '../../core/errors.ts';
import type { Result } from '../../shared/result.ts';
import type { RunOptions } from '../runOptions.ts';

/**
 * Runs a query with at most one request, however many its range needs: the rest of a long range is left to later runs, and
 * the answer has what is kept by then. Rejects with what `run` rejects with.
 */
export async function withOneRequest(
  run: (options: RunOptions) => Promise<Result>,
  options: RunOptions,
): Promise<Result> {
  const enough = new AbortController();
  let requestsSpent = 0;
  let failure: Result['provenance']['failure'];
  try {
    return await run({
      ...options,
      signal: AbortSignal.any([enough.signal, ...(options.signal ? [options.signal] : [])]),
      // Told between two requests, and never after the last.
      onProgress: soFar => {
        ({ requestsSpent, failure } = soFar.provenance);
        if (requestsSpent > 0) enough.abort();
      },
    });
  } catch (error) {
    const isOurs = error instanceof GridError && error.reason === 'cancelled' && enough.signal.aborted;
    if (!isOurs || options.signal?.aborted) throw error;
    const kept = await run({ ...options, refresh: 'never' });
    return { ...kept, provenance: { ...kept.provenance, requestsSpent, ...(failure && { failure }) } };
  }
}
