import assert from 'node:assert/strict';
import { calculateColumnEnergy } from '../../../../src/core/statistics/energy.ts';
import { resolveQuery, type ResolvedQuery } from '../../../../src/core/query/query.ts';
import { createColumnMetadata } from '../../../../src/service/export/byteChunk.ts';
import type { RunHandlers } from '../../../support/followRun.ts';
import { getCellState, type NumberColumn } from '../../../../src/shared/frame.ts';
import { partialDay, getDisplayStates, intervalState, type Result } from '../../../../src/shared/result.ts';
import { GridWorld, hour } from '../gridWorld.ts';

const parseTime = (text: string): number => Date.parse(text);

function query({ now }: GridWorld, range: string, interval: string): ResolvedQuery {
  const resolved = resolveQuery({ dataset: 'systemState', range, interval, params: {}, timeZone: 'UTC' }, now);
  return resolved.ok ? resolved.value : assert.fail(resolved.problem);
}

async function run(world: GridWorld, range: string, interval = '1d', options: RunHandlers = {}): Promise<Result> {
  const window = world.window();
  const result = await window.run(query(world, range, interval), world.endpoint, options);
  await window.engine.waitForWrites();
  return result;
}

function findNumberColumn({ frame }: Result, name: string): NumberColumn {
  const match = frame?.columns.find(column => column.name === name);
  return match?.kind === 'number' ? match : assert.fail(`no ${name}`);
}

/** Lists the cells of a column; undefined for an empty one. */
function readCells(result: Result, name: string): (number | undefined)[] {
  const column = findNumberColumn(result, name);
  return Array.from(column.values, (value, row) => (getCellState(column, row) === 0 ? value : undefined));
}

describe('days of the service', () => {
  it('counts the hours of a day if the archive has these hours', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    for (const text of ['2026-11-19T02:00Z', '2026-11-19T03:00Z']) world.holes.add(parseTime(text));
    await run(world, '2026-11-18T12:00Z..2026-11-20', '1h');
    const result = await run(world, '2026-11-17..2026-11-21');
    assert.deepEqual(
      result.frame?.columns.slice(0, 3).map(({ name }) => name),
      ['ts', 'hours', 'of_hours'],
    );
    // The archive has half of the 18th, which is not enough; today began 14 hours ago.
    assert.deepEqual(readCells(result, 'hours'), [undefined, undefined, 22, 24, 14]);
    assert.deepEqual(readCells(result, 'of_hours'), [undefined, undefined, 24, 24, 24]);
    assert.ok(result.coverage);
    const { present } = intervalState;
    assert.deepEqual([...getDisplayStates(result.coverage)], [present, present, partialDay, present, partialDay]);
    assert.deepEqual([...(result.coverage.hours?.present ?? [])], [0, 0, 22, 24, 14]);
  });

  it('labels days as days, also in exported files', async () => {
    const result = await run(new GridWorld('2026-11-21T14:05Z'), '2026-11-18');
    const [time] = result.frame?.columns ?? [];
    assert.ok(time);
    assert.equal(createColumnMetadata(time)['label'], 'Day');
  });

  it('computes the energy of a day from its known hours, or from 24 hours if they are unknown', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    world.holes.add(parseTime('2026-11-19T02:00Z'));
    await run(world, '2026-11-19', '1h');
    const result = await run(world, '2026-11-18..2026-11-21');
    const power = findNumberColumn(result, 'residual_demand_mw');
    const energy = calculateColumnEnergy(power, power.values.keys(), { sum: NaN, count: 4 }, 24 * hour);
    assert.equal(energy?.hours, 24 + 23 + 24 + 14);
  });

  it('counts the hours that had ended when an archived day was requested, not hours that ended later', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    await run(world, '2026-11-20..2026-11-21');
    world.now += 48 * hour;
    const archivedResult = await run(world, '2026-11-20..2026-11-21', '1d', { refresh: 'never' });
    assert.deepEqual(readCells(archivedResult, 'hours'), [undefined, 14]);
    await run(world, '2026-11-20..2026-11-21', '1h');
    const refreshed = await run(world, '2026-11-20..2026-11-21');
    assert.deepEqual(readCells(refreshed, 'hours'), [24, 24]);
  });

  it('leaves the hours of today open if the service reports that its data is delayed', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    world.meta = { data_delay: true, last_available: '2026-11-21T09:00:00Z' };
    assert.deepEqual(readCells(await run(world, '2026-11-21'), 'hours'), [undefined]);
    await run(world, '2026-11-21..', '1h');
    assert.deepEqual(readCells(await run(world, '2026-11-21'), 'hours'), [14]);
  });

  it('includes the hours of each day in progress events', async () => {
    const world = new GridWorld('2026-11-21T14:05Z');
    await run(world, '2026-11-18..2026-11-19');
    const names: (string | undefined)[] = [];
    const onProgress = (soFar: Result): void => void names.push(soFar.frame?.columns[1]?.name);
    await run(world, '2026-11-18..2026-11-21', '1d', { onProgress });
    assert.deepEqual(names, ['hours']);
  });
});
