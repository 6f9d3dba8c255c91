import assert from 'node:assert/strict';
import { GridWorld } from '../gridWorld.ts';

describe('the number of archived intervals of a run', () => {
  it('counts only intervals with a row as archived', async () => {
    const world = new GridWorld('2026-11-21T08:05Z');
    for (const text of ['2026-05-03T02:00Z', '2026-05-20T10:00Z']) world.holes.add(Date.parse(text));
    await world.window().run(world.query('2026-05'), world.endpoint);
    world.now += 2_000;
    const { provenance, frame, coverage } = await world.window().run(world.query('2026-05'), world.endpoint);
    assert.deepEqual([provenance.requestsSpent, provenance.archivedIntervals, frame?.rowCount], [0, 742, 742]);
    // The coverage still distinguishes earlier requests from current ones.
    assert.deepEqual([coverage?.missing, coverage?.archived.reduce((sum, count) => sum + count, 0)], [2, 744]);
  });
});
