import type { IncomingMessage } from 'node:http';
import axios, { type AxiosError, AxiosHeaders, type AxiosResponse, type RawAxiosHeaders } from 'axios';
import { GridError, type FailureDetail, type FailureFacts, type FailureReason } from '../../core/errors.ts';
import { decodeResponseBody } from './readResponse.ts';
import { clampBlockMs, parseHttpDate, parseRetryAfter, readResetMs } from './waitHeaders.ts';
import { toSingleLine } from '../../core/inertText.ts';
import { redactKey } from '../connections/redact.ts';

/** The maximum size of an error body that is searched for a message. */
const maxDetailBytes = 65_536;
/** The maximum number of table cells in an error body: it is read for its text, not for a table. */
const maxDetailCells = 0;

/** The context of a failed call. It is not attached to the error. */
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

/** Recovers status and headers from Node's request if the body was broken off or too large: the error has no response then. */
export function recoverResponseHead({ request, config }: AxiosError): AxiosResponse<unknown> | undefined {
  const { statusCode: status, headers = {} } = (request as { readonly res?: IncomingMessage } | undefined)?.res ?? {};
  if (status === undefined || !config) return undefined;
  return { status, statusText: '', headers: AxiosHeaders.from(headers as RawAxiosHeaders), config, data: undefined };
}

/** Converts an error of the HTTP library, which holds the key, to a GridError without it. */
export function toGridError(error: AxiosError, context: FailureContext): GridError {
  const { requestsSpent } = context;
  if (error.code === 'ECONNABORTED') return new GridError('timeout', { requestsSpent });
  const status = error.response?.status;
  if (status !== undefined && (status < 200 || status > 299)) return createStatusError(status, error, context);
  if (error.message.includes('maxContentLength')) return new GridError('responseTooLarge', { requestsSpent });
  const failure = describeConnectionFailure(error, status !== undefined);
  return new GridError(failure.reason, { detail: failure.detail, requestsSpent });
}

/** Returns how long a 429 blocks its scope: by its Retry-After or its rate limit headers, else for one window. */
export function getBlockMs(error: AxiosError, now: number, windowMs: number): number {
  const requestedMs =
    getRetryAfterMs(error, now) ?? readResetMs(error.response?.headers ?? {}, now, windowMs) ?? windowMs;
  return clampBlockMs(requestedMs, windowMs);
}

function createStatusError(status: number, error: AxiosError, context: FailureContext): GridError {
  const detail = readDetail(error, context.key);
  const facts: FailureFacts = {
    status,
    requestsSpent: context.requestsSpent,
    ...(detail === undefined ? {} : { detail }),
    ...(status === 429 ? { retryAfterMs: getBlockMs(error, context.now, context.windowMs) } : {}),
  };
  return new GridError(getReason(status), facts);
}

function getReason(status: number): FailureReason {
  const reason = reasonByStatus[status];
  if (reason) return reason;
  if (status < 400) return 'redirected';
  return status < 500 ? 'badRequest' : 'serverError';
}

function readDetail(error: AxiosError, key: string): string | undefined {
  const body = error.response?.data;
  if (!(body instanceof Uint8Array) || body.byteLength > maxDetailBytes) return undefined;
  const decoded = decodeResponseBody(body, key, maxDetailCells);
  return decoded.ok ? extractServerDetail(decoded.value, key) : undefined;
}

const transientStatuses: readonly number[] = [502, 503, 504];
const brokenConnections: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'];

/** Whether another attempt may succeed. */
export function isTransient(error: AxiosError): boolean {
  if (axios.isCancel(error) || error.config?.signal?.aborted) return false;
  const status = error.response?.status;
  if (status !== undefined && (status < 200 || status > 299)) return transientStatuses.includes(status);
  // The connection was refused or broken, perhaps within the body (then there is a response, and its status may be 200).
  return brokenConnections.includes(error.code ?? '') || error.message === 'stream has been aborted';
}

/** Returns the response's Retry-After in milliseconds, by the server's clock if it sent a Date. */
export function getRetryAfterMs(error: AxiosError, now: number): number | undefined {
  const headers = error.response?.headers;
  return parseRetryAfter(headers?.['retry-after'], parseHttpDate(headers?.['date']) ?? now);
}

const detailByCode: Readonly<Record<string, FailureDetail>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken',
  EPIPE: 'connection broken',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EPROTO: 'no secure connection',
};

// Codes of connections that never carried a request, so that the server cannot have counted one.
const neverSentCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|EACCES|EADDRNOTAVAIL|ERR_INVALID_|ERR_BAD_OPTION|ERR_TLS_|ERR_SSL_)/;
const certificateError = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/;

/** Whether the request cannot have reached the server. */
export function wasNeverSent(error: AxiosError): boolean {
  const code = error.code ?? '';
  return error.response === undefined && (neverSentCodes.test(code) || certificateError.test(code));
}

/** Describes a failure without a usable status, without naming an address. `hasHead`: whether status and headers were received. */
export function describeConnectionFailure(
  error: AxiosError,
  hasHead: boolean,
): { readonly reason: FailureReason; readonly detail: FailureDetail | `${FailureDetail} (${string})` } {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return { reason: 'damagedResponse', detail: 'the response is not HTTP' };
  if (hasHead) return { reason: 'damagedResponse', detail: describeBrokenBody(code) };
  if (certificateError.test(code))
    return { reason: 'unreachable', detail: appendCode('certificate not trusted', code) };
  return { reason: 'unreachable', detail: appendCode(detailByCode[code] ?? 'no connection', code) };
}

function describeBrokenBody(code: string): FailureDetail {
  // These are zlib's codes; brotli's begin with ERR and two underscores.
  return /^(?:Z_|ERR__|ZSTD_)/.test(code) ? 'the response could not be decompressed' : 'the response ended early';
}

function appendCode(text: FailureDetail, code: string): FailureDetail | `${FailureDetail} (${string})` {
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? (`${text} (${code})` as const) : text;
}

const maxLength = 200;
/** The maximum number of characters of a message that are read. */
const maxReadLength = 20_000;
const maxDepth = 4;

/**
 * Returns the message in an error body for display: one line of at most 200 characters, without the key. Reads `detail`, `error` and a
 * dictionary of messages by field; undefined if there is none.
 */
export function extractServerDetail(value: unknown, key: string): string | undefined {
  const message = isRecord(value)
    ? (collectMessages(value['detail'], 0) ?? collectMessages(value['error'], 0))
    : undefined;
  const text = message ?? (typeof value === 'object' ? collectMessages(value, 0) : undefined);
  if (text === undefined) return undefined;
  const line = toSingleLine(redactKey(text.slice(0, maxReadLength), key));
  return line === '' ? undefined : truncate(line);
}

function collectMessages(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
  const parts = Array.isArray(value)
    ? value.slice(0, 20).map(item => collectMessages(item, depth + 1))
    : Object.entries(value)
        .slice(0, 20)
        .map(([name, item]) => {
          const message = collectMessages(item, depth + 1);
          return message === undefined ? undefined : `${name}: ${message}`;
        });
  const messages = parts.filter(part => part !== undefined);
  return messages.length === 0 ? undefined : messages.join('; ');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function truncate(line: string): string {
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
