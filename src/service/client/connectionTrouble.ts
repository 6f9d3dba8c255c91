import type { AxiosError } from 'axios';
import type { FailureReason, FailureDetail } from '../../core/errors.ts';

const words: Readonly<Record<string, FailureDetail>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection broken',
  EPIPE: 'connection broken',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found',
  ETIMEDOUT: 'no answer to the connection attempt',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EPROTO: 'no secure connection',
};

// With these codes the connection never carried a request: the server cannot have counted one.
const neverSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|EACCES|EADDRNOTAVAIL|ERR_INVALID_|ERR_BAD_OPTION|ERR_TLS_|ERR_SSL_)/;
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/;

/** Whether the request cannot have reached the server. */
export function wasNeverSent(error: AxiosError): boolean {
  const code = error.code ?? '';
  return error.response === undefined && (neverSent.test(code) || certificate.test(code));
}

/** A failure without a usable status, in a few words that name no address. `hasHead`: status and headers had come. */
export function connectionTrouble(
  error: AxiosError,
  hasHead: boolean,
): { readonly reason: FailureReason; readonly detail: FailureDetail | `${FailureDetail} (${string})` } {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return { reason: 'damagedResponse', detail: 'the response is not HTTP' };
  if (hasHead) return { reason: 'damagedResponse', detail: brokenBody(code) };
  if (certificate.test(code)) return { reason: 'unreachable', detail: withCode('certificate not trusted', code) };
  return { reason: 'unreachable', detail: withCode(words[code] ?? 'no connection', code) };
}

function brokenBody(code: string): FailureDetail {
  // zlib's codes; brotli's begin with ERR and two underscores.
  return /^(?:Z_|ERR__|ZSTD_)/.test(code) ? 'the response could not be decompressed' : 'the response ended early';
}

function withCode(text: FailureDetail, code: string): FailureDetail | `${FailureDetail} (${string})` {
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? (`${text} (${code})` as const) : text;
}
