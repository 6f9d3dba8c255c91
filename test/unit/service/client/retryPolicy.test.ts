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

/** How long the policy waits before each of two more attempts, in milliseconds. */
async function waits(random: number, error: AxiosError, backoffMs = 500): Promise<number[]> {
  const clock = new VirtualClock(0);
  const policy = retryPolicy(clock, () => random, backoffMs);
  const ends: number[] = [];
  for (const count of [1, 2]) {
    const started = clock.now();
    void Promise.resolve(policy.onRetry?.(count, error, config)).then(() => ends.push(clock.now() - started));
    await clock.advance(100_000);
  }
  return ends;
}

describe('retryPolicy', () => {
  it('waits longer each time, half fixed and half random', async () => {
    assert.deepEqual(await waits(0, answered(503)), [500, 1_000]);
    assert.deepEqual(await waits(0.5, answered(503)), [750, 1_500]);
  });

  it('never backs off by more than eight seconds', async () => {
    assert.deepEqual(await waits(0.5, answered(503), 60_000), [6_000, 6_000]);
  });

  it('waits for Retry-After when it is longer', async () => {
    assert.deepEqual(await waits(0, answered(503, { 'retry-after': '3' })), [3_000, 3_000]);
    assert.deepEqual(await waits(0, answered(503, { 'retry-after': '0' })), [500, 1_000]);
    assert.deepEqual(await waits(0, answered(503, { 'retry-after': 'soon' })), [500, 1_000]);
  });

  it('retries transient failures only', async () => {
    const agreed = async (): Promise<boolean> => Promise.resolve(true);
    const { retryCondition } = retryPolicy(new VirtualClock(), () => 0, 500, agreed);
    const passes = async (error: AxiosError): Promise<boolean | undefined> => retryCondition?.(error);
    for (const status of [502, 503, 504]) assert.equal(await passes(answered(status)), true, String(status));
    for (const status of [301, 400, 401, 403, 404, 408, 425, 429, 500, 501, 505, 599])
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
      const policy = retryPolicy(new VirtualClock(), () => 0, 500, agrees === undefined ? undefined : mayRetry);
      for (const error of [answered(503), new AxiosError('failed', 'ECONNRESET', config)])
        assert.equal(await policy.retryCondition?.(error), agrees === true);
      assert.equal(await policy.retryCondition?.(refused), true, 'it never reached the service');
      assert.equal(await policy.retryCondition?.(answered(500)), false);
      assert.equal(asked, agrees === undefined ? 0 : 2);
    }
  });

  it('starts no wait once aborted', async () => {
    const { onRetry } = retryPolicy(new VirtualClock(), () => 0, 500);
    const aborted = { ...config, signal: AbortSignal.abort(new Error('enough')) };
    await assert.rejects(async () => onRetry?.(1, answered(503), aborted), /enough/);
  });
});
