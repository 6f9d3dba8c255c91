import type { IncomingMessage } from 'node:http';
import axios from 'axios';
import {
  type AxiosAdapter,
  type AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
  type RawAxiosHeaders,
} from 'axios';
import type { Limit } from '../../core/query/catalogue.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { wasNeverSent } from './retryPolicy.ts';
import type { GridError } from '../../core/errors.ts';
import { blockMs } from './failure.ts';
import type { BudgetOf, Limiter, Permit, Priority, RequestOutcome } from '../limiter/limiter.ts';
import type { NetworkDeadline } from './transport.ts';
import { redactKey } from '../connections/redact.ts';

/** Whether a request may be sent: another window may be sending the same, or may have fetched it already. */
export type Acquired = 'go' | 'busy' | 'unneeded';

/**
 * How a call takes turns with others that request the same. Whoever holds a permit never waits for the gate, and whoever waits for a
 * permit does not hold the gate: no deadlock.
 */
export interface AttemptGate {
  /** Called with a permit. Resolves soon; after `busy` the permit is released. */
  begin(): Promise<Acquired>;
  /** After `busy`: resolves when another permit is worth acquiring; rejects when the call is aborted. */
  untilFree(): Promise<void>;
  /** The attempt failed: another call may pass before the next one. */
  leave(): Promise<void>;
}

/** Added to the wait that a 429 names, which is whole seconds of another clock. */
const blockMarginMs = 250;

/** What the attempts of one call have in common. */
interface AttemptContext {
  readonly limiter: Limiter;
  readonly clock: Clock;
  /** Writes the log line of a request that failed; that of an answered one is written once its response is read. */
  readonly log: (record: RequestRecord) => Promise<void>;
  readonly deadline: NetworkDeadline;
  readonly budget: BudgetOf;
  readonly limit: Limit;
  readonly signal: AbortSignal;
  readonly onWait: ((ms: number, failed?: GridError) => void) | undefined;
  readonly priority: Priority | undefined;
  readonly gate: AttemptGate | undefined;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
}

/** The request that was answered, and when, by our clock in UTC milliseconds. */
export interface AnsweredRequest extends RequestRecord {
  readonly sentAt: number;
  /** When the first bytes of the body came: the service had read its data by then. */
  readonly headAt: number;
}

/** What the attempts of one call pass on to each other, and to the call. */
export class AttemptCounter {
  /** Requests that reached the wire. */
  spent = 0;
  answered: AnsweredRequest | undefined;
  /** How long the next attempt has to wait, and how the one before it failed. */
  retry: { readonly ms: number; readonly failed: GridError } | undefined;
}

/** Thrown instead of sending, where the response is no longer needed. */
export class NotNeeded extends Error {}

/**
 * Wraps an adapter so that each attempt, retries included, waits as long as the retry policy says and for its own permit, is
 * charged to the call's deadline, is counted and leaves one line in the log.
 */
export function attemptAdapter(send: AxiosAdapter, context: AttemptContext, counter: AttemptCounter): AxiosAdapter {
  return async config => {
    await waitForRetry(context, counter);
    return attempt(send, config, await usablePermit(context), context, counter);
  };
}

/** Waits before another attempt, and calls `onWait` each second with the time left; with 0 at the end. */
async function waitForRetry({ clock, signal, onWait }: AttemptContext, { retry }: AttemptCounter): Promise<void> {
  if (!retry) return;
  for (let left = retry.ms; left > 0; left -= 1_000) {
    onWait?.(left, retry.failed);
    await clock.sleep(Math.min(left, 1_000), signal);
  }
  onWait?.(0, retry.failed);
}

/** A permit for a request that is still wanted; throws NotNeeded or the signal's reason where it is not. */
async function usablePermit(context: AttemptContext): Promise<Permit> {
  const { limiter, signal, onWait, priority, gate } = context;
  for (;;) {
    const permit = await limiter.acquire(context.budget, context.limit, { signal, onWait, priority });
    try {
      // The wait may have been long: meanwhile another window may have fetched the same.
      const acquired = gate && !signal.aborted ? await gate.begin() : 'go';
      signal.throwIfAborted();
      if (acquired === 'unneeded') throw new NotNeeded();
      if (acquired === 'go') return permit;
    } catch (error) {
      permit.release('free');
      throw error;
    }
    permit.release('free');
    await gate?.untilFree();
  }
}

