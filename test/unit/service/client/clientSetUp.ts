import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../../../src/core/ports.ts';
import type { Limiter } from '../../../../src/service/limiter/limiter.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import { joinBodies, textOfBody } from '../../../../src/core/json/responseText.ts';
import { ResponseReader } from '../../../../src/service/client/responseReader.ts';
import { ReaderProcesses } from '../../../../src/service/reader/readerProcess.ts';
import {
  ApiClient,
  type ApiResponse,
  type ApiRequest,
  type AlreadyFetched,
} from '../../../../src/service/client/apiClient.ts';
import type { TransportOptions } from '../../../../src/service/client/apiClient.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { windowOf } from '../limiter/limiterSetUp.ts';
import { realClock } from '../../../support/realClock.ts';

/** Looks like no real key; the canary test looks for any part of it. */
export const testKey = 'sb_test_Zq7Wm3Kx9Rv2Lp8Nd4Tj6Yh';

export const limit = { requests: 10, seconds: 60 };

/** Unlike any other wait, so that a clock can tell it. */
export const totalTimeoutMs = 60_001;

/** A client with short waits between attempts, its limiter and what it logged. */
export function setUpClient(
  transportOptions: TransportOptions = {},
  clock: Clock = realClock,
  limiter: Limiter = windowOf(clock),
  random = () => 0.5,
) {
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const client = new ApiClient({
    limiter,
    reader: new ResponseReader(new ReaderProcesses()),
    clock,
    random,
    logger: { info: push, warn: push, error: push },
    transportOptions: {
      idleTimeoutMs: 60_000,
      totalTimeoutMs,
      maxBytes: 5 * 2 ** 20,
      backoffMs: 2,
      ...transportOptions,
    },
  });
  return { client, limiter, lines };
}

export function requestTo(baseUrl: string, changes: Partial<ApiRequest> = {}): ApiRequest {
  const asked = { path: '/api/v1/grid', query: [['interval', '1h'] as const], key: testKey, scope: 'grid', limit };
  return { baseUrl, ...asked, confirmRetry: async () => Promise.resolve(true), ...changes };
}

/** Whose budget `requestTo` spends. */
export function budgetAt(origin: string) {
  return { origin, key: testKey, scope: 'grid' };
}

/** Settles once a client of this process has read the head of the next answer, as Node tells. */
export function headRead(): Promise<void> {
  const channel = 'http.client.response.finish';
  return new Promise(resolve => {
    const read = () => {
      unsubscribe(channel, read);
      resolve();
    };
    subscribe(channel, read);
  });
}

/** The answer of a call that is surely needed. */
export async function answerTo(call: Promise<ApiResponse | AlreadyFetched>): Promise<ApiResponse> {
  const answer = await call;
  if ('unneeded' in answer) throw new Error('nothing was sent');
  return answer;
}

/** The text of an answer, and what it says. */
export function textOf({ body }: ApiResponse): string {
  return textOfBody(joinBodies([body]));
}

export function valueOf(answer: ApiResponse): unknown {
  const json = parseJson(textOf(answer));
  if (!json.ok) throw new Error(json.why);
  return json.value;
}

/** The GridError a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<GridError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GridError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}
