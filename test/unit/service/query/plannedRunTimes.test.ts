import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/core/decode/envelope.ts';
import { FileArchive } from '../../../../src/service/archive/fileArchive.ts';
import type { FetchedResponse } from '../../../../src/service/client/responseFetcher.ts';
import type { ResolvedQuery } from '../../../../src/core/query/query.ts';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { EndpointRunner } from '../../../support/followRun.ts';
import { GridWorld, hour, enterGate } from '../gridWorld.ts';
import { realClock } from '../../../support/realClock.ts';
import { createTemporaryFolder } from '../../../support/temporaryFolder.ts';
import { decode } from '../../../../src/core/decode/decode.ts';

/** Creates a service with a Date in whole seconds, whose response begins and ends after the given delays. */
function createTimedWorld(
  now: string,
  headMs: number,
  bodyMs: number,
): { world: GridWorld; open: () => EndpointRunner } {
  const world = new GridWorld(now);
  const createResponse = (query: ResolvedQuery): FetchedResponse => {
    const sentAt = world.now;
    const headAt = sentAt + headMs;
    world.sentRequests.push({ dataset: query.dataset.id, start: query.start, end: query.end });
    world.now = headAt + bodyMs;
    const values = [{ data: [{ ts: formatInstant(query.start), residual_demand_mw: 1 }] }];
    const respondedAt = Math.floor(headAt / 1000) * 1000;
    return {
      decoded: decode(values),
      bodies: [],
      traces: [],
      requestsSpent: 1,
      respondedAt,
      sentAt,
      headAt,
      incomplete: false,
    };
  };
  const fetch = async (query: ResolvedQuery, _: unknown, options = {}) =>
    (await enterGate(options)) ? createResponse(query) : ({ unneeded: true, requestsSpent: 0 } as const);
  return { world, open: () => world.window({ fetcher: { fetch } }) };
}

describe('the request time of hours', () => {
  for (const [description, now, headMs, bodyMs] of [
    ['a download that takes longer than the hour is old', '2026-11-21T09:00:10Z', 200, 15_000],
    ['a query right after the publication', '2026-11-21T09:00:00.300Z', 200, 200],
  ] as const)
    it(`counts hours as requested after the publication: ${description}`, async () => {
      const { world, open } = createTimedWorld(now, headMs, bodyMs);
      await open().run(world.query('2026-11-20'), world.endpoint);
      world.now += 60_000;
      await open().run(world.query('2026-11-20'), world.endpoint);
      assert.equal(world.sentRequests.length, 1);
    });

  it('counts hours as requested before a publication that occurs during the request', async () => {
    const { world, open } = createTimedWorld('2026-11-21T08:59:59.500Z', 1_000, 0);
    await open().run(world.query('2026-11-20'), world.endpoint);
    await open().run(world.query('2026-11-20'), world.endpoint);
    assert.equal(world.sentRequests.length, 2);
  });

  it('counts from the start of the run: two simultaneous refreshes share one request, a later one sends its own', async () => {
    const { world, open } = createTimedWorld('2026-11-21T08:05:00.700Z', 20, 20);
    const query = world.query('2026-11-20');
    const refresh = async () => open().run(query, world.endpoint, { refresh: 'always' });
    await Promise.all([refresh(), refresh()]);
    assert.equal(world.sentRequests.length, 1);
    world.now += 1_000;
    await refresh();
    assert.equal(world.sentRequests.length, 2);
  });
});

describe("the service's notes on its data", () => {
  it('returns the latest notes, also those another window received', async () => {
    const folder = createTemporaryFolder();
    const world = new GridWorld('2026-11-21T08:05Z');
    const query = world.query('2026-11-20..2026-11-21T08:00Z');
    const clock = { now: () => world.now, sleep: async (ms: number) => realClock.sleep(ms) };
    let meta: JsonObject = { data_delay: true, last_available: '2026-11-21T01:00:00Z' };
    let open: () => void = () => undefined;
    let gate = Promise.resolve();
    const fetch = async (resolvedQuery: ResolvedQuery, _: unknown, options = {}) => {
      if (!(await enterGate(options))) return { unneeded: true, requestsSpent: 0 } as const;
      await gate;
      const values = [{ meta, data: [{ ts: formatInstant(resolvedQuery.start), residual_demand_mw: 1 }] }];
      const times = { respondedAt: world.now, sentAt: world.now, headAt: world.now };
      return { decoded: decode(values), bodies: [], traces: [], requestsSpent: 1, ...times, incomplete: false };
    };
    const start = () => {
      const archive = new FileArchive({ folder, clock, logger: { warn: () => undefined }, maxBytes: () => 1e9 });
      let archiveRead: () => void = () => undefined;
      const hasRead = new Promise<void>(resolve => (archiveRead = resolve));
      const read = async (...args: Parameters<FileArchive['read']>) => archive.read(...args).finally(archiveRead);
      const merge = archive.merge.bind(archive);
      const result = world.window({ archive: { read, merge }, fetcher: { fetch } }).run(query, world.endpoint);
      return { result, hasRead };
    };
    assert.deepEqual((await start().result).coverage?.late, 6);
    world.now += hour;
    meta = { data_delay: false };
    gate = new Promise<void>(resolve => (open = resolve));
    const runs = [start(), start()];
    // This was archived an hour ago.
    await Promise.all(runs.map(({ hasRead }) => hasRead));
    open();
    const results = await Promise.all(runs.map(({ result }) => result));
    assert.deepEqual(results.map(({ provenance }) => provenance.requestsSpent).sort(), [0, 1]);
    for (const { provenance, coverage } of results) assert.deepEqual([provenance.meta, coverage?.late], [{ meta }, 0]);
  });
});
