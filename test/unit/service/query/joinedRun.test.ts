import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { resolveQuery, splitIntoServiceQueries, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { getSeriesIdentity } from '../../../../src/core/query/seriesKey.ts';
import type { ResponseFetcher } from '../../../../src/service/client/responseFetcher.ts';
import { generateRecords } from '../../../../src/core/frame/records.ts';
import { RequestPricing } from '../../../../src/service/query/requestPricing.ts';
import { RunGroup } from '../../../../src/service/query/runGroup.ts';
import { intervalState, type Result } from '../../../../src/shared/result.ts';
import type { EndpointRunner } from '../../../support/followRun.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const noon = '2026-11-21T12:00Z';

function resolveJoinedQuery(world: GridWorld, range: string, changes: object = {}): ResolvedQuery {
  const query = { dataset: 'stateAndStress', range, interval: '1h', params: {}, timeZone: 'UTC', ...changes };
  const resolved = resolveQuery(query, world.now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

const computeStressAt = (ms: number): number => ((ms / hour) % 100) / 100;

/** Creates a window whose service also has the stress index, without the hours in `holes`. */
function createWindow(world: GridWorld, holes: ReadonlySet<number> = new Set()): EndpointRunner {
  const { fetcher } = world.deps();
  return world.window({
    fetcher: {
      async fetch(query, endpoint, options) {
        const response = await fetcher.fetch(query, endpoint, options);
        if (query.dataset.id !== 'gridStress' || 'unneeded' in response) return response;
        const frame = response.decoded.frame ?? assert.fail();
        const [ts] = frame.columns;
        assert.ok(ts?.kind === 'time');
        const values = ts.values.filter(ms => !holes.has(ms));
        const value = { kind: 'number', name: 'value', path: ['value'], values: values.map(computeStressAt) } as const;
        const { name, path } = ts;
        const columns = values.length > 0 ? [{ kind: 'time', name, path, values } as const, value] : [];
        return { ...response, decoded: { ...response.decoded, frame: { rowCount: values.length, columns } } };
      },
    },
  });
}

function listTitles({ coverage }: Result): unknown[] {
  return (coverage?.parts ?? []).map(part => [
    part.title,
    part.coverage.present,
    part.coverage.missing,
    part.coverage.failed,
  ]);
}

describe('a query of joined datasets', () => {
  const start = Date.parse('2026-11-20T00:00Z');
  const day = fc.uniqueArray(fc.nat(23));

  it('joins the rows of both datasets by the hour, and reports the missing hours of each', async () => {
    await fc.assert(
      fc.asyncProperty(day, day, async (stateHoles, stressHoles) => {
        const world = new GridWorld(noon);
        for (const hourIndex of stateHoles) world.holes.add(start + hourIndex * hour);
        // GridWorld omits its holes from all datasets; those of stress are additional.
        const missingHours = new Set([...stateHoles, ...stressHoles]);
        const result = await createWindow(world, new Set([...missingHours].map(index => start + index * hour))).run(
          resolveJoinedQuery(world, '2026-11-20'),
          world.endpoint,
        );
        const hours = Array.from({ length: 24 }, (_, index) => index).filter(index => !stateHoles.includes(index));
        const expected = hours.map(index => {
          const ms = start + index * hour;
          const state = { ts: new Date(ms).toISOString().replace('.000Z', 'Z'), residual_demand_mw: ms / hour };
          return missingHours.has(index) ? state : { ...state, value: computeStressAt(ms) };
        });
        assert.deepEqual([...generateRecords(result.frame ?? assert.fail())], expected);
        assert.deepEqual(listTitles(result), [
          ['System state', hours.length, stateHoles.length, 0],
          ['Grid stress', 24 - missingHours.size, missingHours.size, 0],
        ]);
        assert.deepEqual(
          [result.coverage?.present, result.coverage?.missing],
          [24 - missingHours.size, missingHours.size],
        );
        assert.equal(result.provenance.requestsSpent, 2);
      }),
      { numRuns: 30 },
    );
  });

  it('describes the columns as the datasets do, and takes each from its own archive', async () => {
    const world = new GridWorld(noon);
    const window = createWindow(world);
    await window.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint);
    const { frame, provenance, coverage } = await window.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint);
    assert.deepEqual(
      frame?.columns.map(({ name, field }) => [name, field?.label]),
      [
        ['ts', 'Hour'],
        ['residual_demand_mw', 'Residual demand'],
        ['value', 'Stress'],
      ],
    );
    assert.deepEqual(
      [provenance.requestsSpent, provenance.archivedIntervals, coverage?.archived.every(archived => archived === 1)],
      [0, 24, true],
    );
    const alone = await window.run(world.query('2026-11-20', 'gridStress'), world.endpoint);
    assert.deepEqual([alone.provenance.requestsSpent, alone.provenance.archivedIntervals], [0, 24]);
  });

  for (const failing of ['systemState', 'gridStress'])
    it(`keeps the result of the other dataset if ${failing} fails, and fetches only the failed one again`, async () => {
      const world = new GridWorld(noon);
      world.beforeResponse = ({ dataset }) => {
        if (dataset.id === failing) throw new GridError('serverError', { status: 503, requestsSpent: 1 });
      };
      const window = createWindow(world);
      const result = await window.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint);
      assert.equal(result.frame?.rowCount, 24);
      const { failure, requestsSpent } = result.provenance;
      assert.deepEqual([failure?.reason, failure?.dataset, requestsSpent], ['serverError', failing, 2]);
      assert.deepEqual(result.coverage?.states, new Uint8Array(24).fill(intervalState.failed));
      assert.deepEqual(
        result.coverage.parts?.map(part => part.coverage.failed),
        failing === 'systemState' ? [24, 0] : [0, 24],
      );
      world.beforeResponse = () => undefined;
      const second = await window.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint, { refresh: 'missing' });
      assert.deepEqual(
        world.sentRequests.slice(2).map(({ dataset }) => dataset),
        [failing],
      );
      assert.deepEqual(
        [second.frame?.columns.length, second.coverage?.present, second.provenance.failure],
        [3, 24, undefined],
      );
    });

  it('fails if both datasets fail, with the requests of both', async () => {
    const world = new GridWorld(noon);
    world.beforeResponse = () => {
      throw new GridError('unreachable', { requestsSpent: 1 });
    };
    await assert.rejects(
      createWindow(world).run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint),
      (error: unknown) => {
        assert.ok(error instanceof GridError);
        assert.deepEqual([error.reason, error.facts.requestsSpent], ['unreachable', 2]);
        return true;
      },
    );
  });

  it('shows the rows of one dataset while the other waits', async () => {
    const world = new GridWorld(noon);
    const { promise: budget, resolve: free } = Promise.withResolvers<undefined>();
    world.beforeResponse = async ({ dataset }) => (dataset.id === 'gridStress' ? budget : undefined);
    const previews: (readonly string[] | undefined)[] = [];
    const result = await createWindow(world).run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint, {
      onProgress: ({ frame, coverage }, progress) => {
        previews.push(frame?.columns.map(({ name }) => name));
        assert.deepEqual(
          [progress, coverage?.parts?.map(({ title }) => title)],
          [{ done: 1, total: 2 }, ['System state']],
        );
        free(undefined);
      },
    });
    assert.deepEqual(previews, [['ts', 'residual_demand_mw']]);
    assert.equal(result.frame?.columns.length, 3);
  });

  it('ends both runs if the user declines the requests of one', async () => {
    const world = new GridWorld(noon);
    world.price = requests => ({ requests, now: 1, waitMs: 60_000 });
    world.knownLimits.set(
      getSeriesIdentity({ source: 'world', dataset: 'gridStress', interval: '1h', params: {} }),
      12 * hour,
    );
    const confirmedCounts: number[] = [];
    // The request for system state is in flight, and ends only when aborted.
    const fetch: ResponseFetcher['fetch'] = async (_, __, options) =>
      new Promise((_resolve, reject) =>
        options?.signal?.addEventListener('abort', () => reject(new GridError('cancelled'))),
      );
    const run = world.window({ fetcher: { fetch } }).run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint, {
      onPlan: async ({ requests }) => Promise.resolve(confirmedCounts.push(requests) > 1),
    });
    await assert.rejects(run, (error: unknown) => error instanceof GridError && error.reason === 'cancelled');
    assert.deepEqual(confirmedCounts, [2]);
  });

  it('returns days of a zone from the joined hours', async () => {
    const world = new GridWorld(noon);
    const query = resolveJoinedQuery(world, '2026-11-18..2026-11-19', { interval: '1d@UTC' });
    const missingInstants = new Set(
      Array.from({ length: 6 }, (_, index) => Date.parse('2026-11-19T00:00Z') + index * hour),
    );
    const { frame, coverage } = await createWindow(world, missingInstants).run(query, world.endpoint);
    assert.equal(frame?.rowCount, 2);
    const mean = frame.columns.find(({ name }) => name === 'value');
    assert.ok(mean?.kind === 'number');
    const hours = Array.from({ length: 18 }, (_, index) =>
      computeStressAt(Date.parse('2026-11-19T06:00Z') + index * hour),
    );
    assert.ok(Math.abs((mean.values[1] ?? NaN) - hours.reduce((sum, value) => sum + value, 0) / 18) < 1e-12);
    assert.deepEqual(
      coverage?.parts?.map(part => [...(part.coverage.hours?.present ?? [])]),
      [
        [24, 24],
        [24, 18],
      ],
    );
  });

  it('sends a parameter only to the dataset that has it, and other parameters to both', () => {
    const world = new GridWorld(noon);
    const query = resolveJoinedQuery(world, '2026-11-20', { params: { components: 'true', other: '1' } });
    assert.deepEqual(
      splitIntoServiceQueries(query).map(({ dataset, params }) => [dataset.id, params]),
      [
        ['systemState', { other: '1' }],
        ['gridStress', { components: 'true', other: '1' }],
      ],
    );
  });

  it('shares requests with a query of one of its datasets that runs together with it', async () => {
    const world = new GridWorld(noon);
    const queries = [resolveJoinedQuery(world, '2026-11-20'), world.query('2026-11-19', 'gridStress')];
    const group = new RunGroup(queries);
    const window = createWindow(world);
    await Promise.all(queries.map(async query => window.run(query, world.endpoint, { group })));
    assert.deepEqual(world.sentRequests.map(({ dataset }) => dataset).sort(), ['gridStress', 'systemState']);
  });

  it('counts an hour once if it changed in both datasets', async () => {
    const world = new GridWorld(noon);
    const plain = world.window();
    await plain.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint);
    world.now += hour;
    world.revised.set(start, 1);
    world.holes.add(start + hour);
    const { revisions } = await plain.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint, {
      refresh: 'always',
    });
    assert.deepEqual([revisions?.revised, revisions?.withdrawn, revisions?.before.rowCount], [1, 1, 2]);
  });

  it('counts the hours that changed in either dataset', async () => {
    const world = new GridWorld(noon);
    await createWindow(world).run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint);
    world.now += hour;
    world.revised.set(start, 1);
    const second = createWindow(world, new Set([start + 2 * hour]));
    const { revisions } = await second.run(resolveJoinedQuery(world, '2026-11-20'), world.endpoint, {
      refresh: 'always',
    });
    assert.deepEqual([revisions?.revised, revisions?.withdrawn], [1, 1]);
  });

  it('returns the price for the budget of each dataset', async () => {
    const world = new GridWorld(noon);
    const { engine } = createWindow(world);
    const unknown = { nextFreeInMs: 0, waiting: 0, nextSlotInMs: undefined, blockedUntil: undefined };
    const pricing = new RequestPricing({
      endpoints: { resolve: async () => Promise.resolve(world.endpoint) },
      engine,
      limiter: {
        budget: async ({ scope }, { requests: allowed }) => {
          const [left, lastStartsInMs] = scope === 'features' ? [0, 40_000] : [5, 0];
          return Promise.resolve({
            ...unknown,
            allowed,
            left,
            lastStartsInMs,
            refusal: undefined,
          });
        },
      },
      sandbox: { isRunning: false },
    });
    const connection = { id: 'one' } as Connection;
    const computePrice = async (query: ResolvedQuery) => pricing.computeTotalPrice([{ query, connection }]);
    const byDataset = [
      ['systemState', 1],
      ['gridStress', 1],
    ];
    assert.deepEqual(await computePrice(resolveJoinedQuery(world, '2026-11-20')), {
      requests: 2,
      now: 1,
      waitMs: 40_000,
      byDataset,
    });
    assert.deepEqual(await computePrice(world.query('2026-11-20')), { requests: 1, now: 1, waitMs: 0 });
  });
});
