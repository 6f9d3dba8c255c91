import type { PartFailure } from '../shared/result.ts';
import { tableLimits, type TableProblem } from '../shared/tableLimits.ts';

/** What the product itself says beside a failure's reason, as it is shown in parentheses: translated where it is shown. */
export const failureDetails = [
  'connection refused',
  'connection broken',
  'host name not found',
  'no answer to the connection attempt',
  'no route to the host',
  'no route to the network',
  'no secure connection',
  'no connection',
  'certificate not trusted',
  'the response is not HTTP',
  'the response could not be decompressed',
  'the response ended early',
  'the response is not UTF-8 text',
  'the response is empty',
  'the response is not JSON',
  'the response is not a table',
  'the response is too large for a table',
] as const;
export type FailureDetail = (typeof failureDetails)[number];

/** Every way a query can fail; the host has one sentence and one next step for each. */
export const failureReasons = [
  'noConnection',
  'noKey',
  'keyRejected',
  'forbidden',
  'badRequest',
  'throttled',
  'notFound',
  'serverError',
  'unreachable',
  'timeout',
  'damagedResponse',
  'responseTooLarge',
  'redirected',
  'cancelled',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The service does not take the key: at all (401), or for this dataset (403). */
export const keyRefusals: readonly FailureReason[] = ['keyRejected', 'forbidden'];

/** Failures after which every further request would fail in the same way. */
export const endTheRun: readonly string[] = [
  'noConnection',
  'noKey',
  ...keyRefusals,
  'badRequest',
  'throttled',
  'notFound',
  'unreachable',
  'redirected',
] satisfies readonly FailureReason[];

/** Facts beside the reason. Never a header, a URL with secrets or another error: those could hold a key. */
export interface FailureFacts {
  readonly status?: number;
  /** The service's own words, without control characters, at most 200 characters. */
  readonly detail?: string;
  /** Where nothing was sent since the service refused the key before: when it did, UTC milliseconds. */
  readonly refusedAt?: number;
  /** Milliseconds until the service will answer again (429). */
  readonly retryAfterMs?: number;
  /** Requests that reached the wire. */
  readonly requestsSpent?: number;
}

/** A failure with a known reason. It has no `cause`: an HTTP library's error holds the key. */
export class GridError extends Error {
  override readonly name = 'GridError';
  readonly reason: FailureReason;
  readonly facts: FailureFacts;

  constructor(reason: FailureReason, facts: FailureFacts = {}) {
    super(facts.detail ? `${reason}: ${facts.detail}` : reason);
    this.reason = reason;
    this.facts = facts;
  }
}

/** The failure that a result tells of a part of it. */
export function errorOf(failure: PartFailure): GridError {
  return new GridError(failure.reason as FailureReason, failure);
}

/** The answer is a table beyond the limits. Thrown before its cells take memory. */
export class TableLimitError extends Error {
  override readonly name = 'TableLimitError';
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Throws TableLimitError. */
export function checkTableSize(columns: number, rows: number, mostCells: number = tableLimits.cells): void {
  if (columns > tableLimits.columns) throw new TableLimitError('tooManyColumns');
  if (rows > tableLimits.rows) throw new TableLimitError('tooManyRows');
  if (columns * rows > mostCells) throw new TableLimitError('tooManyCells');
}
