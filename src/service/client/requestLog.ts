import type { Logger } from '../../core/ports.ts';
import { redactKey } from '../connections/redact.ts';

/** A request on the wire, for the log. */
export interface RequestRecord {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** The HTTP status, or a code such as ECONNRESET if there was none. */
  readonly outcome: number | string;
  readonly ms: number;
  readonly bytes: number;
  readonly attempt: number;
}

/** A request that got a response, with its times by our clock in UTC milliseconds. */
export interface CompletedRequest extends RequestRecord {
  readonly sentAt: number;
  /** When the first bytes of the body were received: the service had read its data by then. */
  readonly headAt: number;
}

/** Facts that are known once the response was read. */
export interface ResponseFacts {
  readonly rows?: number | undefined;
  /** The budget after the request. */
  readonly budget?: { readonly left: number; readonly allowed: number } | undefined;
}

/** Logs a request. The key is passed only to be redacted from the query. */
export function logRequest(logger: Logger, record: RequestRecord & ResponseFacts, key: string): void {
  const redacted = record.query.map(([name, value]): [string, string] => [redactKey(name, key), redactKey(value, key)]);
  const query = new URLSearchParams(redacted);
  const target =
    redactKey(record.path, key) +
    (record.query.length === 0 ? '' : `?${query.toString().replaceAll('%3A', ':').replaceAll('%5Bkey%5D', '[key]')}`);
  const { outcome, ms, bytes, attempt, rows, budget } = record;
  const facts = [`${ms} ms`, `${bytes} bytes`];
  if (rows !== undefined) facts.push(rows === 1 ? '1 row' : `${rows} rows`);
  if (budget) facts.push(`budget left ${budget.left} of ${budget.allowed}`);
  if (attempt > 1) facts.push(`attempt ${attempt}`);
  const line = `GET ${target} ${outcome}, ${facts.join(', ')}`;
  if (typeof outcome === 'number' && outcome < 300) logger.info(line);
  else logger.warn(line);
}
