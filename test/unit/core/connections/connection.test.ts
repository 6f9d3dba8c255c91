import assert from 'node:assert/strict';
import * as v from 'valibot';
import { createAbsentConnection, hasDashboard, limitSchema } from '../../../../src/core/connections/connection.ts';

describe('the limit of a connection', () => {
  const takes = (requests: unknown, seconds: unknown) => v.safeParse(limitSchema, { requests, seconds }).success;

  it('is of 1 to 100,000 requests in 1 second to a day', () => {
    assert.deepEqual([takes(1, 1), takes(100_000, 86_400), takes(3, 1.5)], [true, true, true]);
    for (const [requests, seconds] of [
      [0, 60],
      [100_001, 60],
      [1.5, 60],
      ['10', 60],
      [10, 0],
      [10, 86_401],
    ] as const)
      assert.equal(takes(requests, seconds), false, `${requests} in ${seconds} s`);
  });
});

describe('the absent connection of a link', () => {
  it('has the first 100 characters of its name', () => {
    assert.deepEqual(
      [createAbsentConnection('Grid').name, createAbsentConnection('x'.repeat(101)).name],
      ['Grid', 'x'.repeat(100)],
    );
  });
});

describe('the dashboard of a connection', () => {
  it('is there for Power Signals and the sandbox, also where that was added by its address', () => {
    for (const [service, baseUrl, data, expected] of [
      ['powerSignals', 'https://api.powersignals.co.za', undefined, true],
      ['sandbox', '', undefined, true],
      ['other', 'http://127.0.0.1:3000', 'synthetic', true],
      ['other', 'http://127.0.0.1:3000', undefined, false],
      ['other', 'https://api.example.org', 'replay', false],
      ['other', '', undefined, false],
    ] as const)
      assert.equal(hasDashboard({ service, baseUrl, data }), expected, `${service} ${baseUrl} ${data}`);
  });
});
