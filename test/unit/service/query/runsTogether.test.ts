import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recordsToFrame } from '../../../../src/core/decode/decode.ts';
import { GridError } from '../../../../src/core/errors.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { ServiceQuery } from '../../../../src/core/query/query.ts';
import { RunGroup } from '../../../../src/service/query/runGroup.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour, listInstants } from '../gridWorld.ts';
import { scaleRunCount } from '../../../support/runCount.ts';

const now = '2026-11-21T08:05Z';
const series = JSON.stringify(['world', 'systemState', '1h', []]);
/** The hours of the model: the first are final, and the last have not ended yet. */
const hours = 60;
const first = Date.parse('2026-11-19T00:00Z');

/** When an archived hour was requested: after it was final, in an earlier hour, in the current hour, or never. */
const requestTimes = { never: 0, settled: '2026-11-21T07:30Z', before: '2026-11-21T05:00Z', now: '2026-11-21T08:01Z' };

interface Scenario {
  readonly ranges: readonly (readonly [start: number, length: number])[];
  readonly archivedHours: readonly (keyof typeof requestTimes)[];
  readonly maxSteps: number;
  /** Whether the archive stores nothing new. */
  readonly full: boolean;
  /** The number of event loop turns that each response takes. */
  readonly turns: readonly number[];
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  ranges: fc.array(fc.tuple(fc.nat(hours - 1), fc.integer({ min: 1, max: 25 })), { minLength: 1, maxLength: 5 }),
  archivedHours: fc.array(fc.constantFrom('never', 'settled', 'before', 'now'), { minLength: hours, maxLength: hours }),
  maxSteps: fc.integer({ min: 1, max: 30 }),
  full: fc.boolean(),
  turns: fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
});

describe('queries that run together', () => {
  it('spends the minimum number of requests for the missing hours of all queries, as predicted', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async scenario => {
        const world = await createWorld(scenario);
        const queries = scenario.ranges.map(range => createQuery(world, range));
        const due = listDueHours(world, queries, scenario.archivedHours);
        const predicted = await computePrice(world, queries);
        const results = await runAll(world, queries);
        const minRequests = countWindows(due, scenario.maxSteps);
        assert.deepEqual(
          [predicted, world.sentRequests.length],
          [minRequests, minRequests],
          'the price equals the number of requests',
        );
        assert.equal(sumRequests(results), minRequests);
        for (const { start, end } of world.sentRequests)
          assert.ok(end - start <= scenario.maxSteps * hour, 'no request exceeds the maximum range');
        for (const [index, query] of queries.entries()) assertWhole(results[index], query, world);
      }),
      { numRuns: scaleRunCount(200) },
    );
  });

  it('sends one request for overlapping ranges that are partly archived', async () => {
    const world = new GridWorld(now);
    await world.window().run(world.query('2026-11-12'), world.endpoint);
    const queries = ['2026-11-11..2026-11-14', '2026-11-13..2026-11-16'].map(range => world.query(range));
    world.sentRequests.length = 0;
    const [one, other] = await runAll(world, queries);
    assert.deepEqual(world.sentRequests, [
      { dataset: 'systemState', start: Date.parse('2026-11-11'), end: Date.parse('2026-11-17') },
    ]);
    assert.deepEqual([one?.frame?.rowCount, other?.frame?.rowCount], [96, 96]);
    assert.deepEqual([one?.provenance.rowsOutside, other?.provenance.rowsOutside], [0, 0]);
  });

  it("detects the service's limit once, and plans the other requests by it", async () => {
    const world = new GridWorld(now);
    const maxHours = 31 * 24;
    world.beforeResponse = ({ start, end }) => {
      if (end - start <= maxHours * hour) return;
      throw new GridError('badRequest', { status: 400, detail: 'Maximum range is 31 days', requestsSpent: 1 });
    };
    const queries = ['2026-02-10..2026-04-20', '2026-01', '2026-03-20..2026-05-19'].map(range => world.query(range));
    const results = await runAll(world, queries);
    for (const [index, query] of queries.entries()) assertWhole(results[index], query, world);
    // The ranges are January and, after a gap, 99 days.
    assert.deepEqual([world.sentRequests.length, sumRequests(results)], [1 + 1 + 4, 1 + 1 + 4]);
  });

  it('requests another dataset, interval or parameters separately', async () => {
    const world = new GridWorld(now);
    const query = world.query('2026-11-12');
    const otherQueries = [
      world.query('2026-11-13', 'gridStress'),
      { ...world.query('2026-11-13'), params: { area: '1' } },
      { ...world.query('2026-11-13'), interval: '1d', intervalMs: 24 * hour },
    ];
    assert.equal(await computePrice(world, [query, ...otherQueries]), 4);
    await runAll(world, [query, ...otherQueries]);
    assert.equal(world.sentRequests.length, 4);
    assert.ok(world.sentRequests.every(({ start, end }) => end - start === 24 * hour));
  });
});

