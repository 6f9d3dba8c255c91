import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { hour } from '../gridWorld.ts';
import { TroubledService, type Trouble } from './troubledService.ts';
import { MemoryAlertHistories, minute, createWatchedQuery, WatchWorld } from './watchWorld.ts';

const start = Date.parse('2026-11-01T00:10:00Z');
const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };
const troubles: readonly Trouble[] = [
  { retryAfter: 1 },
  { retryAfter: 45 },
  // Later than the hour of the request.
  { retryAfter: 5_400 },
  'serverError',
  'unavailable',
  'broken',
];

/** Simulates thirty days of two windows with the real client and limiter, and a service that rejects every fifth request. */
async function simulateMonth(seed: number) {
  const random = createSeededRandom(seed);
  const world = new WatchWorld(new Date(start).toISOString(), random);
  const values = new Map<number, number>();
  world.row = ms => {
    values.set(ms, values.get(ms) ?? random());
    return { value: values.get(ms), version: '1.0' };
  };
  const service = new TroubledService(world);
  // The last day has no failures, so that delayed alerts are reported by its end.
  const calmFrom = start + 29 * 24 * hour;
  service.trouble = at => {
    if (at > calmFrom || random() > 0.2) return 'none';
    return troubles[Math.floor(random() * troubles.length)] ?? 'none';
  };
  world.createFetcher = window => service.fetcher(window);
  const histories = new MemoryAlertHistories();
  const queries = [
    createWatchedQuery('stress', { alerts: [high] }),
    createWatchedQuery('state', { dataset: 'systemState' }),
  ];
  const windows = ['one', 'other'].map(name => world.openWindow(name, histories).watcher);
  for (const watcher of windows) watcher.watch(queries);
  for (let day = 0; day < 30; day += 1) {
    await world.advance(20 * hour);
    await world.sleep(Math.floor(random() * 5) * hour + 13 * minute);
  }
  await world.advance(3 * hour);
  for (const watcher of windows) watcher.dispose();
  await world.waitUntilIdle();
  return { world, service, values };
}

describe('hourly refresh with a throttling service', () => {
  for (const seed of [1, 2])
    it(`sends at most one request per query and hour, and alerts once per hour (${seed})`, async () => {
      const { world, service, values } = await simulateMonth(seed);
      const perHour = new Map<string, number>();
      for (const { requestedAt, path } of service.requests) {
        const name = `${path} ${new Date(Math.floor(requestedAt / hour) * hour).toISOString()}`;
        perHour.set(name, (perHour.get(name) ?? 0) + 1);
      }
      assert.deepEqual(
        [...perHour].filter(([, count]) => count > 1),
        [],
      );
      for (const kind of ['serverError', 'unavailable', 'broken'])
        assert.ok(
          service.requests.some(({ outcome }) => outcome === kind),
          kind,
        );
      assert.ok(service.requests.filter(({ outcome }) => typeof outcome === 'object').length > 50);

      const listAlertedHours = world.alerts.flatMap(({ value }) =>
        value.flatMap(({ findings }) => findings.map(finding => finding.hour)),
      );
      const last = service.requests.findLast(({ path }) => path.includes('stress'))?.requestedAt ?? 0;
      const speaking = [...values].flatMap(([ms, value]) => {
        return value >= 0.6 && ms + hour > start && ms + hour <= last ? [ms] : [];
      });
      assert.deepEqual(listAlertedHours.toSorted(), speaking.toSorted());
      assert.ok(speaking.length > 200, `${speaking.length} hours`);
      assert.equal(new Set(world.alerts.map(({ window }) => window)).size, 2);
      assert.deepEqual(world.errors, []);
    });
});
