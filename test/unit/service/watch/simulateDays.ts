import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import type { AlertHistoryStore } from '../../../../src/service/watch/alertHistoryStore.ts';
import { createSeededRandom } from '../../../support/seededRandom.ts';
import { hour } from '../gridWorld.ts';
import { MonthModel, type Expected } from './monthModel.ts';
import { minute, watched, WatchWorld } from './watchWorld.ts';

const start = '2026-11-01T00:10:00Z';
const highAlert: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };
const overAlert: Alert = { id: 'over', kind: 'condition', condition: 'residual_demand_mw > 28000', on: true };
const underAlert: Alert = { id: 'under', kind: 'condition', condition: 'residual_demand_mw < 21000', on: true };
const rampAlert: Alert = { id: 'ramp', kind: 'condition', condition: 'ocgt_ramp_mw > 900', on: true };
const lateAlert: Alert = { id: 'late', kind: 'late', on: true };
const queries = [
  watched('stress', { alerts: [highAlert] }),
  watched('state', { dataset: 'systemState', alerts: [overAlert, underAlert, rampAlert, lateAlert] }),
];

/** Simulates days of two windows, one of which is closed at times, on a computer that sleeps, with a service that is sometimes late. */
export async function simulateDays(days: number, seed: number, newStore: () => AlertHistoryStore) {
  const random = createSeededRandom(seed);
  const model = new MonthModel(Date.parse(start), days, random);
  const world = new WatchWorld(start, random);
  // The service's clock is unknown until the first response.
  world.clock.jump(3 * minute);
  world.clockError = 3 * minute;
  world.row = (ms, instant) => model.row(ms, instant);
  let offlineUntil = 0;
  world.beforeResponse = instant => {
    if (instant < offlineUntil) throw new GridError('unreachable', { requestsSpent: 0 });
    const reason = model.failureIn(instant);
    if (reason) throw new GridError(reason, { requestsSpent: 1 });
  };
  const firstWindow = world.open('one', newStore());
  firstWindow.watcher.watch(queries);
  await world.pass(2 * minute);
  let secondWindow = world.open('other', newStore());
  secondWindow.watcher.watch(queries);
  for (const { at, ms } of model.sleeps) {
    await world.pass(at - world.now);
    await world.sleep(ms);
    offlineUntil = world.now + 2 * minute;
    await world.pass(15 * minute);
    if (random() < 0.5) continue;
    secondWindow.watcher.dispose();
    await world.pass(random() * 3 * minute);
    secondWindow = world.open('other', newStore());
    secondWindow.watcher.watch(queries);
  }
  await world.pass(model.end - world.now);
  for (const { watcher } of [firstWindow, secondWindow]) watcher.dispose();
  await world.quiet();
  return { world, model };
}

/** Checks the requests and the alerts of the simulated days. */
export function check({ world, model }: Awaited<ReturnType<typeof simulateDays>>): readonly Expected[] {
  const requestsPerHour = new Map<string, number>();
  for (const { instant, dataset } of world.sentRequests) {
    const name = `${dataset} ${new Date(Math.floor(instant / hour) * hour).toISOString()}`;
    requestsPerHour.set(name, (requestsPerHour.get(name) ?? 0) + 1);
  }
  assert.deepEqual(
    [...requestsPerHour].filter(([, count]) => count > 1),
    [],
    'a query sent more than one request in an hour',
  );
  assert.equal(
    world.sentRequests.length,
    2 * model.awakeHours.length,
    'each query sends one request in each hour in which the computer is awake',
  );

  const alerts = world.alerts.flatMap(({ instant, query, what }) =>
    what.flatMap(({ alert, findings }) =>
      findings.map(finding => ({ query, alert: alert.id, hour: finding.hour, in: Math.floor(instant / hour) * hour })),
    ),
  );
  const matchers = {
    high: (value: number) => value >= 0.6,
    over: (value: number) => value > 28_000,
    under: (value: number) => value < 21_000,
    ramp: (value: number) => value > 900,
  };
  const expected = [
    ...model.reportedValues('stress', 'high', 'value', matchers.high),
    ...model.reportedValues('state', 'over', 'residual_demand_mw', matchers.over),
    ...model.reportedValues('state', 'under', 'residual_demand_mw', matchers.under),
    ...model.reportedValues('state', 'ramp', 'ocgt_ramp_mw', matchers.ramp),
    ...model.reportedDelays('state', 'late'),
  ];
  const sortAsJson = (list: readonly Expected[]): string[] => list.map(item => JSON.stringify(item)).sort();
  assert.deepEqual(sortAsJson(alerts), sortAsJson(expected));

  // One window shows all notifications of a run.
  const windowsByRun = new Map<string, Set<string>>();
  for (const { instant, query, window } of world.alerts) {
    const name = `${query} ${Math.floor(instant / hour)}`;
    windowsByRun.set(name, (windowsByRun.get(name) ?? new Set()).add(window));
  }
  assert.deepEqual(
    [...windowsByRun].filter(([, windows]) => windows.size > 1),
    [],
    'two windows notified about the same query in the same hour',
  );
  assert.deepEqual(world.errors, []);
  return expected;
}
