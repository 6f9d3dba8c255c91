import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import { GridWorld, hour } from '../gridWorld.ts';
import { decode } from '../../../../src/core/decode/decode.ts';

describe('failures of a planned run', () => {
  describe('with a failing service', () => {
    const createFailingWorld = (error: GridError): GridWorld => {
      const world = new GridWorld('2026-11-21T08:05Z');
      world.beforeResponse = () => {
        throw error;
      };
      return world;
    };

    it('does not treat every error with a number of days as a limit', async () => {
      const detail = 'start must be at most 60 days ago';
      const world = createFailingWorld(new GridError('badRequest', { status: 400, detail, requestsSpent: 1 }));
      await assert.rejects(world.window().run(world.query('2024'), world.endpoint), { reason: 'badRequest' });
      assert.ok(world.sentRequests.length <= 5, `${world.sentRequests.length} requests`);
      assert.equal(world.knownLimits.size, 0, 'a limit that never worked is not stored');
    });

    it('detects no limit from a network that stalls', async () => {
      const world = new GridWorld('2026-11-21T08:05Z');
      world.beforeResponse = () => {
        if (world.sentRequests.length < 3) throw new GridError('timeout', { requestsSpent: 1 });
      };
      await world.window().run(world.query('2026-10'), world.endpoint);
      assert.equal(world.knownLimits.size, 0);
    });

    it('stops sending requests if the service is down, or rejects the query', async () => {
      for (const [error, maxRequests] of [
        [new GridError('serverError', { status: 500, requestsSpent: 1 }), 2],
        [new GridError('badRequest', { status: 400, detail: 'unknown parameter', requestsSpent: 1 }), 1],
      ] as const) {
        const world = createFailingWorld(error);
        world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 240 * hour);
        await assert.rejects(world.window().run(world.query('2025'), world.endpoint), { reason: error.reason });
        assert.equal(world.sentRequests.length, maxRequests);
      }
    });
  });

  it('reports a rejected key, regardless of earlier failures', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('2025-01'), world.endpoint);
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 744 * hour);
    world.beforeResponse = () => {
      throw new GridError(world.sentRequests.length === 2 ? 'serverError' : 'keyRejected', { requestsSpent: 1 });
    };
    const result = await world.window().run(world.query('2025'), world.endpoint);
    assert.deepEqual([result.provenance.failure?.reason, world.sentRequests.length], ['keyRejected', 3]);
  });

  it('returns the result of a request even if the disk cannot be written', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.clockError = hour;
    world.state.update = async () => Promise.reject(new Error('no space left'));
    const result = await world.window().run(world.query('2026-11-01'), world.endpoint);
    assert.equal(result.frame?.rowCount, 24);
    assert.equal(
      (await world.window().run(world.query('2026-11-01'), world.endpoint)).provenance.archivedIntervals,
      24,
    );
  });

  it('reports the cost of a response without a table with the parts before it', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 744 * hour);
    let sentCount = 0;
    const fetch = async () => {
      const times = { respondedAt: world.now, sentAt: world.now, headAt: world.now };
      const values = [++sentCount < 3 ? { data: [] } : 'maintenance'];
      return Promise.resolve({
        decoded: decode(values),
        bodies: [],
        traces: [],
        requestsSpent: 1,
        ...times,
        incomplete: false,
      });
    };
    const result = await world.window({ fetcher: { fetch } }).run(world.query('2099'), world.endpoint);
    assert.deepEqual([result.frame, result.provenance.requestsSpent, sentCount], [undefined, 3, 3]);
  });

  it('reports the requests that were sent before another window fetched the hours', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    const fetch = async () => Promise.resolve({ unneeded: true, requestsSpent: 2 } as const);
    const result = await world.window({ fetcher: { fetch } }).run(world.query('2026-11-01'), world.endpoint);
    assert.equal(result.provenance.requestsSpent, 2);
  });

  it('returns the table so far when a later part is not a table', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    await world.window().run(world.query('2026-11-01..2026-11-05'), world.endpoint);
    const maintenance = world.window({
      fetcher: {
        fetch: async () =>
          Promise.resolve({
            decoded: decode(['maintenance']),
            bodies: [],
            traces: [],
            requestsSpent: 1,
            respondedAt: world.now,
            sentAt: world.now,
            headAt: world.now,
            incomplete: false,
          }),
      },
    });
    const result = await maintenance.run(world.query('2026-11-01..2026-11-06'), world.endpoint);
    assert.deepEqual([result.frame?.rowCount, result.coverage?.failed], [120, 24]);
    assert.deepEqual([result.provenance.failure?.reason, result.provenance.requestsSpent], ['damagedResponse', 1]);
  });

  it('confirms no plan once canceled', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    world.knownLimits.set(JSON.stringify(['world', 'systemState', '1h', []]), 744 * hour);
    const run = new AbortController();
    let promptCount = 0;
    const archive = world.archive;
    const read = archive.read.bind(archive);
    archive.read = async (...args) => {
      run.abort();
      return read(...args);
    };
    const options: RunHandlers = { signal: run.signal, onPlan: async () => Promise.resolve(++promptCount > 0) };
    await assert.rejects(world.window().run(world.query('2025'), world.endpoint, options), { reason: 'cancelled' });
    assert.deepEqual([promptCount, world.sentRequests.length], [0, 0]);
  });
});
