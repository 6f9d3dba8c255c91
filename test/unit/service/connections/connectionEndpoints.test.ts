import assert from 'node:assert/strict';
import { findDataset, datasets } from '../../../../src/core/query/catalogue.ts';
import { failureReasons, GridError } from '../../../../src/core/errors.ts';
import {
  createAbsentConnection,
  type Connection,
  type ConnectionState,
} from '../../../../src/core/connections/connection.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { Connections } from '../../../../src/service/connections/connections.ts';
import type { Endpoint } from '../../../../src/service/connections/endpoint.ts';
import type { ApiResponse, ApiRequest } from '../../../../src/service/client/apiClient.ts';
import type { Budget, ServiceKey } from '../../../../src/service/limiter/limiter.ts';
import type { RunGroup } from '../../../../src/service/query/runGroup.ts';
import type { FetchedResponse } from '../../../../src/service/client/responseFetcher.ts';
import { ConnectionEndpoints } from '../../../../src/service/connections/connectionEndpoints.ts';
import { QueryEngine } from '../../../../src/service/query/queryEngine.ts';
import { RequestPricing } from '../../../../src/service/query/requestPricing.ts';
import { catchFailure } from '../client/clientSetUp.ts';
import { GridWorld } from '../gridWorld.ts';
import { toServiceQuery } from '../../../support/serviceQuery.ts';
import { FakeSecrets, FakeState } from '../storeFakes.ts';

const key = 'not-a-real-key';
const resolved = resolveQuery(
  { dataset: 'systemState', range: '2023', interval: '1d', params: {}, timeZone: 'UTC' },
  0,
);
assert.ok(resolved.ok);
/** The query's interval has no known length, so that each run sends a request. */
const query = { ...toServiceQuery(resolved.value), intervalMs: undefined };
const fetchedResponse: FetchedResponse = {
  decoded: { frame: { rowCount: 0, columns: [] }, meta: {} },
  bodies: [],
  traces: [],
  requestsSpent: 1,
  respondedAt: 0,
  sentAt: 0,
  headAt: 0,
  incomplete: false,
};

type Outcome = () => Promise<FetchedResponse>;

/** Creates an engine over one connection, whose requests end with `outcome`. */
async function setUp(outcome: Outcome, service: Connection['service'] = 'other') {
  const secrets = new FakeSecrets();
  const connections = new Connections({ state: new FakeState(), secrets, newId: () => 'id-1' });
  const baseUrl = service === 'sandbox' ? '' : 'https://api.example.org';
  const connection = await connections.add({ name: 'Grid', service, baseUrl, key, state: 'unchecked' });
  const shared = { start: 0, end: 1 };
  const groups = new Set<RunGroup | undefined>();
  const usedEndpoints: Endpoint[] = [];
  const fetcher = {
    fetch: async (_: unknown, endpoint: Endpoint): Promise<FetchedResponse> => {
      usedEndpoints.push(endpoint);
      return outcome();
    },
  };
  const planning = {
    planParts: async ({ dataset }: ResolvedQuery, _: Endpoint, together?: RunGroup) => {
      groups.add(together);
      return Promise.resolve(dataset.id === 'systemState' ? [shared, { ...shared }, { ...shared }] : []);
    },
  };
  const warnings: string[] = [];
  let starts = 0;
  const budgets: { scope: string; requests: number }[] = [];
  const clearedKeys: ServiceKey[] = [];
  const requests: ApiRequest[] = [];
  const client = {
    get: async (request: ApiRequest): Promise<ApiResponse> => {
      requests.push(request);
      await outcome();
      return {} as ApiResponse;
    },
  };
  const limiter = {
    clearRejection: async (serviceKey: ServiceKey): Promise<void> => Promise.resolve(void clearedKeys.push(serviceKey)),
    budget: async ({ scope }: { scope: string }, _: unknown, requests: number): Promise<Budget> => {
      budgets.push({ scope, requests });
      return Promise.resolve({
        left: 4,
        allowed: 10,
        nextFreeInMs: 0,
        lastStartsInMs: 60_000,
        nextSlotInMs: undefined,
        waiting: 0,
        blockedUntil: undefined,
        refusal: undefined,
      });
    },
  };
  const sandbox = {
    isRunning: false,
    ensureRunning: async () =>
      Promise.resolve({ baseUrl: `http://127.0.0.1:${9000 + ++starts}`, key: 'sb_test_fresh', source: 'sandbox seed' }),
  };
  const getState = (): ConnectionState | undefined => connections.list()[0]?.state;
  const endpoints = new ConnectionEndpoints({
    connections,
    client,
    sandbox,
    limiter,
    log: { warn: line => warnings.push(line) },
    serviceClock: { now: source => (source === 'https://api.example.org' ? 1_000 : 0) },
  });
  const engine = new QueryEngine({ ...new GridWorld('2023-06-01T12:00Z').deps({ fetcher }), endpoints });
  return {
    run: async (runConnection: Connection = connection) => engine.run(query, runConnection).result,
    pricing: new RequestPricing({ endpoints, engine: planning, limiter, sandbox }),
    endpoints,
    connections,
    connection,
    secrets,
    usedEndpoints,
    clearedKeys,
    requests,
    budgets,
    groups,
    warnings,
    getState,
  };
}

