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
import { failureOf } from '../client/clientSetUp.ts';
import { GridWorld } from '../gridWorld.ts';
import { serviceQuery } from '../../../support/serviceQuery.ts';
import { FakeSecrets, FakeState } from '../storeFakes.ts';

const key = 'not-a-real-key';
const resolved = resolveQuery(
  { dataset: 'systemState', range: '2023', interval: '1d', params: {}, timeZone: 'UTC' },
  0,
);
assert.ok(resolved.ok);
/** Its steps have no known length, so that each run sends its request. */
const query = { ...serviceQuery(resolved.value), stepMs: undefined };
const answer: FetchedResponse = {
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

/** An engine over one connection, whose requests end as `outcome` says. */
async function setUp(outcome: Outcome, service: Connection['service'] = 'other') {
  const secrets = new FakeSecrets();
  const connections = new Connections({ state: new FakeState(), secrets, newId: () => 'id-1' });
  const baseUrl = service === 'sandbox' ? '' : 'https://api.example.org';
  const connection = await connections.add({ name: 'Grid', service, baseUrl, key, state: 'unchecked' });
  const shared = { start: 0, end: 1 };
  const groups = new Set<RunGroup | undefined>();
  const asked: Endpoint[] = [];
  const fetcher = {
    fetch: async (_: unknown, endpoint: Endpoint): Promise<FetchedResponse> => {
      asked.push(endpoint);
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
  const forgiven: ServiceKey[] = [];
  const requests: ApiRequest[] = [];
  const client = {
    get: async (request: ApiRequest): Promise<ApiResponse> => {
      requests.push(request);
      await outcome();
      return {} as ApiResponse;
    },
  };
  const limiter = {
    clearRejection: async (of: ServiceKey): Promise<void> => Promise.resolve(void forgiven.push(of)),
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
  const stateNow = (): ConnectionState | undefined => connections.list()[0]?.state;
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
    run: async (at: Connection = connection) => engine.run(query, at).result,
    pricing: new RequestPricing({ endpoints, engine: planning, limiter, sandbox }),
    endpoints,
    connections,
    connection,
    secrets,
    asked,
    forgiven,
    requests,
    budgets,
    groups,
    warnings,
    stateNow,
  };
}

const succeeds: Outcome = async () => Promise.resolve(answer);
const fails =
  (error: Error): Outcome =>
  async () =>
    Promise.reject(error);

describe('the endpoints of connections', () => {
  it("takes the present from the service's clock", async () => {
    const { endpoints, connection } = await setUp(succeeds);
    assert.equal(endpoints.nowAt(connection), 1_000);
  });

  it('prices several queries together without a request, and a shared request once', async () => {
    const { pricing, connection, budgets, groups, requests } = await setUp(succeeds);
    const dataset = findDataset('gridStress');
    assert.ok(dataset);
    const kept = { query: { ...query, dataset }, connection };
    const price = await pricing.computeTotalPrice([{ query, connection }, kept, { query, connection }]);
    assert.deepEqual(price, { requests: 5, now: 4, waitMs: 60_000 });
    assert.deepEqual(budgets, [{ scope: 'normalized_data', requests: 5 }]);
    assert.deepEqual([groups.size, groups.has(undefined), requests], [1, false, []]);
  });

  it('counts the requests of a query where there is no key, and no connection', async () => {
    const { pricing, connection, secrets, requests, endpoints } = await setUp(succeeds);
    assert.deepEqual(await pricing.countRequests(query, connection), { requests: 3, hasKey: true });
    secrets.kept.clear();
    assert.deepEqual(await pricing.countRequests(query, connection), { requests: 3, hasKey: false });
    assert.deepEqual(await pricing.countRequests(query, createAbsentConnection('Grid')), {
      requests: 3,
      hasKey: false,
    });
    await assert.rejects(endpoints.resolve(connection, undefined), { reason: 'noKey' });
    await assert.rejects(endpoints.resolve(createAbsentConnection('Grid'), undefined), { reason: 'noConnection' });
    assert.deepEqual(requests, []);
  });

  it('tells the budget of a key, and none where there is no key or no sandbox', async () => {
    const dataset = datasets.find(({ id }) => id === 'gridStress');
    assert.ok(dataset);
    const { pricing, connection, budgets, secrets } = await setUp(succeeds);
    assert.equal((await pricing.getBudget(connection, dataset))?.left, 4);
    assert.deepEqual(
      budgets.map(({ scope }) => scope),
      ['features'],
    );
    secrets.kept.clear();
    assert.equal(await pricing.getBudget(connection, dataset), undefined);
    const sandbox = await setUp(succeeds, 'sandbox');
    assert.equal(await sandbox.pricing.getBudget(sandbox.connection, dataset), undefined);
    assert.equal(budgets.length + sandbox.budgets.length, 1);
  });

  it('uses the address and key of the connection', async () => {
    const { run, asked } = await setUp(succeeds);
    assert.equal((await run()).provenance.requestsSpent, 1);
    const endpoint = { name: 'Grid', baseUrl: 'https://api.example.org', key, source: 'https://api.example.org' };
    assert.deepEqual(asked, [{ ...endpoint, limits: undefined }]);
  });

  it('keeps the state of a key that was replaced while the old one was rejected', async () => {
    const replaced: { connections?: Connections; connection?: Connection } = {};
    const { run, connection, connections, stateNow } = await setUp(async () => {
      assert.ok(replaced.connections && replaced.connection);
      await replaced.connections.replaceKey(replaced.connection, 'not-a-real-key-2');
      throw new GridError('keyRejected');
    });
    Object.assign(replaced, { connections, connection });
    assert.equal((await failureOf(run())).reason, 'keyRejected');
    assert.equal(stateNow(), 'unchecked');
  });

  it('returns a result although the state cannot be written, and logs it', async () => {
    const { run, connections, warnings } = await setUp(succeeds);
    connections.setState = async () => Promise.reject(new Error('disk full'));
    assert.equal((await run()).provenance.requestsSpent, 1);
    assert.equal(warnings.length, 1);
    assert.ok(!warnings.join().includes(key));
  });

  it('tests a key with one request, whatever is archived or known of the key', async () => {
    const { endpoints, connection, connections, asked, forgiven, requests, stateNow } = await setUp(succeeds);
    await connections.setState(connection.id, 'rejected');
    await endpoints.test(query, connection, {});
    assert.deepEqual(forgiven, [{ origin: 'https://api.example.org', key }]);
    assert.deepEqual(
      requests.map(({ baseUrl, path, priority }) => [baseUrl, path, priority]),
      [['https://api.example.org', query.dataset.path, 'background']],
    );
    assert.deepEqual([asked, stateNow()], [[], 'works']);
  });

  it('stores the outcome of a key test', async () => {
    for (const reason of failureReasons) {
      const { endpoints, connection, requests, stateNow } = await setUp(fails(new GridError(reason, { status: 499 })));
      const failure = await failureOf(endpoints.test(query, connection, {}));
      assert.deepEqual([failure.reason, failure.facts.status, requests.length], [reason, 499, 1]);
      const state = { keyRejected: 'rejected', forbidden: 'forbidden' }[reason as string] ?? 'unchecked';
      assert.equal(stateNow(), state);
    }
  });

  it('sends nothing without a key', async () => {
    const { run, asked, secrets, stateNow } = await setUp(succeeds);
    secrets.kept.clear();
    assert.equal((await failureOf(run())).reason, 'noKey');
    assert.deepEqual([asked.length, stateNow()], [0, 'unchecked']);
  });

  it('sends nothing to an address that the key is not bound to', async () => {
    const { run, connection, asked } = await setUp(succeeds);
    const moved = { ...connection, baseUrl: 'https://evil.example.org' };
    assert.equal((await failureOf(run(moved))).reason, 'noKey');
    assert.equal(asked.length, 0);
  });

  it('starts the sandbox for its connection, and uses its current address and key', async () => {
    const { run, asked } = await setUp(succeeds, 'sandbox');
    await run();
    await run();
    assert.deepEqual(
      asked,
      [9001, 9002].map(port => ({
        name: 'Grid',
        baseUrl: `http://127.0.0.1:${port}`,
        key: 'sb_test_fresh',
        source: 'sandbox seed',
      })),
    );
  });

  it('learns nothing about the key from a result without requests', async () => {
    const kept = { ...answer, requestsSpent: 0 };
    const { run, stateNow } = await setUp(async () => Promise.resolve(kept));
    await run();
    assert.equal(stateNow(), 'unchecked');
  });

  it('stores that the key was rejected for a part of the result', async () => {
    const part = { ...answer, failure: new GridError('keyRejected') };
    const { run, stateNow } = await setUp(async () => Promise.resolve(part));
    await run();
    assert.equal(stateNow(), 'rejected');
  });

  it('stores that the key works', async () => {
    const { run, connection, connections, stateNow } = await setUp(succeeds);
    await connections.setState(connection.id, 'rejected');
    await run();
    assert.equal(stateNow(), 'works');
  });

  it('stores what the rows of a connection are while its answers say so', async () => {
    let meta: FetchedResponse['decoded']['meta'] = { meta: { source: 'replay' } };
    const { run, connection, connections } = await setUp(async () =>
      Promise.resolve({ ...answer, decoded: { ...answer.decoded, meta } }),
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
      const { run, connection, connections, stateNow } = await setUp(fails(error));
      await connections.setState(connection.id, 'works');
      assert.equal(await failureOf(run()), error);
      assert.equal(stateNow(), state);
    });
  }

  it('rethrows any other error, and learns nothing from it', async () => {
    const { run, stateNow } = await setUp(fails(new TypeError('a bug')));
    await assert.rejects(run(), TypeError);
    assert.equal(stateNow(), 'unchecked');
  });
});
