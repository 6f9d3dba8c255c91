import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { gridStressFields } from '../../../../src/shared/fields.ts';
import { hour } from '../gridWorld.ts';
import { MemoryAlertHistories, minute, createWatchedQuery, WatchWorld } from './watchWorld.ts';

const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };

/** Creates a test world that starts at 00:10 and has high stress in each hour. */
function createHighStressWorld(): WatchWorld {
  const world = new WatchWorld('2026-05-04T00:10:00Z');
  world.row = () => ({ value: 0.7 });
  return world;
}

/** Lists the times of these events in minutes after midnight. */
function listMinutes(list: readonly { readonly instant: number }[]): number[] {
  return list.map(({ instant }) => Math.floor((instant - Date.parse('2026-05-04T00:00:00Z')) / minute));
}

function listAlertedHours(world: WatchWorld): string[] {
  return world.alerts.flatMap(({ value }) =>
    value.flatMap(({ findings }) => findings.map(finding => new Date(finding.hour).toISOString().slice(11, 16))),
  );
}

describe('the hourly refresh scheduler', () => {
  it('runs no query and sets no timer without hourly refresh', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([]);
    watcher.watch([createWatchedQuery('a', { keepFresh: false, alerts: [high] })]);
    await world.waitUntilIdle();
    assert.equal(world.clock.pending, 0);
    await world.advance(3 * hour);
    assert.deepEqual(world.runs, []);
    watcher.watch([createWatchedQuery('a')]);
    assert.equal(world.clock.pending, 1);
    watcher.watch([]);
    assert.equal(world.clock.pending, 0);
  });

  it('runs a query within a minute, then every hour just after publication', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a')]);
    await world.advance(3 * hour);
    assert.deepEqual(listMinutes(world.runs), [10, 60, 120, 180]);
    for (const { instant } of world.runs.slice(1)) {
      const minutesAfterHour = instant % hour;
      assert.ok(minutesAfterHour >= 10_000 && minutesAfterHour <= 40_000, `${minutesAfterHour} ms after publication`);
    }
    assert.deepEqual([world.sentRequests.length, world.refreshed.length], [4, 4]);
    watcher.dispose();
    assert.equal(world.clock.pending, 0);
  });

  it('runs a query again immediately if an hour was published since its last run began', async () => {
    const world = new WatchWorld('2026-05-04T00:59:00Z');
    world.row = () => ({ value: 0.7 });
    world.latencyMs = 2 * minute;
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(hour);
    assert.deepEqual(listMinutes(world.runs), [59, 61]);
    assert.deepEqual(listAlertedHours(world), ['00:00']);
  });

  it('runs three queries at a time, and the next one when one of them ends', async () => {
    const world = createHighStressWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    const datasets = ['gridStress', 'systemState', 'gridStress', 'systemState'];
    const { query } = createWatchedQuery('0');
    watcher.watch(
      datasets.map((dataset, n) =>
        createWatchedQuery(`${n}`, { query: { ...query, dataset, range: `last ${24 * (n + 1)} hours` } }),
      ),
    );
    await world.advance(15_000);
    assert.deepEqual(
      world.runs.map(({ id }) => id),
      ['0', '1', '2'],
    );
    await world.advance(minute);
    assert.deepEqual(
      world.runs.map(({ id }) => id),
      ['0', '1', '2', '3'],
    );
  });

  it('catches up with one run after the computer slept, and then continues hourly', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(20 * minute);
    await world.sleep(7 * hour);
    await world.advance(2 * hour);
    assert.deepEqual(listMinutes(world.runs.slice(1)), [450, 480, 540]);
    // Missed hours are reported in one notification, and later ones hourly.
    assert.deepEqual(
      world.alerts.map(({ value }) => value[0]?.findings.length),
      [7, 1, 1],
    );
    assert.equal(new Set(listAlertedHours(world)).size, 9);
  });

  it('refreshes and alerts for each hour once when the clock is set back or ahead', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(2 * hour);
    for (const jumpMs of [-5 * hour, 9 * hour]) {
      world.clock.jump(jumpMs);
      world.clockError += jumpMs;
      await world.advance(4 * hour);
    }
    const requestHours = listMinutes(world.sentRequests).map(time => Math.floor(time / 60));
    // Each change of the clock may cause one additional request, because only the response has the correct time.
    assert.ok(requestHours.length <= 11 + 2, `${requestHours.length} requests`);
    assert.deepEqual([...new Set(requestHours)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(listAlertedHours(world).length, new Set(listAlertedHours(world)).size);
    assert.equal(listAlertedHours(world).length, 10);
  });

  it('retries a failed request in the next hour, and not earlier in any window', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    for (const name of ['one', 'other']) world.openWindow(name, histories).watcher.watch([createWatchedQuery('a')]);
    world.beforeResponse = () => {
      throw new GridError('throttled', { requestsSpent: 1 });
    };
    await world.advance(50 * minute);
    assert.equal(world.sentRequests.length, 1);
    assert.deepEqual(
      world.failures.map(({ value }) => value.reason),
      ['throttled'],
    );
    await world.advance(2 * hour);
    assert.deepEqual(listMinutes(world.sentRequests), [10, 60, 120]);
  });

  it('retries within the hour if no request could be sent', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a')]);
    world.beforeResponse = () => {
      throw new GridError('unreachable', { requestsSpent: 0 });
    };
    await world.advance(45 * minute);
    assert.deepEqual(listMinutes(world.runs), [10, 15]);
    await world.advance(hour);
    assert.deepEqual(listMinutes(world.runs), [10, 15, 60, 65]);
  });

  it('stops when a key is rejected, reports it once, and continues when the key is replaced', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    world.beforeResponse = () => {
      throw new GridError('keyRejected', { requestsSpent: 1 });
    };
    watcher.watch([createWatchedQuery('a'), createWatchedQuery('b', { dataset: 'systemState' })]);
    await world.advance(2 * minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'keyRejected' }]);
    const previousRequestCount = world.sentRequests.length;
    await world.advance(5 * hour);
    assert.deepEqual([world.sentRequests.length, world.clock.pending], [previousRequestCount, 0]);
    world.beforeResponse = () => undefined;
    watcher.resume('another');
    assert.equal(world.clock.pending, 0);
    watcher.resume('one');
    await world.advance(minute);
    assert.deepEqual([world.sentRequests.length, world.stops.length], [previousRequestCount + 2, 1]);
  });

  it('stops only the dataset that is forbidden, and ignores the rejection of a key that was replaced meanwhile', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    world.beforeResponse = () => {
      throw new GridError('forbidden', { requestsSpent: 1 });
    };
    watcher.watch([createWatchedQuery('a')]);
    await world.advance(minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'forbidden', dataset: 'gridStress' }]);
    world.beforeResponse = () => undefined;
    watcher.watch([createWatchedQuery('a'), createWatchedQuery('b', { dataset: 'systemState' })]);
    await world.advance(hour);
    assert.deepEqual(new Set(world.sentRequests.slice(1).map(({ dataset }) => dataset)), new Set(['systemState']));

    const second = createHighStressWorld();
    const firstWatcher = second.openWindow('one', new MemoryAlertHistories()).watcher;
    second.beforeResponse = () => {
      // The key is replaced while the request with the old key is in flight.
      firstWatcher.resume('one');
      second.beforeResponse = () => undefined;
      throw new GridError('keyRejected', { requestsSpent: 0 });
    };
    firstWatcher.watch([createWatchedQuery('a')]);
    await second.advance(2 * minute);
    assert.deepEqual([second.stops, second.refreshed.length], [[], 1]);
  });

  it('follows added, changed and removed queries, also while they run', async () => {
    const world = createHighStressWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a')]);
    await world.advance(20_000);
    assert.equal(world.sentRequests.length, 1);
    watcher.watch([]);
    await world.advance(minute);
    assert.deepEqual([world.refreshed, world.failures, world.clock.pending], [[], [], 0]);
    watcher.watch([createWatchedQuery('a'), createWatchedQuery('b', { dataset: 'systemState' })]);
    await world.advance(minute);
    assert.equal(world.refreshed.length, 2);
    // Changed alerts do not run the query again, but a changed request does.
    watcher.watch([createWatchedQuery('a', { alerts: [high] }), createWatchedQuery('b', { dataset: 'systemState' })]);
    await world.advance(minute);
    assert.equal(world.runs.length, 3);
    const { query } = createWatchedQuery('a');
    watcher.watch([createWatchedQuery('a', { query: { ...query, range: 'last 72 hours' }, alerts: [high] })]);
    await world.advance(minute);
    assert.equal(world.runs.length, 4);
    await world.advance(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00']);
  });

  it('never alerts for hours in which the alert was snoozed or disabled, or the query had another dataset', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(hour);
    const snoozedUntil = Date.parse('2026-05-04T03:30Z');
    watcher.watch([createWatchedQuery('a', { alerts: [{ ...high, snoozedUntil }] })]);
    await world.advance(3 * hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00']);
    watcher.watch([createWatchedQuery('a', { alerts: [{ ...high, on: false }] })]);
    await world.advance(3 * hour);
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00', '07:00']);
    watcher.watch([createWatchedQuery('a', { dataset: 'systemState' })]);
    await world.advance(3 * hour);
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00', '07:00', '11:00']);
  });

  it('returns the latest stress of a query with band and time, and nothing after the query is removed', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.openWindow('one', new MemoryAlertHistories());
    const changes: string[] = [];
    const subscription = watcher.stress.onDidChange(id => changes.push(id));
    watcher.watch([createWatchedQuery('a'), createWatchedQuery('b', { dataset: 'systemState' })]);
    await world.advance(hour);
    const midnight = Date.parse('2026-05-04T00:00Z');
    const latest = {
      hour: midnight,
      end: midnight + hour,
      value: 0.7,
      band: 'high',
      field: gridStressFields.get('value'),
    };
    assert.deepEqual([watcher.stress.get('a'), watcher.stress.get('b')], [latest, undefined]);
    assert.deepEqual(changes, ['a', 'a']);
    watcher.watch([]);
    assert.deepEqual([watcher.stress.get('a'), changes.length], [undefined, 3]);
    subscription.dispose();
  });

  it('does not alert if the watcher is disposed while alerts are evaluated', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    const { watcher } = world.openWindow('one', {
      update: async (name, change) => {
        const value = await histories.update(name, change);
        if (Array.isArray(value) && value.length > 0) watcher.dispose();
        return value;
      },
    });
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(hour);
    assert.deepEqual(world.alerts, []);
    // Only a disposed watcher has no timer.
    assert.equal(world.clock.pending, 0);
  });

  it('stops refreshing when the watcher is disposed, so that another window refreshes', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    world.latencyMs = 20_000;
    const { watcher } = world.openWindow('one', histories);
    watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(15_000);
    watcher.dispose();
    await world.waitUntilIdle();
    assert.equal(world.clock.pending, 0);
    watcher.watch([createWatchedQuery('a')]);
    world.openWindow('other', histories).watcher.watch([createWatchedQuery('a', { alerts: [high] })]);
    await world.advance(minute);
    assert.deepEqual(
      world.refreshed.map(({ window }) => window),
      ['other'],
    );
  });
});
