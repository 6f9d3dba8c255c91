import type { QueryRunner } from '../../src/service/queryRunner.ts';
import { monthOfUse } from '../support/monthOfUse.ts';
import { GridWorld } from '../unit/service/gridWorld.ts';
import type { Bench } from './bench.ts';

/** A month of a person's use, replayed: what the archive and the plan save against asking each time. */
export const bench: Bench = async () => {
  const world = new GridWorld('2026-11-01T00:00Z');
  const script = monthOfUse(world.now);
  const windows = new Map<number, QueryRunner>();
  let spent = 0;
  for (const { at, window, restart, dataset, range } of script) {
    world.now = at;
    if (restart) windows.clear();
    const runner = windows.get(window) ?? world.window();
    windows.set(window, runner);
    spent += (await runner.run(world.query(range, dataset), world.endpoint)).provenance.requestsSpent;
  }
  return [
    { what: 'queries in a month of use', value: script.length, unit: 'queries' },
    { what: 'requests spent', value: spent, unit: 'requests' },
    { what: 'fewer than asking each time', value: script.length / spent, unit: '×', atLeast: 10 },
  ];
};
