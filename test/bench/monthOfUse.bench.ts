import type { EndpointRunner } from '../support/followRun.ts';
import { DiskMonth } from '../support/diskMonth.ts';
import { computeMinRequest, createMonthOfUse } from '../support/monthOfUse.ts';
import { GridWorld } from '../unit/service/gridWorld.ts';
import type { Bench, Figure } from './bench.ts';

/** Replays a month of use. Measures how many requests the archive and the plan save. */
export const bench: Bench = async () => [...(await replayInMemory()), ...(await replayOnDisk())];

async function replayInMemory(): Promise<Figure[]> {
  const world = new GridWorld('2026-11-01T00:00Z');
  const actions = createMonthOfUse(world.now);
  const windows = new Map<number, EndpointRunner>();
  let requestCount = 0;
  for (const { at, window, restart, dataset, range } of actions) {
    world.now = at;
    if (restart) windows.clear();
    const runner = windows.get(window) ?? world.window();
    windows.set(window, runner);
    requestCount += (await runner.run(world.query(range, dataset), world.endpoint)).provenance.requestsSpent;
  }
  return [
    { label: 'queries in a month of use', value: actions.length, unit: 'queries' },
    { label: 'requests spent', value: requestCount, unit: 'requests' },
    { label: 'fewer than one request per query', value: actions.length / requestCount, unit: '×', atLeast: 10 },
  ];
}

/** Replays the month with real, synced files, which are all that survives a restart. */
async function replayOnDisk(): Promise<Figure[]> {
  const start = Date.parse('2026-11-01T00:00Z');
  const actions = createMonthOfUse(start);
  const archivedUntil = new Map<string, number>();
  const month = new DiskMonth(start);
  const began = performance.now();
  let minimum = 0;
  for (const action of actions) {
    const { query } = await month.run(action);
    if (computeMinRequest(archivedUntil, action.dataset, query.start, query.end, action.at)) minimum++;
  }
  const requestCount = month.requestedSpans.length;
  const elapsedMs = performance.now() - began;
  return [
    {
      label: `on disk, ${month.windowsStarted} windows: requests; the minimum is ${minimum}`,
      value: requestCount,
      unit: 'requests',
      atMost: minimum,
    },
    {
      label: 'on disk: fewer than one request per query',
      value: actions.length / requestCount,
      unit: '×',
      atLeast: 10,
    },
    { label: 'on disk: a query', value: elapsedMs / actions.length, unit: 'ms' },
  ];
}
