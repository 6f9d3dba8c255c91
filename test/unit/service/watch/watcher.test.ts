import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { gridStressFields } from '../../../../src/shared/fields.ts';
import { hour } from '../gridWorld.ts';
import { MemoryTold, minute, watched, WatchWorld } from './watchWorld.ts';

const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };

/** A world at ten past midnight in which stress is high in each hour. */
function newWorld(): WatchWorld {
  const world = new WatchWorld('2026-05-04T00:10:00Z');
  world.row = () => ({ value: 0.7 });
  return world;
}

/** The minutes of the day at which something was done. */
function minutes(list: readonly { readonly at: number }[]): number[] {
  return list.map(({ at }) => Math.floor((at - Date.parse('2026-05-04T00:00:00Z')) / minute));
}

function hoursTold(world: WatchWorld): string[] {
  return world.told.flatMap(({ what }) =>
    what.flatMap(({ findings }) => findings.map(found => new Date(found.hour).toISOString().slice(11, 16))),
  );
}

describe('the hourly refresh scheduler', () => {
  it('runs nothing while no query has hourly refresh: no run, no timer', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
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
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a')]);
    await world.pass(3 * hour);
    assert.deepEqual(minutes(world.runs), [10, 60, 120, 180]);
    for (const { at } of world.runs.slice(1)) {
      const after = at % hour;
      assert.ok(after >= 10_000 && after <= 40_000, `${after} ms after publication`);
    }
    assert.deepEqual([world.asked.length, world.refreshed.length], [4, 4]);
    watcher.dispose();
    assert.equal(world.clock.pending, 0);
  });

  it('runs a query again at once where an hour was published since the last run began', async () => {
    const world = new WatchWorld('2026-05-04T00:59:00Z');
    world.row = () => ({ value: 0.7 });
    world.latencyMs = 2 * minute;
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(minutes(world.runs), [59, 61]);
    assert.deepEqual(hoursTold(world), ['00:00']);
  });

  it('runs three queries at a time, and the next one when one of them ends', async () => {
    const world = newWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', new MemoryTold());
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
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(20 * minute);
    await world.sleep(7 * hour);
    await world.pass(2 * hour);
    assert.deepEqual(minutes(world.runs.slice(1)), [450, 480, 540]);
    // What was missed is told in one go, and the rest by the hour.
    assert.deepEqual(
      world.told.map(({ what }) => what[0]?.findings.length),
      [7, 1, 1],
    );
    assert.equal(new Set(hoursTold(world)).size, 9);
  });

  it('continues with the right hour when the clock is set back or ahead', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(2 * hour);
    for (const wrong of [-5 * hour, 9 * hour]) {
      world.clock.jump(wrong);
      world.clockError += wrong;
      await world.pass(4 * hour);
    }
    const perHour = minutes(world.asked).map(at => Math.floor(at / 60));
    // Each change may cost one request more: only the answer says which clock is right.
    assert.ok(perHour.length <= 11 + 2, `${perHour.length} requests`);
    assert.deepEqual([...new Set(perHour)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(hoursTold(world).length, new Set(hoursTold(world)).size);
    assert.equal(hoursTold(world).length, 10);
  });

  it('retries a failed request in the next hour, in no window before', async () => {
    const world = newWorld();
    const told = new MemoryTold();
    for (const name of ['one', 'other']) world.open(name, told).watcher.watch([watched('a')]);
    world.beforeAnswer = () => {
      throw new GridError('throttled', { requestsSpent: 1 });
    };
    await world.pass(50 * minute);
    assert.equal(world.asked.length, 1);
    assert.deepEqual(
      world.failures.map(({ what }) => what.reason),
      ['throttled'],
    );
    await world.pass(2 * hour);
    assert.deepEqual(minutes(world.asked), [10, 60, 120]);
  });

  it('retries within the hour when nothing could be sent', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a')]);
    world.beforeAnswer = () => {
      throw new GridError('unreachable', { requestsSpent: 0 });
    };
    await world.pass(45 * minute);
    assert.deepEqual(minutes(world.runs), [10, 15]);
    await world.pass(hour);
    assert.deepEqual(minutes(world.runs), [10, 15, 60, 65]);
  });

  it('stops at a rejected key, reports it once, and continues when it is replaced', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    world.beforeAnswer = () => {
      throw new GridError('keyRejected', { requestsSpent: 1 });
    };
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(2 * minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'keyRejected' }]);
    const before = world.asked.length;
    await world.pass(5 * hour);
    assert.deepEqual([world.asked.length, world.clock.pending], [before, 0]);
    world.beforeAnswer = () => undefined;
    watcher.resume('another');
    assert.equal(world.clock.pending, 0);
    watcher.resume('one');
    await world.pass(minute);
    assert.deepEqual([world.asked.length, world.stops.length], [before + 2, 1]);
  });

  it('stops only the forbidden dataset, and distinguishes the old key from the new one', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    world.beforeAnswer = () => {
      throw new GridError('forbidden', { requestsSpent: 1 });
    };
    watcher.watch([watched('a')]);
    await world.pass(minute);
    assert.deepEqual(world.stops, [{ connectionId: 'one', reason: 'forbidden', dataset: 'gridStress' }]);
    world.beforeAnswer = () => undefined;
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(hour);
    assert.deepEqual(new Set(world.asked.slice(1).map(({ dataset }) => dataset)), new Set(['systemState']));

    const second = newWorld();
    const one = second.open('one', new MemoryTold()).watcher;
    second.beforeAnswer = () => {
      // Replaced while the request with the old one is out.
      one.resume('one');
      second.beforeAnswer = () => undefined;
      throw new GridError('keyRejected', { requestsSpent: 0 });
    };
    one.watch([watched('a')]);
    await second.pass(2 * minute);
    assert.deepEqual([second.stops, second.refreshed.length], [[], 1]);
  });

  it('follows added, changed and removed queries, also while they run', async () => {
    const world = newWorld();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a')]);
    await world.pass(20_000);
    assert.equal(world.asked.length, 1);
    watcher.watch([]);
    await world.pass(minute);
    assert.deepEqual([world.refreshed, world.failures, world.clock.pending], [[], [], 0]);
    watcher.watch([watched('a'), watched('b', { dataset: 'systemState' })]);
    await world.pass(minute);
    assert.equal(world.refreshed.length, 2);
    // Alerts alone are no reason to run again; another question is.
    watcher.watch([watched('a', { alerts: [high] }), watched('b', { dataset: 'systemState' })]);
    await world.pass(minute);
    assert.equal(world.runs.length, 3);
    const { query } = watched('a');
    watcher.watch([watched('a', { query: { ...query, range: 'last 72 hours' }, alerts: [high] })]);
    await world.pass(minute);
    assert.equal(world.runs.length, 4);
    await world.pass(hour);
    assert.deepEqual(hoursTold(world), ['00:00']);
  });

  it('stays silent while snoozed, off or of another dataset, also about that time afterwards', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    const snoozedUntil = Date.parse('2026-05-04T03:30Z');
    watcher.watch([watched('a', { alerts: [{ ...high, snoozedUntil }] })]);
    await world.pass(3 * hour);
    assert.deepEqual(hoursTold(world), ['00:00', '03:00']);
    watcher.watch([watched('a', { alerts: [{ ...high, on: false }] })]);
    await world.pass(3 * hour);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(hoursTold(world), ['00:00', '03:00', '07:00']);
    watcher.watch([watched('a', { dataset: 'systemState' })]);
    await world.pass(3 * hour);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(hoursTold(world), ['00:00', '03:00', '07:00', '11:00']);
  });

  it('returns the latest stress with band and time, and drops that of a removed query', async () => {
    const world = newWorld();
    const { watcher } = world.open('one', new MemoryTold());
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

  it('alerts no more when disposed while alerts are evaluated', async () => {
    const world = newWorld();
    const told = new MemoryTold();
    const { watcher } = world.open('one', {
      update: async (name, change) => {
        const value = await told.update(name, change);
        if (Array.isArray(value) && value.length > 0) watcher.dispose();
        return value;
      },
    });
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(hour);
    assert.deepEqual(world.told, []);
    // Only a disposed watcher has no timer.
    assert.equal(world.clock.pending, 0);
  });

  it('refreshes nothing once disposed, and leaves its claim to another window', async () => {
    const world = newWorld();
    const told = new MemoryTold();
    world.latencyMs = 20_000;
    const { watcher } = world.open('one', told);
    watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(15_000);
    watcher.dispose();
    await world.quiet();
    assert.equal(world.clock.pending, 0);
    watcher.watch([watched('a')]);
    world.open('other', told).watcher.watch([watched('a', { alerts: [high] })]);
    await world.pass(minute);
    assert.deepEqual(
      world.refreshed.map(({ window }) => window),
      ['other'],
    );
  });
});