async function attempt(
  send: AxiosAdapter,
  config: InternalAxiosRequestConfig,
  permit: Permit,
  context: AttemptContext,
  counter: AttemptCounter,
): Promise<AxiosResponse<unknown>> {
  const { clock, deadline, path, query } = context;
  const number = (config['axios-retry']?.retryCount ?? 0) + 1;
  const started = clock.now();
  let headAt: number | undefined;
  const onDownloadProgress = (): void => void (headAt ??= clock.now());
  const record = (outcome: number | string, bytes: number): RequestRecord => {
    return { path, query, outcome, ms: clock.now() - started, bytes, attempt: number };
  };
  try {
    const response = await deadline.run(async () => send({ ...config, onDownloadProgress }));
    counter.spent += 1;
    permit.release('counted');
    const times = { sentAt: started, headAt: headAt ?? clock.now() };
    counter.answered = { ...record(response.status, byteCount(response)), ...times };
    return response;
  } catch (error) {
    const failed = axios.isAxiosError(error) ? error : undefined;
    const head = failed && !failed.response && responseHead(failed);
    if (head) failed.response = head;
    if (!failed || !wasNeverSent(failed)) counter.spent += 1;
    permit.release(outcomeOf(failed, context));
    await context.log(record(codeOf(failed, deadline), failed?.response ? byteCount(failed.response) : 0));
    await context.gate?.leave();
    throw error;
  }
}

/** The error has no response whose body breaks off or is too large; Node's request has its status and headers. */
function responseHead({ request, config }: AxiosError): AxiosResponse<unknown> | undefined {
  const { statusCode: status, headers = {} } = (request as { readonly res?: IncomingMessage } | undefined)?.res ?? {};
  if (status === undefined || !config) return undefined;
  return { status, statusText: '', headers: AxiosHeaders.from(headers as RawAxiosHeaders), config, data: undefined };
}

/** The service counts neither requests that it throttles nor those whose key it refuses. */
function outcomeOf(error: AxiosError | undefined, { clock, limit, deadline }: AttemptContext): RequestOutcome {
  if (!error) return 'counted';
  if (!error.response && !wasNeverSent(error))
    return deadline.expired || error.code === 'ECONNABORTED' ? 'timedOut' : 'abandoned';
  const status = error.response?.status;
  if (status === 401) return { refused: 'keyRejected' };
  if (status === 403) return { refused: 'forbidden' };
  if (status !== 429) return wasNeverSent(error) ? 'free' : 'counted';
  const now = clock.now();
  return { throttledUntil: now + blockMs(error, now, limit.seconds * 1000) + blockMarginMs };
}

function codeOf(error: AxiosError | undefined, deadline: NetworkDeadline): number | string {
  const status = error?.response?.status;
  if (status !== undefined && status >= 300) return status;
  if (deadline.expired) return 'timeout';
  return error?.code ?? 'failed';
}

function byteCount(response: AxiosResponse<unknown>): number {
  return response.data instanceof Uint8Array ? response.data.byteLength : 0;
}

/** One request on the wire, as the log shows it. */
export interface RequestRecord {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** The HTTP status, or a code such as ECONNRESET where none came. */
  readonly outcome: number | string;
  readonly ms: number;
  readonly bytes: number;
  readonly attempt: number;
}

/** What is known once the response was read; left out where there was none. */
export interface RequestFacts {
  readonly rows?: number | undefined;
  /** The budget after the request. */
  readonly budget?: { readonly left: number; readonly allowed: number } | undefined;
}

/** Writes the log line of a request. The key is passed only to be redacted, should it be in the query. */
export function logRequest(logger: Logger, record: RequestRecord & RequestFacts, key: string): void {
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
