import assert from 'node:assert/strict';
import { specification } from './clause.ts';
import type { Clause } from './clause.ts';
import { NotChecked } from './client.ts';
import type { ContractResponse } from './client.ts';
import { gridStress, parseObject, systemState } from './contractRequests.ts';
import type { ContractRequests } from './contractRequests.ts';

const endpoints = [
  [systemState, 'normalized_data'],
  [gridStress, 'features'],
] as const;

/** The clauses about keys. */
export const keyClauses: readonly Clause[] = [
  specification('without a key: 401, "Authentication credentials were not provided."', async api => {
    for (const [path, scope] of endpoints)
      assertRefused(
        await api.client.request(scope, `${path}?${api.range}`, { key: undefined }),
        'Authentication credentials were not provided.',
      );
  }),
  specification('with an unknown key: 401, "Invalid API key."', async api => {
    for (const [path, scope] of endpoints)
      assertRefused(
        await api.client.request(scope, `${path}?${api.range}`, { key: 'not-a-real-key' }),
        'Invalid API key.',
      );
  }),
  specification('with a revoked key: 401, "Invalid API key."', async api => {
    const key = api.client.target.revokedKey;
    if (key === undefined) throw new NotChecked('no revoked key was given');
    for (const [path, scope] of endpoints)
      assertRefused(await api.client.request(scope, `${path}?${api.range}`, { key }), 'Invalid API key.');
  }),
  specification('with the key in the header X-API-KEY: 200', async api => {
    assert.equal((await api.state()).status, 200);
    assert.equal((await api.stress()).status, 200);
  }),
];

/** The clauses about limits. They run last, because they use up a window. */
export const limitClauses: readonly Clause[] = endpoints.flatMap(([path, scope]) => [
  specification(
    `${scope}: the documented number of requests is accepted, the next is 429 with Retry-After and detail`,
    async api => {
      const limit = api.client.target.limits[scope];
      if (!limit) throw new NotChecked('this scope has no limit');
      await fillWindow(api, path, scope);
      const rejected = await api.client.request(scope, `${path}?${api.range}`, { overLimit: true });
      assert.equal(rejected.status, 429);
      const wait = rejected.headers.get('retry-after') ?? 'no Retry-After';
      assert.match(wait, /^[1-9]\d*$/);
      assert.ok(Number(wait) <= limit.seconds, `Retry-After is ${wait}`);
      const unit = wait === '1' ? 'second' : 'seconds';
      assert.equal(parseObject(rejected)['detail'], `Request was throttled. Expected available in ${wait} ${unit}.`);
    },
  ),
  specification(`${scope}: the limit applies to this scope alone`, async api => {
    await fillWindow(api, path, scope);
    const otherEndpoint =
      scope === 'features' ? ([systemState, 'normalized_data'] as const) : ([gridStress, 'features'] as const);
    const response = await api.client.request(otherEndpoint[1], `${otherEndpoint[0]}?${api.range}`);
    assert.equal(response.status, 200);
  }),
  specification(
    `${scope}: after Retry-After a request is accepted, and rejected requests were not counted`,
    async api => {
      await fillWindow(api, path, scope);
      const send = async () => api.client.request(scope, `${path}?${api.range}`, { overLimit: true });
      const rejected = [await send(), await send()].at(-1);
      if (rejected?.status !== 429) throw new NotChecked('no request was rejected');
      await api.client.target.clock.sleep(Number(rejected.headers.get('retry-after')) * 1_000);
      assert.equal((await send()).status, 200);
    },
  ),
]);

/** Uses up an empty window, so that every request must be accepted. */
async function fillWindow(api: ContractRequests, path: string, scope: string): Promise<void> {
  const requests = api.client.target.limits[scope]?.requests ?? 0;
  await api.client.waitForRoom(scope, requests);
  for (let sent = 0; sent < requests; sent++) {
    const { status } = await api.client.request(scope, `${path}?${api.range}`, { overLimit: true });
    assert.equal(status, 200, `request ${sent + 1} of ${requests} was rejected with ${status}`);
  }
}

function assertRefused(response: ContractResponse, detail: string): void {
  assert.equal(response.status, 401);
  assert.equal(parseObject(response)['detail'], detail);
}
