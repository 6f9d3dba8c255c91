import assert from 'node:assert/strict';
import * as v from 'valibot';
import { createAbsentConnection, hasDashboard, limitSchema } from '../../../../src/core/connections/connection.ts';

describe('the rate limit of a connection', () => {
  const isAccepted = (requests: unknown, seconds: unknown) => v.safeParse(limitSchema, { requests, seconds }).success;

  it('accepts 1 to 100,000 requests in 1 second to 1 day', () => {
    assert.deepEqual([isAccepted(1, 1), isAccepted(100_000, 86_400), isAccepted(3, 1.5)], [true, true, true]);
    for (const [requests, seconds] of [
      [0, 60],
      [100_001, 60],
      [1.5, 60],
      ['10', 60],
      [10, 0],
      [10, 86_401],
    ] as const)
      assert.equal(isAccepted(requests, seconds), false, `${requests} in ${seconds} s`);
  });
});

describe("the message about a link's unknown connection", () => {
  it("includes the first 100 characters of the connection's name", () => {
    assert.deepEqual(
      [createAbsentConnection('Grid').name, createAbsentConnection('x'.repeat(101)).name],
      ['Grid', 'x'.repeat(100)],
    );
  });
});

describe('the dashboard of a connection', () => {
  it('returns the dashboard of Power Signals and of the sandbox, also if the sandbox was added by its address', () => {
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
