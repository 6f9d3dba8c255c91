import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import { intervalState } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../gridWorld.ts';

/** Creates a service that rejects requests for more than `maxHours` with `detail` as the error message. */
function createStrictService(maxHours: number, detail: (hours: number) => string, status = 400): GridWorld {
  const world = new GridWorld('2026-11-21T08:05Z');
  world.beforeResponse = ({ start, end }) => {
    const hours = (end - start) / hour;
    if (hours > maxHours) throw new GridError('badRequest', { status, detail: detail(hours), requestsSpent: 1 });
  };
  return world;
}

describe('PlannedRun with a range that is too long for the service', () => {
  for (const [response, range, maxHours, detail, status, maxRequests] of [
    ['gives no reason', '2025', 744, () => '', 413, 4 + 16],
    ['gives no number', '2016-01-01..2025-12-31', 8784, () => 'Date range too long', 400, 4 + 16],
    ['gives the maximum in months', '2025', 744, () => 'Maximum range is 1 month', 400, 1 + 14],
    [
      'also gives the requested length',
      '2025',
      744,
      h => `Range of ${h / 24} days exceeds the 31 days allowed`,
      400,
      1 + 12,
    ],
    [
      'gives the maximum in hours',
      '2025',
      744,
      h => `Range spans ${h} hours, at most 744 hours are allowed`,
      400,
      1 + 12,
    ],
    ['also gives the interval', '2025', 744, () => 'Range too long: data of 1 hour, at most 31 days', 400, 1 + 12],
    ['gives a maximum that is too long', '2025', 400, () => 'Range too long: at most 31 days', 400, 1 + 1 + 24],
  ] as const satisfies readonly (readonly [string, string, number, (hours: number) => string, number, number])[])
    it(`splits the range when the service ${response}, and remembers the maximum`, async () => {
      const world = createStrictService(maxHours, detail, status);
      const { frame, coverage, provenance } = await world.window().run(world.query(range), world.endpoint);
      assert.deepEqual([frame?.rowCount, provenance.failure], [coverage?.expected, undefined]);
      assert.ok(world.sentRequests.length <= maxRequests, `${world.sentRequests.length} requests`);
      world.sentRequests.length = 0;
      await world.window().run(world.query('2015'), world.endpoint);
      assert.ok(world.sentRequests.every(({ start, end }) => end - start <= maxHours * hour));
    });

  it('gives up after nine requests if no range is short enough, and starts with shorter requests next time', async () => {
    const world = createStrictService(0, () => '', 413);
    await assert.rejects(world.window().run(world.query('2016-01-01..2025-12-31'), world.endpoint));
    assert.equal(world.sentRequests.length, 9);
    const last = world.sentRequests.at(-1) ?? assert.fail();
    const shortest = last.end - last.start;
    world.sentRequests.length = 0;
    await assert.rejects(world.window().run(world.query('2016-01-01..2025-12-31'), world.endpoint));
    assert.ok(world.sentRequests.every(({ start, end }) => end - start < shortest));
    assert.ok(world.sentRequests.length < 5 && world.knownLimits.size === 0);
  });

  it('remembers the detected maximum range if the run is canceled', async () => {
    const world = createStrictService(744, () => '', 413);
    const run = new AbortController();
    const rejectLongRange = world.beforeResponse;
    world.beforeResponse = query => {
      if (world.sentRequests.length === 3) run.abort();
      return rejectLongRange(query);
    };
    const error = await world
      .window()
      .run(world.query('2025'), world.endpoint, { signal: run.signal })
      .catch((error: unknown) => error as GridError);
    assert.ok(error instanceof GridError);
    assert.deepEqual([error.reason, error.facts.requestsSpent], ['cancelled', 3], 'the three sent requests count');
    world.sentRequests.length = 0;
    world.beforeResponse = rejectLongRange;
    await world.window().run(world.query('2025'), world.endpoint);
    const [first] = world.sentRequests;
    assert.equal(first && (first.end - first.start) / hour, 2190);
  });

  it('stops when the columns of the responses no longer fit into a table, and returns the rows so far', async () => {
    const world = createStrictService(744, () => 'Maximum range is 1 month');
    let responseCount = 0;
    world.extraFields = () => {
      responseCount++;
      return Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field_${responseCount}_${index}`, index]));
    };
    const { frame, coverage, provenance } = await world.window().run(world.query('2025'), world.endpoint);
    assert.ok(responseCount <= 4, 'no more requests are sent when the table is full');
    assert.ok(coverage);
    assert.equal(frame?.columns.length, 2 + 2 * 900);
    const rowCount = frame.rowCount;
    assert.ok(rowCount > 0 && rowCount <= 2 * 744);
    assert.equal(coverage.states.filter(state => state === intervalState.failed).length, coverage.expected - rowCount);
    assert.deepEqual(
      [provenance.failure?.reason, provenance.failure?.detail],
      ['damagedResponse', 'the response is too large for a table'],
    );
  });

  it('does not detect a maximum range if another window fetched one half of the range and the other half fails', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.beforeResponse = async ({ start, end }) => {
      if (world.sentRequests.length === 2) return;
      if (world.sentRequests.length > 2) throw new GridError('serverError', { status: 500, requestsSpent: 1 });
      const half = world.query('2025-01-01..2025-07-02');
      assert.ok(start === half.start && end > half.end);
      await world
        .window({ lock: { acquire: async () => Promise.resolve(async () => Promise.resolve()), ...free } })
        .run(half, world.endpoint);
      throw new GridError('badRequest', { status: 413, requestsSpent: 1 });
    };
    const result = await world.window().run(world.query('2025'), world.endpoint);
    assert.equal(result.provenance.failure?.reason, 'serverError');
    assert.ok((result.frame?.rowCount ?? 0) > 4000);
    assert.equal(world.knownLimits.size, 0);
  });
});

const free = { isHeldElsewhere: async () => Promise.resolve(false), readVersion: async () => Promise.resolve('') };
