import assert from 'node:assert/strict';
import type { AxiosResponse } from 'axios';
import { createTrace } from '../../../../src/service/client/requestTrace.ts';

const key = 'sb_test_trace_0001';
const answered = { path: '/v1/system/state', outcome: 200, ms: 120, bytes: 3, attempt: 2, sentAt: 1000, headAt: 1080 };
const start = [['start', '2023-05-01T00:00:00Z']] as const;
const createResponseWith = (headers: Record<string, unknown>): AxiosResponse<unknown> =>
  ({ status: 200, headers, data: new Uint8Array() }) as unknown as AxiosResponse<unknown>;
const trace = (headers: Record<string, unknown>, query: readonly (readonly [string, string])[] = start) =>
  createTrace(createResponseWith(headers), { baseUrl: 'https://grid.example/api' }, { ...answered, query }, key);

describe('createTrace', () => {
  it('returns the address, the times and the size', () => {
    assert.deepEqual(trace({}), {
      url: 'https://grid.example/api/v1/system/state?start=2023-05-01T00%3A00%3A00Z',
      status: 200,
      headers: [],
      sentAt: 1000,
      firstByteMs: 80,
      totalMs: 120,
      bytes: 3,
      attempt: 2,
    });
  });

  it('returns the headers by name, in order, without credentials', () => {
    const headers = {
      'X-RateLimit-Remaining': '7',
      'Content-Type': 'application/json',
      'Set-Cookie': ['sid=1'],
      Authorization: 'Basic x',
      'X-API-KEY': key,
      'x-csrf-token': 't',
      'Proxy-Authenticate': 'Basic',
      'x-access-key': 'a',
      'X-Session-Id': 's',
      'x-note': 'ps_live_0123456789abcdef',
      'x-auth-user': 'u',
    };
    assert.deepEqual(trace(headers).headers, [
      ['content-type', 'application/json'],
      ['x-ratelimit-remaining', '7'],
    ]);
  });

  it('redacts the key wherever the service repeats it', () => {
    const { url, headers } = trace({ 'x-echo': `you are ${key}`, [`x-${key}`]: 'you' }, [['who', key]]);
    assert.ok(!JSON.stringify([url, headers]).includes(key));
    assert.deepEqual(headers, [
      ['x-[key]', 'you'],
      ['x-echo', 'you are [key]'],
    ]);
  });
});
