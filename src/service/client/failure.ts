import type { AxiosError } from 'axios';
import { GridError, type FailureFacts, type FailureReason } from '../../core/errors.ts';
import { decodeBody } from './readAnswer.ts';
import { connectionTrouble, retryAfterOf } from './retryPolicy.ts';
import { oneLine } from '../../core/inertText.ts';
import { redactKey } from '../connections/redact.ts';

const minBlockMs = 1_000;
const maxBlockMs = 120_000;
/** A longer body is not read for a message. */
const mostDetailBytes = 65_536;
/** Only the text of an error body is of interest, not a table. */
const mostDetailCells = 0;

/** What a failed call's GridError is made from; nothing of it is attached. */
interface FailureContext {
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

/** How long a 429 blocks its scope: what the server says, from 1 s up to 120 s or the window if that is longer; else one window. */
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

const maxLength = 200;
/** Characters of a body's text that are looked at. */
const maxRead = 20_000;
const maxDepth = 4;

/**
 * The service's message in an error body, ready to show: one line, at most 200 characters, never the key.
 * Reads `detail`, `error` and a dictionary of messages by field; undefined where there is none.
 */
export function serverDetail(value: unknown, key: string): string | undefined {
  const message = isRecord(value) ? (messagesIn(value['detail'], 0) ?? messagesIn(value['error'], 0)) : undefined;
  const text = message ?? (typeof value === 'object' ? messagesIn(value, 0) : undefined);
  if (text === undefined) return undefined;
  const line = oneLine(redactKey(text.slice(0, maxRead), key));
  return line === '' ? undefined : truncated(line);
}

function messagesIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
  const parts = Array.isArray(value)
    ? value.slice(0, 20).map(item => messagesIn(item, depth + 1))
    : Object.entries(value)
        .slice(0, 20)
        .map(([name, item]) => {
          const message = messagesIn(item, depth + 1);
          return message === undefined ? undefined : `${name}: ${message}`;
        });
  const messages = parts.filter(part => part !== undefined);
  return messages.length === 0 ? undefined : messages.join('; ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function truncated(line: string): string {
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
