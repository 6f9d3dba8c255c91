import type { EndpointRunner } from '../support/followedRun.ts';
import { DiskMonth } from '../support/diskMonth.ts';
import { leastRequest, monthOfUse } from '../support/monthOfUse.ts';
import { GridWorld } from '../unit/service/gridWorld.ts';
import type { Bench, Figure } from './bench.ts';

/** A month of a person's use, replayed: what the archive and the plan save against asking each time. */
export const bench: Bench = async () => [...(await inMemory()), ...(await onDisk())];

async function inMemory(): Promise<Figure[]> {
  const world = new GridWorld('2026-11-01T00:00Z');
  const script = monthOfUse(world.now);
  const windows = new Map<number, EndpointRunner>();
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
}

/** The same with the real files, synced as in the extension, and nothing else kept over a restart. */
async function onDisk(): Promise<Figure[]> {
  const start = Date.parse('2026-11-01T00:00Z');
  const script = monthOfUse(start);
  const ledger = new Map<string, number>();
  const month = new DiskMonth(start);
  const began = performance.now();
  let minimum = 0;
  for (const one of script) {
    const { query } = await month.run(one);
    if (leastRequest(ledger, one.dataset, query.start, query.end, one.at)) minimum++;
  }
  const [spent, took] = [month.asked.length, performance.now() - began];
  return [
    {
      what: `on disk, ${month.windowsStarted} windows: requests; the minimum is ${minimum}`,
      value: spent,
      unit: 'requests',
      atMost: minimum,
    },
    { what: 'on disk: fewer than asking each time', value: script.length / spent, unit: '×', atLeast: 10 },
    { what: 'on disk: a query', value: took / script.length, unit: 'ms' },
  ];
}
