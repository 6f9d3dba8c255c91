import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const parseTime = (text: string): number => Date.parse(text);
const series = JSON.stringify(['world', 'systemState', '1h', []]);

/** Creates a world with an archived month in which three hours in two ranges are missing and final. */
async function createMonthWithHoles(): Promise<{
  world: GridWorld;
  fetchMissing: (range?: string, options?: RunHandlers) => Promise<Result>;
}> {
  const world = new GridWorld('2026-11-21T08:05Z');
  for (const text of ['2026-05-03T02:00Z', '2026-05-03T03:00Z', '2026-05-20T10:00Z']) world.holes.add(parseTime(text));
  const fetchMissing = async (range = '2026-05', options: RunHandlers = {}): Promise<Result> =>
    world.window().run(world.query(range), world.endpoint, { refresh: 'missing', ...options });
  await world.window().run(world.query('2026-05'), world.endpoint);
  world.sentRequests.length = 0;
  // Runs that start within one second share their responses.
  world.now += 2_000;
  return { world, fetchMissing };
}

describe('fetching missing hours', () => {
  it('fetches missing hours with one request if possible', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    world.holes.clear();
    const { coverage, provenance, frame } = await fetchMissing();
    assert.deepEqual(
      world.sentRequests.map(({ start, end }) => [start, end]),
      [[parseTime('2026-05-03T02:00Z'), parseTime('2026-05-20T11:00Z')]],
    );
    assert.deepEqual([coverage?.missing, frame?.rowCount, provenance.requestsSpent], [0, 744, 1]);
  });

  it('requests distant missing hours separately', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    world.knownLimits.set(series, 7 * 24 * hour);
    world.holes.delete(parseTime('2026-05-20T10:00Z'));
    const { coverage } = await fetchMissing();
    assert.deepEqual(
      world.sentRequests.map(({ start, end }) => [start, end]),
      [
        [parseTime('2026-05-03T02:00Z'), parseTime('2026-05-03T04:00Z')],
        [parseTime('2026-05-20T10:00Z'), parseTime('2026-05-20T11:00Z')],
      ],
    );
    assert.equal(coverage?.missing, 2);
  });

  it('requests missing hours on every command, although no hours are due within the hour', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    for (const times of [1, 2, 3]) {
      await fetchMissing();
      assert.equal(world.sentRequests.length, times);
      world.now += 2_000;
    }
  });

  it('sends no request if no hours are missing', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    world.holes.clear();
    await fetchMissing();
    world.now += 2_000;
    const { provenance } = await fetchMissing();
    assert.deepEqual([world.sentRequests.length, provenance.requestsSpent], [1, 0]);
  });

  it('requests hours that were never requested, but not those present', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    const { frame } = await fetchMissing('2026-05-30..2026-06-02');
    assert.deepEqual(
      world.sentRequests.map(({ start, end }) => [start, end]),
      [[parseTime('2026-06-01'), parseTime('2026-06-03')]],
    );
    assert.equal(frame?.rowCount, 96);
  });

  it('skips unfinished hours, requested before or not', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    await world.window().run(world.query('2026-11-20..2026-11-21T08:00Z'), world.endpoint);
    world.sentRequests.length = 0;
    const { coverage } = await fetchMissing('2026-11-20..2026-11-21');
    assert.deepEqual([world.sentRequests.length, coverage?.notPublished], [0, 16]);
    world.now += hour;
    await fetchMissing('2026-11-20..2026-11-21');
    assert.deepEqual(
      world.sentRequests.map(({ start, end }) => [start, end]),
      [[parseTime('2026-11-21T08:00Z'), parseTime('2026-11-21T09:00Z')]],
    );
  });

  it('shares one request with another window at the same moment', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    const results = await Promise.all([fetchMissing(), fetchMissing()]);
    assert.equal(world.sentRequests.length, 1);
    assert.deepEqual(results.map(({ provenance }) => provenance.requestsSpent).sort(), [0, 1]);
  });

  it('reports failures, keeps the other rows, and tries again on request', async () => {
    const { world, fetchMissing } = await createMonthWithHoles();
    world.beforeResponse = () => {
      throw new GridError('serverError', { status: 500 });
    };
    const { coverage, frame } = await fetchMissing();
    assert.deepEqual([coverage?.failed, frame?.rowCount], [3, 741]);
    world.beforeResponse = () => undefined;
    world.holes.clear();
    assert.equal((await fetchMissing()).coverage?.missing, 0);
  });
});
