import assert from 'node:assert/strict';
import { AxiosError, AxiosHeaders } from 'axios';
import type { InternalAxiosRequestConfig } from 'axios';
import { retryPolicy } from '../../../../src/service/client/retryPolicy.ts';
import { VirtualClock } from '../virtualClock.ts';

const config: InternalAxiosRequestConfig = { headers: new AxiosHeaders() };

function answered(status: number, headers: Record<string, string> = {}): AxiosError {
  const response = { status, statusText: '', headers, data: undefined, config };
  return new AxiosError('failed', 'ERR_BAD_RESPONSE', config, undefined, response);
}

const clock = new VirtualClock();
const deps = { clock, random: () => 0, backoffMs: 500, hold: () => undefined };

/** How long the policy waits before each of two more attempts, in milliseconds. */
function waits(random: number, error: AxiosError, backoffMs = 500): number[] {
  const held: number[] = [];
  const { retryDelay } = retryPolicy({ clock, random: () => random, backoffMs, hold: ms => void held.push(ms) });
  for (const count of [1, 2]) assert.equal(retryDelay?.(count, error), 0, "the library's own timer");
  return held;
}

describe('retryPolicy', () => {
  it('waits longer each time, half fixed and half random', () => {
    assert.deepEqual(waits(0, answered(503)), [500, 1_000]);
    assert.deepEqual(waits(0.5, answered(503)), [750, 1_500]);
  });

  it('never backs off by more than eight seconds', () => {
    assert.deepEqual(waits(0.5, answered(503), 60_000), [6_000, 6_000]);
  });

  it('waits for Retry-After when it is longer', () => {
    assert.deepEqual(waits(0, answered(503, { 'retry-after': '3' })), [3_000, 3_000]);
    assert.deepEqual(waits(0, answered(503, { 'retry-after': '0' })), [500, 1_000]);
    assert.deepEqual(waits(0, answered(503, { 'retry-after': 'soon' })), [500, 1_000]);
  });

  it('retries transient failures only', async () => {
    const agreed = async (): Promise<boolean> => Promise.resolve(true);
    const { retryCondition } = retryPolicy({ ...deps, mayRetry: agreed });
    const passes = async (error: AxiosError): Promise<boolean | undefined> => retryCondition?.(error);
    for (const status of [502, 503, 504]) assert.equal(await passes(answered(status)), true, String(status));
    for (const status of [301, 400, 401, 403, 404, 408, 425, 500, 501, 505, 599])
      assert.equal(await passes(answered(status)), false, String(status));
    for (const code of ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'])
      assert.equal(await passes(new AxiosError('failed', code, config)), true, code);
    for (const code of [
      'ECONNABORTED',
      'ERR_CANCELED',
      'ENOTFOUND',
      'CERT_HAS_EXPIRED',
      'HPE_INVALID_CONSTANT',
      'Z_DATA_ERROR',
    ])
      assert.equal(await passes(new AxiosError('failed', code, config)), false, code);
    assert.equal(await passes(answered(503, { 'retry-after': '30' })), true);
    assert.equal(await passes(answered(503, { 'retry-after': '31' })), false);
  });

  it('asks before a retry that the service may count, and retries once when nobody can be asked', async () => {
    const refused = new AxiosError('failed', 'ECONNREFUSED', config);
    for (const agrees of [undefined, false, true]) {
      let asked = 0;
      const mayRetry = async (): Promise<boolean> => Promise.resolve(++asked > 0 && agrees === true);
      const policy = retryPolicy({ ...deps, mayRetry: agrees === undefined ? undefined : mayRetry });
      for (const error of [answered(503), new AxiosError('failed', 'ECONNRESET', config)])
        assert.equal(await policy.retryCondition?.(error), agrees === true);
      assert.equal(await policy.retryCondition?.(refused), true, 'it never reached the service');
      assert.equal(await policy.retryCondition?.(answered(500)), false);
      assert.equal(asked, agrees === undefined ? 0 : 2);
    }
  });

  it('queues again at once after a 429, whose wait is that of the limiter', async () => {
    const throttled = answered(429, { 'retry-after': '90' });
    assert.equal(await retryPolicy(deps).retryCondition?.(throttled), true);
    assert.deepEqual(waits(0.5, throttled), [0, 0]);
  });

  it('sends what fails in passing twice more, also where it was throttled before', async () => {
    const { retryCondition } = retryPolicy({ ...deps, mayRetry: async () => Promise.resolve(true) });
    const passes = [];
    for (const retryCount of [0, 1, 2]) {
      const error = answered(503);
      if (error.config) error.config['axios-retry'] = { retryCount, lastRequestTime: 0 };
      passes.push(await retryCondition?.(error));
    }
    assert.deepEqual(passes, [true, true, false]);
  });
});
