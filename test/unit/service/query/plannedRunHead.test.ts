import assert from 'node:assert/strict';
import { formatInstant } from '../../../../src/core/time/instant.ts';
import type { QueryEngineDeps } from '../../../../src/service/query/queryEngine.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour, instantsOf, MemoryArchive } from '../gridWorld.ts';
import { decode } from '../../../../src/core/decode/decode.ts';

const day = 24;

/** A window whose client tells the first three rows of what it is asked for. */
function setUp(shift = 0) {
  const world = new GridWorld('2026-11-21T08:05Z');
  const plain = world.window();
  const heads: Result[] = [];
  const offered: boolean[] = [];
  const fetcher: QueryEngineDeps['fetcher'] = {
    fetch: async (query, endpoint, options) => {
      offered.push(options?.onHead !== undefined);
      const records = [0, 1, 2].map(step => ({
        ts: formatInstant(query.start + (step + shift) * hour),
        residual_demand_mw: query.start / hour + step + shift,
      }));
      options?.onHead?.(records);
      const result = await plain.run({ ...query }, endpoint, { refresh: 'always' });
      const data = instantsOf(result).map(ts => ({ ts, residual_demand_mw: Date.parse(ts) / hour }));
      const now = world.now;
      const times = { answeredAt: now, sentAt: now, headAt: now };
      return { decoded: decode([{ data }]), bodies: [], traces: [], requestsSpent: 1, incomplete: false, ...times };
    },
  };
  const run = async (range: string, change: Partial<QueryEngineDeps> = {}) =>
    world
      .window({ fetcher, archive: new MemoryArchive(), ...change })
      .run(world.query(range), world.endpoint, { onHead: head => heads.push(head) });
  return { world, heads, offered, run };
}

describe('the first rows of a planned run', () => {
  it('reports first rows as the response begins, and nothing unknown', async () => {
    const { heads, run } = setUp();
    const whole = await run('2025-06-01..2025-06-02');
    assert.equal(whole.frame?.rowCount, 2 * day);
    const [head] = heads;
    assert.deepEqual([heads.length, head?.frame?.rowCount, head?.coverage, head?.bodies], [1, 3, undefined, []]);
    assert.deepEqual(head && instantsOf(head), instantsOf(whole).slice(0, 3));
    assert.deepEqual(head?.frame?.columns[1]?.field, whole.frame.columns[1]?.field);
    assert.deepEqual([head?.provenance.range, head?.provenance.requestsSpent], ['2025-06-01..2025-06-02', 0]);
  });

  it('reports no first rows outside the range', async () => {
    const { heads, run } = setUp(-1);
    await run('2025-06-01..2025-06-02');
    assert.deepEqual(heads, []);
  });

  it('requests first rows only for the first part of the range', async () => {
    const { offered, heads, run } = setUp();
    await run('2025-06-01..2025-06-04', {
      spans: { limitOf: () => 2 * day * hour, learn: () => Promise.resolve(), suspect: () => Promise.resolve() },
    });
    assert.deepEqual([offered, heads.length], [[true, false], 1]);
  });

  it('requests no first rows when the archive has rows already', async () => {
    const { world, offered, run } = setUp();
    await world.window().run(world.query('2025-06-02'), world.endpoint);
    await run('2025-06-01..2025-06-02', { archive: world.archive });
    assert.deepEqual(offered, [false]);
  });
});
