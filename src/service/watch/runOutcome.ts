import { GridError } from '../../core/errors.ts';
import type { Result } from '../../shared/result.ts';

/** Why a run brought nothing, or less than was due. */
export interface RunFailure {
  readonly reason: string;
  /** Requests that reached the wire. */
  readonly requestsSpent: number;
}

export type RunOutcome =
  | { readonly result: Result; readonly failure: RunFailure | undefined }
  | { readonly error: GridError; readonly failure: RunFailure };

/** How a run ended, as a value. Rejects with what is no GridError: that is a mistake of ours. */
export async function outcomeOf(run: Promise<Result>): Promise<RunOutcome> {
  try {
    const result = await run;
    const { failure, requestsSpent } = result.provenance;
    return { result, failure: failure && { reason: failure.reason, requestsSpent } };
  } catch (error) {
    if (!(error instanceof GridError)) throw error;
    return { error, failure: { reason: error.reason, requestsSpent: error.facts.requestsSpent ?? 0 } };
  }
}

/** Whether requests were spent and something did not come. A run that was cancelled leaves its question to another. */
export function wasSpentInVain(outcome: RunOutcome | undefined): boolean {
  if (!outcome) return false;
  const { failure } = outcome;
  if (failure || 'error' in outcome) return failure?.reason !== 'cancelled' && (failure?.requestsSpent ?? 0) > 0;
  const { coverage, provenance } = outcome.result;
  return provenance.requestsSpent > 0 && (coverage?.notAsked ?? 0) > 0;
}
