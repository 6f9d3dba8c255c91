import assert from 'node:assert/strict';
import { calculateColumnEnergy } from '../../../../src/core/statistics/energy.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { createColumnMetadata } from '../../../../src/service/export/byteChunk.ts';
import type { Following } from '../../../support/followedRun.ts';
import { getCellState, type NumberColumn } from '../../../../src/shared/frame.ts';
import { partialDay, getDisplayStates, intervalState, type Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const at = (text: string): number => Date.parse(text);

function query({ now }: GridWorld, range: string, interval: string): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' }, now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

async function run(world: GridWorld, range: string, interval = '1d', options: Following = {}): Promise<Result> {
  const window = world.window();
  const result = await window.run(query(world, range, interval), world.endpoint, options);
  await window.engine.waitForWrites();
  return result;
}

function numberColumn({ frame }: Result, name: string): NumberColumn {
  const found = frame?.columns.find(column => column.name === name);
  return found?.kind === 'number' ? found : assert.fail(`no ${name}`);
}

/** The cells of a column; undefined for an empty one. */
function cells(result: Result, name: string): (number | undefined)[] {
  const column = numberColumn(result, name);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === 0 ? value : undefined));
}

describe("the service's own days", () => {
  it('say how many hours they have where the archive knows it, and nothing elsewhere', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    for (const text of ['2026-11-19T02:00Z', '2026-11-19T03:00Z']) world.holes.add(at(text));
    await run(world, '2026-11-18T12:00Z..2026-11-20', '1h');
    const result = await run(world, '2026-11-17..2026-11-21');
    assert.deepEqual(
      result.frame?.columns.slice(0, 3).map(({ name }) => name),
      ['ts', 'hours', 'of_hours'],
    );
    // Of the 18th the archive has half, which tells nothing; today began 14 hours ago.
    assert.deepEqual(cells(result, 'hours'), [undefined, undefined, 22, 24, 14]);
    assert.deepEqual(cells(result, 'of_hours'), [undefined, undefined, 24, 24, 24]);
    assert.ok(result.coverage);
    const { present } = intervalState;
    assert.deepEqual([...getDisplayStates(result.coverage)], [present, present, partialDay, present, partialDay]);
    assert.deepEqual([...(result.coverage.hours?.present ?? [])], [0, 0, 22, 24, 14]);
  });

  it('call a row a day, in files too', async () => {
    const result = await run(new GridWorld('2026-11-21T14:05Z'), '2026-11-18');
    const [time] = result.frame?.columns ?? [];
    assert.ok(time);
    assert.equal(createColumnMetadata(time)['label'], 'Day');
  });

  it('count the energy of the hours that they have, and of 24 where nothing is known', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    world.holes.add(at('2026-11-19T02:00Z'));
    await run(world, '2026-11-19', '1h');
    const result = await run(world, '2026-11-18..2026-11-21');
    const power = numberColumn(result, 'residual_demand_mw');
    const energy = calculateColumnEnergy(power, power.values.keys(), { sum: NaN, count: 4 }, 24 * hour);
    assert.equal(energy?.hours, 24 + 23 + 24 + 14);
  });

  it('count the hours that were over when an archived day was requested, not those that are by now', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    await run(world, '2026-11-20..2026-11-21');
    world.now += 48 * hour;
    const kept = await run(world, '2026-11-20..2026-11-21', '1d', { refresh: 'never' });
    assert.deepEqual(cells(kept, 'hours'), [undefined, 14]);
    await run(world, '2026-11-20..2026-11-21', '1h');
    const refreshed = await run(world, '2026-11-20..2026-11-21');
    assert.deepEqual(cells(refreshed, 'hours'), [24, 24]);
  });

  it('leave the hours of today open where the service says that its data is late', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    world.meta = { data_delay: true, last_available: '2026-11-21T09:00:00Z' };
    assert.deepEqual(cells(await run(world, '2026-11-21'), 'hours'), [undefined]);
    await run(world, '2026-11-21..', '1h');
    assert.deepEqual(cells(await run(world, '2026-11-21'), 'hours'), [14]);
  });

  it('have their hours in what is told on the way', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    await run(world, '2026-11-18..2026-11-19');
    const names: (string | undefined)[] = [];
    const onProgress = (soFar: Result): void => void names.push(soFar.frame?.columns[1]?.name);
    await run(world, '2026-11-18..2026-11-21', '1d', { onProgress });
    assert.deepEqual(names, ['hours']);
  });
});
