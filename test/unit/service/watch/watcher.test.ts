import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { gridStressFields } from '../../../../src/shared/fields.ts';
import { hour } from '../gridWorld.ts';
import { MemoryAlertHistories, minute, watched, WatchWorld } from './watchWorld.ts';

const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };

/** Creates a world at 00:10 with high stress in each hour. */
function createHighStressWorld(): WatchWorld {
  const world = new WatchWorld('2026-05-04T00:10:00Z');
  world.row = () => ({ value: 0.7 });
  return world;
}

/** Lists the minutes of the day of these events. */
function listMinutes(list: readonly { readonly instant: number }[]): number[] {
  return list.map(({ instant }) => Math.floor((instant - Date.parse('2026-05-04T00:00:00Z')) / minute));
}

function listAlertedHours(world: WatchWorld): string[] {
  return world.alerts.flatMap(({ what }) =>
    what.flatMap(({ findings }) => findings.map(found => new Date(found.hour).toISOString().slice(11, 16))),
  );
}

describe('the hourly refresh scheduler', () => {
  it('runs no query and sets no timer without hourly refresh', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([]);
    watcher.watch([watched('a', { keepFresh: false, alerts: [high] })]);
    await world.quiet();
    assert.equal(world.clock.pending, 0);
    await world.pass(3 * hour);
    assert.deepEqual(world.runs, []);
    watcher.watch([watched('a')]);
    assert.equal(world.clock.pending, 1);
    watcher.watch([]);
    assert.equal(world.clock.pending, 0);
  });

  it('runs a query soon, then hourly just after publication, with background priority', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a')]);
    await world.pass(3 * hour);
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
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(listMinutes(world.runs), [59, 61]);
    assert.deepEqual(listAlertedHours(world), ['00:00']);
  });

  it('runs three queries at a time, and the next one when one of them ends', async () => {
    const world = createHighStressWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', new MemoryAlertHistories());
    const datasets = ['gridStress', 'systemState', 'gridStress', 'systemState'];
    const { query } = watched('0');
    watcher.watch(
      datasets.map((dataset, n) =>
        watched(`${n}`, { query: { ...query, dataset, range: `last ${24 * (n + 1)} hours` } }),
      ),
    );
    await world.pass(15_000);
    assert.deepEqual(
      world.runs.map(({ id }) => id),
      ['0', '1', '2'],
    );
    await world.pass(minute);
    assert.deepEqual(
      world.runs.map(({ id }) => id),
      ['0', '1', '2', '3'],
    );
  });

  it('catches up once after sleep, within a minute, and then continues hourly', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(20 * minute);
    await world.sleep(7 * hour);
    await world.pass(2 * hour);
    assert.deepEqual(listMinutes(world.runs.slice(1)), [450, 480, 540]);
    // Missed hours are reported in one notification, and later ones hourly.
    assert.deepEqual(
      world.alerts.map(({ what }) => what[0]?.findings.length),
      [7, 1, 1],
    );
    assert.equal(new Set(listAlertedHours(world)).size, 9);
  });

  it('continues with the right hour when the clock is set back or ahead', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(2 * hour);
    for (const wrong of [-5 * hour, 9 * hour]) {
      world.clock.jump(wrong);
      world.clockError += wrong;
      await world.pass(4 * hour);
    }
    const perHour = listMinutes(world.sentRequests).map(time => Math.floor(time / 60));
    // Each change may take an additional request, since only the response shows which clock is right.
    assert.ok(perHour.length <= 11 + 2, `${perHour.length} requests`);
    assert.deepEqual([...new Set(perHour)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(listAlertedHours(world).length, new Set(listAlertedHours(world)).size);
    assert.equal(listAlertedHours(world).length, 10);
  });

  it('retries a failed request in the next hour, and not earlier in any window', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    for (const name of ['one', 'other']) world.open(name, histories).watcher.watch([watched('a')]);
    world.beforeResponse = () => {
      throw new GridError('throttled', { requestsSpent: 1 });
    };
    await world.pass(50 * minute);
    assert.equal(world.sentRequests.length, 1);
    assert.deepEqual(
      world.failures.map(({ what }) => what.reason),
      ['throttled'],
    );
    await world.pass(2 * hour);
    assert.deepEqual(listMinutes(world.sentRequests), [10, 60, 120]);
  });

  it('retries within the hour if no request could be sent', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a')]);
    world.beforeResponse = () => {
      throw new GridError('unreachable', { requestsSpent: 0 });
    };
    await world.pass(45 * minute);
    assert.deepEqual(listMinutes(world.runs), [10, 15]);
    await world.pass(hour);
    assert.deepEqual(listMinutes(world.runs), [10, 15, 60, 65]);
  });

  it('stops at a rejected key, reports it once, and continues when it is replaced', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    world.beforeResponse = () => {
      throw new GridError('keyRejected', { requestsSpent: 1 });
    };
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(2 * minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'keyRejected' }]);
    const previousCount = world.sentRequests.length;
    await world.pass(5 * hour);
    assert.deepEqual([world.sentRequests.length, world.clock.pending], [previousCount, 0]);
    world.beforeResponse = () => undefined;
    watcher.resume('another');
    assert.equal(world.clock.pending, 0);
    watcher.resume('one');
    await world.pass(minute);
    assert.deepEqual([world.sentRequests.length, world.stops.length], [previousCount + 2, 1]);
  });

  it('stops only the forbidden dataset, and distinguishes the old key from the new one', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    world.beforeResponse = () => {
      throw new GridError('forbidden', { requestsSpent: 1 });
    };
    watcher.watch([watched('a')]);
    await world.pass(minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'forbidden', dataset: 'gridStress' }]);
    world.beforeResponse = () => undefined;
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(hour);
    assert.deepEqual(new Set(world.sentRequests.slice(1).map(({ dataset }) => dataset)), new Set(['systemState']));

    const second = createHighStressWorld();
    const firstWatcher = second.open('one', new MemoryAlertHistories()).watcher;
    second.beforeResponse = () => {
      // The key is replaced while the request with the old key is in flight.
      firstWatcher.resume('one');
      second.beforeResponse = () => undefined;
      throw new GridError('keyRejected', { requestsSpent: 0 });
    };
    firstWatcher.watch([watched('a')]);
    await second.pass(2 * minute);
    assert.deepEqual([second.stops, second.refreshed.length], [[], 1]);
  });

  it('follows added, changed and removed queries, also while they run', async () => {
    const world = createHighStressWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a')]);
    await world.pass(20_000);
    assert.equal(world.sentRequests.length, 1);
    watcher.watch([]);
    await world.pass(minute);
    assert.deepEqual([world.refreshed, world.failures, world.clock.pending], [[], [], 0]);
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(minute);
    assert.equal(world.refreshed.length, 2);
    // Changed alerts do not run the query again, but a changed request does.
    watcher.watch([watched('a', { alerts: [high] }), watched('b', { dataset: 'systemState' })]);
    await world.pass(minute);
    assert.equal(world.runs.length, 3);
    const { query } = watched('a');
    watcher.watch([watched('a', { query: { ...query, range: 'last 72 hours' }, alerts: [high] })]);
    await world.pass(minute);
    assert.equal(world.runs.length, 4);
    await world.pass(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00']);
  });

  it('does not alert while snoozed, disabled or for another dataset, and not afterwards for those hours', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    const snoozedUntil = Date.parse('2026-05-04T03:30Z');
    watcher.watch([watched('a', { alerts: [{ ...high, snoozedUntil }] })]);
    await world.pass(3 * hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00']);
    watcher.watch([watched('a', { alerts: [{ ...high, on: false }] })]);
    await world.pass(3 * hour);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00', '07:00']);
    watcher.watch([watched('a', { dataset: 'systemState' })]);
    await world.pass(3 * hour);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(listAlertedHours(world), ['00:00', '03:00', '07:00', '11:00']);
  });

  it('returns the latest stress with band and time, and drops that of a removed query', async () => {
    const world = createHighStressWorld();
    const { watcher } = world.open('one', new MemoryAlertHistories());
    const changes: string[] = [];
    const listening = watcher.stress.onDidChange(id => changes.push(id));
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(hour);
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
    listening.dispose();
  });

  it('does not alert if disposed while alerts are evaluated', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    const { watcher } = world.open('one', {
      update: async (name, change) => {
        const value = await histories.update(name, change);
        if (Array.isArray(value) && value.length > 0) watcher.dispose();
        return value;
      },
    });
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(world.alerts, []);
    // Only a disposed watcher has no timer.
    assert.equal(world.clock.pending, 0);
  });

  it('stops refreshing once disposed, and leaves it to another window', async () => {
    const world = createHighStressWorld();
    const histories = new MemoryAlertHistories();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', histories);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(15_000);
    watcher.dispose();
    await world.quiet();
    assert.equal(world.clock.pending, 0);
    watcher.watch([watched('a')]);
    world.open('other', histories).watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(minute);
    assert.deepEqual(
      world.refreshed.map(({ window }) => window),
      ['other'],
    );
  });
});
