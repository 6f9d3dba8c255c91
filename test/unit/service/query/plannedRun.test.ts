import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import { GridWorld, hour, listInstants } from '../gridWorld.ts';

const parseTime = (text: string): number => Date.parse(text);

describe('a planned run', () => {
  it('requests the same range once an hour, also in another window', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query('last 7 days');
    const first = await world.window().run(query, world.endpoint);
    assert.deepEqual(
      [first.provenance.requestsSpent, first.provenance.archivedIntervals, first.frame?.rowCount],
      [1, 0, 168],
    );
    world.now = parseTime('2026-11-21T08:59:59Z');
    const secondResult = await world.window().run(query, world.endpoint);
    assert.deepEqual(
      [secondResult.provenance.requestsSpent, secondResult.provenance.archivedIntervals, secondResult.frame?.rowCount],
      [0, 168, 168],
    );
    assert.deepEqual(listInstants(secondResult), listInstants(first));
  });

  it('requests exactly the hours due after the next publication', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('last 7 days'), world.endpoint);
    world.now = parseTime('2026-11-21T09:00:01Z');
    const result = await world.window().run(world.query('last 7 days'), world.endpoint);
    // Final hours had ended 48 h before they were requested at 08:05.
    assert.deepEqual(world.sentRequests[1], {
      dataset: 'systemState',
      start: parseTime('2026-11-19T08:00Z'),
      end: parseTime('2026-11-21T09:00Z'),
    });
    assert.deepEqual(world.sentRequests.length, 2);
    assert.equal(result.frame?.rowCount, 168);
    assert.equal(result.provenance.archivedIntervals, 168 - 49);
  });

  it('requests Monday and Tuesday when Wednesday to Sunday is archived', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('2026-11-04..2026-11-08'), world.endpoint);
    const week = await world.window().run(world.query('2026-11-02..2026-11-08'), world.endpoint);
    assert.deepEqual(world.sentRequests[1], {
      dataset: 'systemState',
      start: parseTime('2026-11-02T00:00Z'),
      end: parseTime('2026-11-04T00:00Z'),
    });
    assert.equal(week.frame?.rowCount, 7 * 24);
  });

  it('requests a year of hours once, and never again when final', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('2025'), world.endpoint);
    world.now += 1000 * hour;
    const result = await world.window().run(world.query('2025'), world.endpoint);
    assert.deepEqual(
      [world.sentRequests.length, result.provenance.requestsSpent, result.frame?.rowCount],
      [1, 0, 8760],
    );
  });

  it('does not request hours with empty responses or unpublished hours again until the next publication', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    for (const range of ['2099', '2026-11-21T08:00Z..2026-11-21T10:00Z']) {
      await world.window().run(world.query(range), world.endpoint);
      const secondResult = await world.window().run(world.query(range), world.endpoint);
      assert.equal(secondResult.provenance.requestsSpent, 0);
      assert.equal(secondResult.coverage?.notPublished, secondResult.coverage?.expected);
    }
    assert.equal(world.sentRequests.length, 2);
    world.now += hour;
    const laterResult = await world.window().run(world.query('2026-11-21T08:00Z..2026-11-21T10:00Z'), world.endpoint);
    assert.deepEqual(
      [laterResult.provenance.requestsSpent, laterResult.coverage?.present, laterResult.coverage?.notPublished],
      [1, 1, 1],
    );
  });

  it('sends one request for two windows that run the same query at once', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query('last 24 hours');
    const results = await Promise.all([1, 2, 3].map(() => world.window().run(query, world.endpoint)));
    assert.equal(world.sentRequests.length, 1);
    for (const result of results) assert.equal(result.frame?.rowCount, 24);
    assert.deepEqual(results.map(({ provenance }) => provenance.requestsSpent).sort(), [0, 0, 1]);
  });

  it('requests all hours with refresh always, and none with never', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query('2026-11-01');
    const none = await world.window().run(query, world.endpoint, { refresh: 'never' });
    assert.deepEqual(
      [world.sentRequests.length, none.frame?.rowCount, none.coverage?.notRequested, none.coverage?.missing],
      [0, 0, 24, 0],
    );
    await world.window().run(query, world.endpoint);
    world.now += 1000;
    const refreshedResult = await world.window().run(query, world.endpoint, { refresh: 'always' });
    assert.deepEqual(
      [
        world.sentRequests.length,
        refreshedResult.provenance.requestsSpent,
        refreshedResult.provenance.archivedIntervals,
      ],
      [2, 1, 0],
    );
    const archivedResult = await world.window().run(query, world.endpoint, { refresh: 'never' });
    assert.deepEqual([world.sentRequests.length, archivedResult.frame?.rowCount], [2, 24]);
  });

  it("follows the service's clock when the local one is wrong", async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.clockError = 30 * 24 * hour;
    const query = world.query('last 24 hours');
    // A single response may be wrong; two that agree are trusted.
    const first = world.window();
    await first.run(query, world.endpoint);
    world.now += 1000;
    await first.run(query, world.endpoint, { refresh: 'always' });
    assert.equal(world.sentRequests.length, 2);
    world.sentRequests.length = 1;
    const secondResult = await world.window().run(query, world.endpoint);
    assert.deepEqual(
      [world.sentRequests.length, secondResult.frame?.rowCount],
      [1, 24],
      'the next window also uses the stored offset',
    );
    world.now += hour;
    await world.window().run(query, world.endpoint);
    assert.equal(
      world.sentRequests.length,
      2,
      'recent hours are due after the next publication, regardless of the local clock',
    );
  });

  it('shortens a range that the service rejects as too long, continues, and remembers the length', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.beforeResponse = ({ start, end }) => {
      if (end - start > 744 * hour)
        throw new GridError('badRequest', {
          status: 400,
          detail: 'time range must not exceed 744 hours',
          requestsSpent: 1,
        });
    };
    const result = await world.window().run(world.query('2025'), world.endpoint);
    assert.equal(result.frame?.rowCount, 8760);
    assert.equal(world.sentRequests.length, 1 + Math.ceil(8760 / 744));
    assert.equal(result.provenance.requestsSpent, world.sentRequests.length);
    world.sentRequests.length = 0;
    await world.window().run(world.query('2024'), world.endpoint);
    assert.equal(world.sentRequests.length, Math.ceil(8784 / 744), 'the limit is not detected again');
  });

  it('halves a range if the service times out or responds with 413', async () => {
    for (const error of [
      new GridError('badRequest', { status: 413, requestsSpent: 1 }),
      new GridError('timeout', { requestsSpent: 1 }),
    ]) {
      const world = new GridWorld('2026-11-21T08:05Z');
      world.beforeResponse = ({ start, end }) => {
        if (end - start > 2200 * hour) throw error;
      };
      const result = await world.window().run(world.query('2025'), world.endpoint);
      assert.equal(result.frame?.rowCount, 8760, error.reason);
    }
  });

  it('gives up if the service times out on every request', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.beforeResponse = () => {
      throw new GridError('timeout', { requestsSpent: 1 });
    };
    await assert.rejects(world.window().run(world.query('2025'), world.endpoint), { reason: 'timeout' });
    assert.ok(world.sentRequests.length <= 6, `${world.sentRequests.length} requests`);
  });

  it('keeps received rows when a part fails, and requests only that part next time', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    const broken = parseTime('2026-10-11T00:00Z');
    world.beforeResponse = ({ start }) => {
      if (start === broken) throw new GridError('serverError', { status: 500, detail: 'boom', requestsSpent: 1 });
    };
    const query = world.query('2026-10');
    const result = await world.window().run(query, world.endpoint);
    assert.deepEqual([result.coverage?.present, result.coverage?.failed, result.coverage?.missing], [504, 240, 0]);
    assert.deepEqual(result.provenance.failure, {
      reason: 'serverError',
      detail: 'boom',
      status: 500,
      ranges: [[broken, broken + 240 * hour]],
    });
    world.beforeResponse = () => undefined;
    world.sentRequests.length = 0;
    const fullResult = await world.window().run(query, world.endpoint);
    assert.deepEqual(world.sentRequests, [{ dataset: 'systemState', start: broken, end: broken + 240 * hour }]);
    assert.deepEqual([fullResult.frame?.rowCount, fullResult.provenance.archivedIntervals], [744, 504]);
  });

  it('returns archived hours with their age when the service is unreachable', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('last 7 days'), world.endpoint);
    const fetched = world.now;
    world.now += 3 * hour;
    world.beforeResponse = () => {
      throw new GridError('unreachable', { requestsSpent: 0 });
    };
    const result = await world.window().run(world.query('last 7 days'), world.endpoint);
    assert.equal(result.coverage?.present, 165);
    assert.equal(result.coverage.failed, 3);
    assert.deepEqual([result.provenance.failure?.reason, result.provenance.oldestFetchedAt], ['unreachable', fetched]);
  });

  it('fails when nothing is archived', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.beforeResponse = () => {
      throw new GridError('keyRejected', { status: 401, detail: 'Invalid API key.', requestsSpent: 1 });
    };
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    await assert.rejects(world.window().run(world.query('2025'), world.endpoint), { reason: 'keyRejected' });
    assert.equal(world.sentRequests.length, 1, 'no further request is sent with a rejected key');
  });

  it('returns a result although nothing can be stored', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.archive.full = true;
    const result = await world.window().run(world.query('last 24 hours'), world.endpoint);
    assert.equal(result.frame?.rowCount, 24);
  });

  it('reports progress with the rows so far', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    const progressEvents: [number, number, number][] = [];
    const onProgress: RunHandlers['onProgress'] = (soFar, { done, total }) =>
      progressEvents.push([done, total, soFar.frame?.rowCount ?? 0]);
    await world.window().run(world.query('2026-09'), world.endpoint, { onProgress });
    assert.deepEqual(progressEvents, [
      [1, 3, 240],
      [2, 3, 480],
    ]);
  });

  it('stops when canceled, and keeps received rows', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
    const run = new AbortController();
    world.beforeResponse = () => {
      if (world.sentRequests.length === 2) {
        run.abort();
        throw new GridError('cancelled', { requestsSpent: 1 });
      }
    };
    const query = world.query('2026-09');
    await assert.rejects(world.window().run(query, world.endpoint, { signal: run.signal }), { reason: 'cancelled' });
    world.beforeResponse = () => undefined;
    const result = await world.window().run(query, world.endpoint);
    assert.deepEqual([result.provenance.archivedIntervals, result.provenance.requestsSpent], [240, 2]);
  });

  it('counts unpublished upstream hours as missing, and requests them when they appear', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const hole = parseTime('2026-11-20T05:00Z');
    world.holes.add(hole);
    const first = await world.window().run(world.query('last 7 days'), world.endpoint);
    assert.deepEqual([first.coverage?.missing, first.coverage?.missingRanges], [1, [[hole, hole + hour]]]);
    world.holes.clear();
    world.now += hour;
    const laterResult = await world.window().run(world.query('last 7 days'), world.endpoint);
    assert.equal(laterResult.coverage?.missing, 0);
  });
});
