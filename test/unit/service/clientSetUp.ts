import { MemoryLimiter } from '../../../src/service/limiter.ts';
import type { Limiter } from '../../../src/service/limiter.ts';
import { ApiClient } from '../../../src/service/apiClient.ts';
import type { ApiRequest } from '../../../src/service/apiClient.ts';
import type { TransportOptions } from '../../../src/service/transport.ts';
import { GridError } from '../../../src/core/errors.ts';
import { realClock } from './realClock.ts';

/** Looks like no real key; the canary test looks for any part of it. */
export const testKey = 'sb_test_Zq7Wm3Kx9Rv2Lp8Nd4Tj6Yh';

export const limit = { requests: 10, seconds: 60 };

/** A client with short times, its limiter and what it logged. */
export function setUpClient(transportOptions: TransportOptions = {}, limiter: Limiter = new MemoryLimiter(realClock)) {
  const lines: string[] = [];
  const push = (line: string) => void lines.push(line);
  const client = new ApiClient({
    limiter,
    clock: realClock,
    random: () => 0.5,
    logger: { info: push, warn: push, error: push },
    transportOptions: {
      idleTimeoutMs: 5_000,
      totalTimeoutMs: 5_000,
      maxBytes: 5 * 2 ** 20,
      backoffMs: 2,
      ...transportOptions,
    },
  });
  return { client, limiter, lines };
}

export function requestTo(baseUrl: string, changes: Partial<ApiRequest> = {}): ApiRequest {
  return { baseUrl, path: '/api/v1/grid', query: [['interval', '1h']], key: testKey, scope: 'grid', limit, ...changes };
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