const succeed: Outcome = async () => Promise.resolve(fetchedResponse);
const failWith =
  (error: Error): Outcome =>
  async () =>
    Promise.reject(error);

describe('ConnectionEndpoints', () => {
  it("returns the current time by the service's clock", async () => {
    const { endpoints, connection } = await setUp(succeed);
    assert.equal(endpoints.nowAt(connection), 1_000);
  });

  it('computes the price of several queries without a request, and counts a shared request once', async () => {
    const { pricing, connection, budgets, groups, requests } = await setUp(succeed);
    const dataset = findDataset('gridStress');
    assert.ok(dataset);
    const archived = { query: { ...query, dataset }, connection };
    const price = await pricing.computeTotalPrice([{ query, connection }, archived, { query, connection }]);
    assert.deepEqual(price, { requests: 5, now: 4, waitMs: 60_000, byDataset: [['systemState', 5]] });
    assert.deepEqual(budgets, [{ scope: 'normalized_data', requests: 5 }]);
    assert.deepEqual([groups.size, groups.has(undefined), requests], [1, false, []]);
  });

  it('counts the requests of a query also without a key or a connection', async () => {
    const { pricing, connection, secrets, requests, endpoints } = await setUp(succeed);
    assert.deepEqual(await pricing.countRequests(query, connection), { requests: 3, hasKey: true });
    secrets.stored.clear();
    assert.deepEqual(await pricing.countRequests(query, connection), { requests: 3, hasKey: false });
    assert.deepEqual(await pricing.countRequests(query, createAbsentConnection('Grid')), {
      requests: 3,
      hasKey: false,
    });
    await assert.rejects(endpoints.resolve(connection, undefined), { reason: 'noKey' });
    await assert.rejects(endpoints.resolve(createAbsentConnection('Grid'), undefined), { reason: 'noConnection' });
    assert.deepEqual(requests, []);
  });

  it('returns the budget of a key, or undefined without a key or a running sandbox', async () => {
    const dataset = datasets.find(({ id }) => id === 'gridStress');
    assert.ok(dataset);
    const { pricing, connection, budgets, secrets } = await setUp(succeed);
    assert.equal((await pricing.getBudget(connection, dataset))?.left, 4);
    assert.deepEqual(
      budgets.map(({ scope }) => scope),
      ['features'],
    );
    secrets.stored.clear();
    assert.equal(await pricing.getBudget(connection, dataset), undefined);
    const sandbox = await setUp(succeed, 'sandbox');
    assert.equal(await sandbox.pricing.getBudget(sandbox.connection, dataset), undefined);
    assert.equal(budgets.length + sandbox.budgets.length, 1);
  });

  it('uses the address and key of the connection', async () => {
    const { run, usedEndpoints } = await setUp(succeed);
    assert.equal((await run()).provenance.requestsSpent, 1);
    const endpoint = { name: 'Grid', baseUrl: 'https://api.example.org', key, source: 'https://api.example.org' };
    assert.deepEqual(usedEndpoints, [{ ...endpoint, limits: undefined }]);
  });

  it('keeps the state of a key that was replaced while the old one was rejected', async () => {
    const replaced: { connections?: Connections; connection?: Connection } = {};
    const { run, connection, connections, getState } = await setUp(async () => {
      assert.ok(replaced.connections && replaced.connection);
      await replaced.connections.replaceKey(replaced.connection, 'not-a-real-key-2');
      throw new GridError('keyRejected');
    });
    Object.assign(replaced, { connections, connection });
    assert.equal((await catchFailure(run())).reason, 'keyRejected');
    assert.equal(getState(), 'unchecked');
  });

  it('returns a result although the state cannot be written, and logs it', async () => {
    const { run, connections, warnings } = await setUp(succeed);
    connections.setState = async () => Promise.reject(new Error('disk full'));
    assert.equal((await run()).provenance.requestsSpent, 1);
    assert.equal(warnings.length, 1);
    assert.ok(!warnings.join().includes(key));
  });

  it('tests a key with one request, regardless of the archive and of earlier rejections', async () => {
    const { endpoints, connection, connections, usedEndpoints, clearedKeys, requests, getState } = await setUp(succeed);
    await connections.setState(connection.id, 'rejected');
    await endpoints.test(query, connection, {});
    assert.deepEqual(clearedKeys, [{ origin: 'https://api.example.org', key }]);
    assert.deepEqual(
      requests.map(({ baseUrl, path, priority }) => [baseUrl, path, priority]),
      [['https://api.example.org', query.dataset.path, 'background']],
    );
    assert.deepEqual([usedEndpoints, getState()], [[], 'works']);
  });

  it('stores the outcome of a key test', async () => {
    for (const reason of failureReasons) {
      const { endpoints, connection, requests, getState } = await setUp(
        failWith(new GridError(reason, { status: 499 })),
      );
      const failure = await catchFailure(endpoints.test(query, connection, {}));
      assert.deepEqual([failure.reason, failure.facts.status, requests.length], [reason, 499, 1]);
      const state = { keyRejected: 'rejected', forbidden: 'forbidden' }[reason as string] ?? 'unchecked';
      assert.equal(getState(), state);
    }
  });

  it('sends no request without a key', async () => {
    const { run, usedEndpoints, secrets, getState } = await setUp(succeed);
    secrets.stored.clear();
    assert.equal((await catchFailure(run())).reason, 'noKey');
    assert.deepEqual([usedEndpoints.length, getState()], [0, 'unchecked']);
  });

  it('sends no request to an address that the key is not bound to', async () => {
    const { run, connection, usedEndpoints } = await setUp(succeed);
    const moved = { ...connection, baseUrl: 'https://evil.example.org' };
    assert.equal((await catchFailure(run(moved))).reason, 'noKey');
    assert.equal(usedEndpoints.length, 0);
  });

  it('starts the sandbox for its connection, and uses its current address and key', async () => {
    const { run, usedEndpoints } = await setUp(succeed, 'sandbox');
    await run();
    await run();
    assert.deepEqual(
      usedEndpoints,
      [9001, 9002].map(port => ({
        name: 'Grid',
        baseUrl: `http://127.0.0.1:${port}`,
        key: 'sb_test_fresh',
        source: 'sandbox seed',
      })),
    );
  });

  it("does not change the key's state after a result without requests", async () => {
    const archived = { ...fetchedResponse, requestsSpent: 0 };
    const { run, getState } = await setUp(async () => Promise.resolve(archived));
    await run();
    assert.equal(getState(), 'unchecked');
  });

  it('stores that the key was rejected for a part of the result', async () => {
    const part = { ...fetchedResponse, failure: new GridError('keyRejected') };
    const { run, getState } = await setUp(async () => Promise.resolve(part));
    await run();
    assert.equal(getState(), 'rejected');
  });

  it('stores that the key works', async () => {
    const { run, connection, connections, getState } = await setUp(succeed);
    await connections.setState(connection.id, 'rejected');
    await run();
    assert.equal(getState(), 'works');
  });

  it('stores the kind of data while the responses report it', async () => {
    let meta: FetchedResponse['decoded']['meta'] = { meta: { source: 'replay' } };
    const { run, connection, connections } = await setUp(async () =>
      Promise.resolve({ ...fetchedResponse, decoded: { ...fetchedResponse.decoded, meta } }),
    );
    await run();
    assert.equal(connections.findById(connection.id)?.data, 'replay');
    meta = {};
    await run();
    assert.equal(connections.findById(connection.id)?.data, undefined);
  });

  for (const reason of failureReasons) {
    const state = { keyRejected: 'rejected', forbidden: 'forbidden' }[reason as string] ?? 'works';
    it(`leaves the state of a working connection at ${state} after ${reason}`, async () => {
      const error = new GridError(reason, { requestsSpent: 1 });
      const { run, connection, connections, getState } = await setUp(failWith(error));
      await connections.setState(connection.id, 'works');
      assert.equal(await catchFailure(run()), error);
      assert.equal(getState(), state);
    });
  }

  it('rethrows any other error without changing the state', async () => {
    const { run, getState } = await setUp(failWith(new TypeError('a bug')));
    await assert.rejects(run(), TypeError);
    assert.equal(getState(), 'unchecked');
  });
});
