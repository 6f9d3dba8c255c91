import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../../../src/core/ports.ts';
import type { Limiter } from '../../../../src/service/limiter/limiter.ts';
import { parseJson } from '../../../../src/core/json/json.ts';
import { joinBodies, decodeBody } from '../../../../src/core/json/responseText.ts';
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
import { createWindow } from '../limiter/limiterSetUp.ts';
import { realClock } from '../../../support/realClock.ts';

/** A key that no service uses. keyLeaks.test.ts checks that no part of it appears in output. */
export const testKey = 'sb_test_Zq7Wm3Kx9Rv2Lp8Nd4Tj6Yh';

export const limit = { requests: 10, seconds: 60 };

/** A timeout that differs from all other delays, so that a test clock can recognize it. */
export const totalTimeoutMs = 60_001;

/** Creates a client that retries after a short delay. Returns it with its limiter and the lines of its log. */
export function setUpClient(
  transportOptions: TransportOptions = {},
  clock: Clock = realClock,
  limiter: Limiter = createWindow(clock),
  random = () => 0.5,
) {
  const lines: string[] = [];
  const appendLine = (line: string) => void lines.push(line);
  const client = new ApiClient({
    limiter,
    reader: new ResponseReader(new ReaderProcesses()),
    clock,
    random,
    logger: { info: appendLine, warn: appendLine, error: appendLine },
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

/** Creates a request with the test key. */
export function requestTo(baseUrl: string, changes: Partial<ApiRequest> = {}): ApiRequest {
  const request = { path: '/api/v1/grid', query: [['interval', '1h'] as const], key: testKey, scope: 'grid', limit };
  return { baseUrl, ...request, confirmRetry: async () => Promise.resolve(true), ...changes };
}

/** Returns the budget that a test request to a service uses. */
export function budgetAt(origin: string) {
  return { origin, key: testKey, scope: 'grid' };
}

/** Waits until a client in this process has received the head of a response. Node publishes this event on a diagnostics channel. */
export function headRead(): Promise<void> {
  const channel = 'http.client.response.finish';
  return new Promise(resolve => {
    const handleHead = () => {
      unsubscribe(channel, handleHead);
      resolve();
    };
    subscribe(channel, handleHead);
  });
}

/** Returns the response of a call. Throws if the result is `AlreadyFetched`. */
export async function expectResponse(call: Promise<ApiResponse | AlreadyFetched>): Promise<ApiResponse> {
  const response = await call;
  if ('unneeded' in response) throw new Error('The client sent no request.');
  return response;
}

/** Reads the text of a response. */
export function readBody({ body }: ApiResponse): string {
  return decodeBody(joinBodies([body]));
}

export function parseBody(response: ApiResponse): unknown {
  const json = parseJson(readBody(response));
  if (!json.ok) throw new Error(json.why);
  return json.value;
}

/** Returns the GridError with which a call rejects. Throws if the call succeeds or rejects with another error. */
export async function catchFailure(call: Promise<unknown>): Promise<GridError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GridError) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}
