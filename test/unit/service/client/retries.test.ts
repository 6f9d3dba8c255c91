import assert from 'node:assert/strict';
import { AxiosError, AxiosHeaders } from 'axios';
import type { GridError } from '../../../../src/core/errors.ts';
import type { Clock } from '../../../../src/core/ports.ts';
import type { ApiRequest } from '../../../../src/service/client/apiClient.ts';
import { requestTo, setUpClient, totalTimeoutMs } from './clientSetUp.ts';

/** The failure of an attempt: a status with headers, or a code without a response. */
type Failure = string | readonly [status: number, headers?: Readonly<Record<string, string>>];

/** A clock whose waits end immediately, except the time on the wire. */
function impatientClock(): Clock {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: async ms => {
      if (ms === totalTimeoutMs) return new Promise(() => undefined);
      now += ms;
      return Promise.resolve();
    },
  };
}

/** Calls a service that fails in these ways and then repeats the last failure. Returns the times of the calls, relative to the first one. */
async function measureAttempts(
  failures: readonly Failure[],
  changes: Partial<ApiRequest> = {},
  { random = 0, backoffMs = 500 } = {},
): Promise<number[]> {
  const clock = impatientClock();
  const sentTimes: number[] = [];
  const { client } = setUpClient(
    {
      backoffMs,
      adapter: async config => {
        sentTimes.push(clock.now());
        const failure = failures[Math.min(sentTimes.length, failures.length) - 1] ?? '';
        if (typeof failure === 'string') throw new AxiosError('failed', failure, config);
        const [status, headers = {}] = failure;
        const response = { status, statusText: '', headers: new AxiosHeaders(headers), data: undefined, config };
        return Promise.reject(new AxiosError('failed', 'ERR_BAD_RESPONSE', config, undefined, response));
      },
    },
    clock,
    undefined,
    () => random,
  );
  await client.get(requestTo('https://api.example.invalid', changes)).catch(() => undefined);
  return sentTimes.map(instant => instant - (sentTimes[0] ?? 0));
}

describe('retries', () => {
  it('waits longer each time, half fixed and half random', async () => {
    assert.deepEqual(await measureAttempts([[503]]), [0, 500, 1_500]);
    assert.deepEqual(await measureAttempts([[503]], {}, { random: 0.5 }), [0, 750, 2_250]);
    assert.deepEqual(
      await measureAttempts([[503]], {}, { backoffMs: 60_000 }),
      [0, 4_000, 8_000],
      'at most eight seconds',
    );
  });

  it('waits for Retry-After when it is longer', async () => {
    for (const [header, expected] of [
      ['3', [0, 3_000, 6_000]],
      ['0', [0, 500, 1_500]],
      ['soon', [0, 500, 1_500]],
      ['30', [0, 30_000, 60_000]],
      ['31', [0]],
    ] as const)
      assert.deepEqual(await measureAttempts([[503, { 'retry-after': header }]]), expected, header);
  });

  it('retries transient failures only', async () => {
    for (const status of [502, 503, 504]) assert.equal((await measureAttempts([[status]])).length, 3, String(status));
    for (const status of [301, 400, 401, 403, 404, 408, 425, 500, 501, 505, 599])
      assert.equal((await measureAttempts([[status]])).length, 1, String(status));
    for (const code of ['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'EAI_AGAIN', 'ETIMEDOUT'])
      assert.equal((await measureAttempts([code])).length, 3, code);
    for (const code of [
      'ECONNABORTED',
      'ERR_CANCELED',
      'ENOTFOUND',
      'CERT_HAS_EXPIRED',
      'HPE_INVALID_CONSTANT',
      'Z_DATA_ERROR',
    ])
      assert.equal((await measureAttempts([code])).length, 1, code);
  });

  it('confirms retries that the service may count, and does not send them without a confirmation', async () => {
    for (const isConfirmed of [undefined, false, true]) {
      const confirmedFailures: GridError[] = [];
      const confirmRetry =
        isConfirmed === undefined
          ? undefined
          : (failed: GridError) => Promise.resolve(confirmedFailures.push(failed) > 0 && isConfirmed);
      for (const failure of [[503], 'ECONNRESET'] as const)
        assert.equal((await measureAttempts([failure], { confirmRetry })).length, isConfirmed === true ? 3 : 1);
      assert.equal(
        (await measureAttempts(['ECONNREFUSED'], { confirmRetry })).length,
        3,
        'the request never reached the service',
      );
      assert.equal((await measureAttempts([[500]], { confirmRetry })).length, 1);
      assert.equal(confirmedFailures.length, { undefined: 0, false: 2, true: 4 }[`${isConfirmed}`]);
    }
  });

  it('queues again after a 429, which the limiter waits for, without a confirmation', async () => {
    const waits = await measureAttempts([[429, { 'retry-after': '90' }]], { confirmRetry: undefined });
    assert.deepEqual(waits, [0, 90_250, 180_500, 270_750]);
  });

  it('retries a transient failure at most twice, also after a 429', async () => {
    assert.equal((await measureAttempts([[429], [503]])).length, 3);
    assert.equal((await measureAttempts([[429], [429], [503]])).length, 3);
  });

  it('sends a background request once', async () => {
    for (const failure of [[429], [503], 'ECONNREFUSED'] as const)
      assert.equal((await measureAttempts([failure], { priority: 'background' })).length, 1);
  });
});
