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

/** A key that no service uses. keyLeaks.test.ts searches for any part of it. */
export const testKey = 'sb_test_Zq7Wm3Kx9Rv2Lp8Nd4Tj6Yh';

export const limit = { requests: 10, seconds: 60 };

/** A timeout that differs from any other wait, so that a clock can recognize it. */
export const totalTimeoutMs = 60_001;

/** Creates a client with short waits between attempts, with its limiter and log. */
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

export function requestTo(baseUrl: string, changes: Partial<ApiRequest> = {}): ApiRequest {
  const request = { path: '/api/v1/grid', query: [['interval', '1h'] as const], key: testKey, scope: 'grid', limit };
  return { baseUrl, ...request, confirmRetry: async () => Promise.resolve(true), ...changes };
}

/** The budget that `requestTo` uses. */
export function budgetAt(origin: string) {
  return { origin, key: testKey, scope: 'grid' };
}

/** Resolves once a client of this process has read the head of the next response, which Node reports. */
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

/** Returns the response of a call that is not `AlreadyFetched`. */
export async function expectResponse(call: Promise<ApiResponse | AlreadyFetched>): Promise<ApiResponse> {
  const response = await call;
  if ('unneeded' in response) throw new Error('nothing was sent');
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

/** Returns the GridError that a call rejects with. */
export async function catchFailure(call: Promise<unknown>): Promise<GridError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof GridError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}
