import type { AxiosError } from 'axios';
import { GridError } from '../core/errors.ts';
import type { FailureFacts, FailureReason } from '../core/errors.ts';
import { decodeBody } from './decodeBody.ts';
import { connectionTrouble } from './connectionTrouble.ts';
import { retryAfterOf } from './retryPolicy.ts';
import { serverDetail } from './serverDetail.ts';

const minBlockMs = 1_000;
const maxBlockMs = 120_000;
/** What is longer holds no sentence for a person. */
const mostDetailBytes = 65_536;
/** The table that some JSON would make is nothing to an error. */
const mostDetailCells = 0;

/** What a failed call's GridError is made of; nothing of it is attached. */
export interface FailureContext {
  readonly key: string;
  readonly requestsSpent: number;
  readonly windowMs: number;
  readonly now: number;
}

const reasonByStatus: Readonly<Record<number, FailureReason>> = {
  401: 'keyRejected',
  403: 'forbidden',
  404: 'notFound',
  405: 'notFound',
  410: 'notFound',
  429: 'throttled',
};

/** Rebuilds an HTTP library's error as a GridError: the original holds the key and is dropped here. */
export function toGridError(error: AxiosError, context: FailureContext): GridError {
  const { requestsSpent } = context;
  if (error.code === 'ECONNABORTED') return new GridError('timeout', { requestsSpent });
  const status = error.response?.status;
  if (status !== undefined && (status < 200 || status > 299)) return statusFailure(status, error, context);
  if (error.message.includes('maxContentLength')) return new GridError('responseTooLarge', { requestsSpent });
  const trouble = connectionTrouble(error, status !== undefined);
  return new GridError(trouble.reason, { detail: trouble.detail, requestsSpent });
}

/** How long a 429 closes its scope: what the server says, within 1 s and 120 s or the window if that is longer; else one window. */
export function blockMs(error: AxiosError, now: number, windowMs: number): number {
  return Math.min(Math.max(maxBlockMs, windowMs), Math.max(minBlockMs, retryAfterOf(error, now) ?? windowMs));
}

function statusFailure(status: number, error: AxiosError, context: FailureContext): GridError {
  const detail = detailOf(error, context.key);
  const facts: FailureFacts = {
    status,
    requestsSpent: context.requestsSpent,
    ...(detail === undefined ? {} : { detail }),
    ...(status === 429 ? { retryAfterMs: blockMs(error, context.now, context.windowMs) } : {}),
  };
  return new GridError(reasonOf(status), facts);
}

function reasonOf(status: number): FailureReason {
  const known = reasonByStatus[status];
  if (known) return known;
  if (status < 400) return 'redirected';
  return status < 500 ? 'badRequest' : 'serverError';
}

function detailOf(error: AxiosError, key: string): string | undefined {
  const body = error.response?.data;
  if (!(body instanceof Uint8Array) || body.byteLength > mostDetailBytes) return undefined;
  const decoded = decodeBody(body, key, mostDetailCells);
  return decoded.ok ? serverDetail(decoded.value, key) : undefined;
}
