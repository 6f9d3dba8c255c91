import assert from 'node:assert/strict';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { RunGroup } from '../../../../src/service/query/runGroup.ts';
import {
  sendJson,
  startCannedService,
  type CannedService,
  type ReceivedRequest,
} from '../../../support/cannedService.ts';
import { createDiskWindow } from '../../../support/diskWindow.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { createFastClock } from '../hurriedClock.ts';

const hour = 3_600_000;

describe('queries that run together with the real client, limiter, lock and archive', () => {
  let service: CannedService;

  beforeEach(async () => {
    service = await startCannedService((request, response) => sendJson(response, 200, { data: getHours(request) }));
  });
  afterEach(async () => service.close());

  it('spends one request on ranges that overlap, touch or are apart, partly archived', async () => {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const window = { folder: createTemporaryFolder(), name: 'one', clock: createFastClock(20), logger };
    const { runner } = createDiskWindow({ ...window, fingerprint: async () => Promise.resolve('0123abcd') });
    const { baseUrl } = service;
    const endpoint = { name: 'World', source: baseUrl, baseUrl, key: 'not-a-real-key' };
    await runner.run(resolveMonths('2023-03'), endpoint);
    await runner.engine.waitForWrites();
    const queries = ['2023-02..2023-03', '2023-03..2023-04', '2023-05', '2023-03', '2023-07'].map(resolveMonths);
    const group = new RunGroup(queries);
    const results = await Promise.all(queries.map(async query => runner.run(query, endpoint, { group })));
    assert.deepEqual(
      service.receivedRequests.map(({ query }) => [query.get('start'), query.get('end')]),
      [
        ['2023-03-01T00:00:00Z', '2023-04-01T00:00:00Z'],
        ['2023-02-01T00:00:00Z', '2023-08-01T00:00:00Z'],
      ],
    );
    assert.deepEqual(
      results.map(({ frame, coverage }) => [frame?.rowCount, coverage?.present]),
      queries.map(({ start, end }) => [(end - start) / hour, (end - start) / hour]),
    );
    assert.equal(
      results.reduce((sum, { provenance }) => sum + provenance.requestsSpent, 0),
      1,
    );
  });
});

function resolveMonths(range: string): ResolvedQuery {
  const query = resolveQuery({ dataset: 'systemState', range, interval: '1h', params: {}, timeZone: 'UTC' }, 0);
  if (!query.ok) throw new Error(query.problem);
  return query.value;
}

function getHours({ query }: ReceivedRequest): unknown[] {
  const start = Date.parse(query.get('start') ?? '');
  const end = Date.parse(query.get('end') ?? '');
  return Array.from({ length: (end - start) / hour }, (_, index) => ({
    ts: new Date(start + index * hour).toISOString(),
    residual_demand_mw: index,
  }));
}