/** Creates a world whose service accepts at most `maxSteps` hours, with the archive of the scenario. */
async function createWorld({ archivedHours, maxSteps, full, turns }: Scenario): Promise<GridWorld> {
  const world = new GridWorld(now);
  world.knownLimits.set(series, maxSteps * hour);
  for (const [index, when] of archivedHours.entries()) {
    if (when === 'never') continue;
    const start = first + index * hour;
    const row = { ts: formatInstant(start), residual_demand_mw: start / hour };
    const frame = recordsToFrame(start + hour <= Date.parse(requestTimes[when]) ? [row] : []);
    const key = { source: 'world', dataset: 'systemState', interval: '1h', params: {} };
    const response = { frame, requestedAt: Date.parse(requestTimes[when]), meta: {} };
    await world.archive.merge(key, hour, { start, end: start + hour }, response);
  }
  world.archive.full = full;
  let responseCount = 0;
  world.beforeResponse = async () => {
    for (let turn = turns[responseCount++ % turns.length] ?? 0; turn > 0; turn--)
      await new Promise(resolve => setImmediate(resolve));
  };
  return world;
}

function createQuery(world: GridWorld, [start, length]: Scenario['ranges'][number]): ServiceQuery {
  const end = first + Math.min(start + length, hours) * hour;
  return { ...world.query('today'), start: first + start * hour, end };
}

async function runAll(world: GridWorld, queries: readonly ServiceQuery[]): Promise<Result[]> {
  const runner = world.window();
  const group = new RunGroup(queries);
  return Promise.all(queries.map(async query => runner.run(query, world.endpoint, { group })));
}

async function computePrice(world: GridWorld, queries: readonly ServiceQuery[]): Promise<number> {
  const runner = world.window();
  const together = new RunGroup(queries);
  const parts = await Promise.all(queries.map(async query => runner.engine.planParts(query, world.endpoint, together)));
  return new Set(parts.flat()).size;
}

/** Lists the hours that any of the queries has to request, computed independently of the planner. */
function listDueHours(
  world: GridWorld,
  queries: readonly ServiceQuery[],
  archivedHours: Scenario['archivedHours'],
): number[] {
  return archivedHours.flatMap((when, index) => {
    const start = first + index * hour;
    const isRequested = queries.some(query => query.start <= start && start < query.end);
    const requestedAt = Date.parse(when === 'never' ? '1970-01-01' : requestTimes[when]);
    const isFinal = requestedAt - (start + hour) >= 48 * hour;
    const isNew = new Date(requestedAt).toISOString().slice(0, 13) === new Date(world.now).toISOString().slice(0, 13);
    return isRequested && !isFinal && !isNew ? [index] : [];
  });
}

/** Counts the windows of this many hours that are needed to cover all hours, by trying each size of the first window. */
function countWindows(due: readonly number[], maxSteps: number): number {
  const best = new Array<number>(due.length + 1).fill(0);
  for (let from = due.length - 1; from >= 0; from--) {
    const reached = due.flatMap((interval, index) =>
      index >= from && interval - (due[from] ?? 0) < maxSteps ? [index] : [],
    );
    best[from] = 1 + Math.min(...reached.map(last => best[last + 1] ?? NaN));
  }
  return best[0] ?? 0;
}

function sumRequests(results: readonly Result[]): number {
  return results.reduce((sum, { provenance }) => sum + provenance.requestsSpent, 0);
}

/** Asserts that the result has all published hours of its range and no others, and that none failed or was not requested. */
function assertWhole(result: Result | undefined, { start, end }: ServiceQuery, world: GridWorld): void {
  const published: string[] = [];
  const last = Math.floor(world.now / hour) * hour;
  for (let ms = start; ms < Math.min(end, last); ms += hour) published.push(formatInstant(ms));
  assert.deepEqual(result && listInstants(result), published);
  const { failed, notRequested } = result?.coverage ?? {};
  assert.deepEqual([failed, notRequested, result?.provenance.rowsOutside], [0, 0, 0]);
}
