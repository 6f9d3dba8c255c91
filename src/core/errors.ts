import type { PartFailure } from '../shared/result.ts';
import { tableLimits, type TableProblem } from '../shared/tableLimits.ts';

/** Details of failures that the extension itself reports, displayed in parentheses. The host translates them. */
export const failureDetails = [
  'connection refused',
  'connection broken',
  'host name not found',
  'connection timed out',
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
  'not UTF-8 text',
  'empty',
  'not JSON',
  'a web page',
  'XML',
  'JSON (its name must end with .json)',
  'a Git LFS pointer (run git lfs pull)',
  'an old Excel workbook (save it as .xlsx or CSV)',
  'an unreadable workbook',
  'a workbook of more than 200 MB',
  'more than 10 million cells',
  'too many columns',
  'encrypted',
  'unsupported compression',
  'unsupported types',
  'more than the memory of the reader',
  'more than 30 seconds of reading',
  'more than 50 million values of lists',
  'a row of more than 1 million characters',
  'a cell of more than 2 million characters',
  'texts of more than 20 million characters',
  'text of more than 100 MB',
  'more than 10,000 files',
  'Feather version 1',
  'big-endian numbers',
] as const;
export type FailureDetail = (typeof failureDetails)[number];

/** Why a query fails. The host has a message and a suggested action for each. */
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
  'noReader',
  'cancelled',
] as const;

/** Why a data file cannot be opened, or rows cannot be joined by time. No query fails for these reasons. */
export const fileFailureReasons = [
  'fileMissing',
  'fileDamaged',
  'fileForeign',
  'fileUnsupported',
  'fileTooLarge',
  'folderWithoutParquet',
  'noTimes',
  'otherTimes',
  'sourceUnusable',
] as const;
export type FailureReason = (typeof failureReasons)[number] | (typeof fileFailureReasons)[number];

/** Reasons for which the service rejects the key: entirely (401), or for this dataset (403). */
export const keyRejectionReasons: readonly FailureReason[] = ['keyRejected', 'forbidden'];

/** Reasons after which all further requests of the run would fail too. */
export const fatalReasons: readonly string[] = [
  'noConnection',
  'noKey',
  ...keyRejectionReasons,
  'badRequest',
  'throttled',
  'notFound',
  'unreachable',
  'redirected',
] satisfies readonly FailureReason[];

/** Facts about a failure. They never include a header, a URL with secrets or another error, any of which could contain a key. */
export interface FailureFacts {
  readonly status?: number;
  /** The service's message, without control characters and with at most 200 characters. */
  readonly detail?: string;
  /** The name of the data file, or of the rows without times. */
  readonly file?: string;
  /** When the service rejected the key (UTC milliseconds), if no request was sent for that reason. */
  readonly refusedAt?: number;
  /** Milliseconds until the service accepts requests again (429). */
  readonly retryAfterMs?: number;
  /** The number of requests that were sent. */
  readonly requestsSpent?: number;
}

/** A failure with a known reason. It has no `cause`, because an HTTP library's error contains the key. */
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

/** Returns a GridError as a value instead of throwing it, except for `cancelled`. */
export async function catchGridError<T>(promise: Promise<T>): Promise<T | GridError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof GridError && error.reason !== 'cancelled') return error;
    throw error;
  }
}

/** Creates the error of a failed part of a result. */
export function createPartError(failure: PartFailure): GridError {
  return new GridError(failure.reason as FailureReason, failure);
}

/** The response exceeds the limits of a table. Thrown before its cells are created. */
export class TableLimitError extends Error {
  override readonly name = 'TableLimitError';
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Throws a TableLimitError if the table exceeds the limits. */
export function checkTableSize(columns: number, rows: number, maxCells: number = tableLimits.cells): void {
  if (columns > tableLimits.columns) throw new TableLimitError('tooManyColumns');
  if (rows > tableLimits.rows) throw new TableLimitError('tooManyRows');
  if (columns * rows > maxCells) throw new TableLimitError('tooManyCells');
}

/** Throws a GridError ("cancelled") if the user stopped the work. */
export function throwIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GridError('cancelled');
}
