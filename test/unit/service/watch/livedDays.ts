import assert from 'node:assert/strict';
import { GridError } from '../../../../src/core/errors.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import type { AlertHistoryStore } from '../../../../src/service/watch/alertHistoryStore.ts';
import { seeded } from '../../../support/seeded.ts';
import { hour } from '../gridWorld.ts';
import { MonthModel, type Expected } from './monthModel.ts';
import { minute, watched, WatchWorld } from './watchWorld.ts';

const start = '2026-11-01T00:10:00Z';
const high: Alert = { id: 'high', kind: 'condition', condition: 'value >= 0.6', on: true };
const over: Alert = { id: 'over', kind: 'condition', condition: 'residual_demand_mw > 28000', on: true };
const under: Alert = { id: 'under', kind: 'condition', condition: 'residual_demand_mw < 21000', on: true };
const ramp: Alert = { id: 'ramp', kind: 'condition', condition: 'ocgt_ramp_mw > 900', on: true };
const late: Alert = { id: 'late', kind: 'late', on: true };
const queries = [
  watched('stress', { alerts: [high] }),
  watched('state', { dataset: 'systemState', alerts: [over, under, ramp, late] }),
];

/** Lives through the days: two windows, one of which comes and goes, on a computer that sleeps, at a service that is late and out of order at times. */
export async function liveThrough(days: number, seed: number, newStore: () => AlertHistoryStore) {
  const random = seeded(seed);
  const model = new MonthModel(Date.parse(start), days, random);
  const world = new WatchWorld(start, random);
  // Until the first answer nobody knows.
  world.clock.jump(3 * minute);
  world.clockError = 3 * minute;
  world.row = (ms, at) => model.row(ms, at);
  let offlineUntil = 0;
  world.beforeAnswer = at => {
    if (at < offlineUntil) throw new GridError('unreachable', { requestsSpent: 0 });
    const reason = model.failureIn(at);
    if (reason) throw new GridError(reason, { requestsSpent: 1 });
  };
  const one = world.open('one', newStore());
  one.watcher.watch(queries);
  await world.pass(2 * minute);
  let other = world.open('other', newStore());
  other.watcher.watch(queries);
  for (const { at, ms } of model.sleeps) {
    await world.pass(at - world.now);
    await world.sleep(ms);
    offlineUntil = world.now + 2 * minute;
    await world.pass(15 * minute);
    if (random() < 0.5) continue;
    other.watcher.dispose();
    await world.pass(random() * 3 * minute);
    other = world.open('other', newStore());
    other.watcher.watch(queries);
  }
  await world.pass(model.end - world.now);
  for (const { watcher } of [one, other]) watcher.dispose();
  await world.quiet();
  return { world, model };
}

/** Holds what was lived through to its requests, and to what it told. */
export function check({ world, model }: Awaited<ReturnType<typeof liveThrough>>): readonly Expected[] {
  const perHour = new Map<string, number>();
  for (const { at, dataset } of world.asked) {
    const name = `${dataset} ${new Date(Math.floor(at / hour) * hour).toISOString()}`;
    perHour.set(name, (perHour.get(name) ?? 0) + 1);
  }
  assert.deepEqual(
    [...perHour].filter(([, count]) => count > 1),
    [],
    'a query cost more than one request in an hour',
  );
  assert.equal(world.asked.length, 2 * model.awakeHours.length, 'a request in each hour the computer was awake in');

  const told = world.told.flatMap(({ at, query, what }) =>
    what.flatMap(({ alert, findings }) =>
      findings.map(finding => ({ query, alert: alert.id, hour: finding.hour, in: Math.floor(at / hour) * hour })),
    ),
  );
  const speaks = {
    high: (value: number) => value >= 0.6,
    over: (value: number) => value > 28_000,
    under: (value: number) => value < 21_000,
    ramp: (value: number) => value > 900,
  };
  const expected = [
    ...model.valuesTold('stress', 'high', 'value', speaks.high),
    ...model.valuesTold('state', 'over', 'residual_demand_mw', speaks.over),
    ...model.valuesTold('state', 'under', 'residual_demand_mw', speaks.under),
    ...model.valuesTold('state', 'ramp', 'ocgt_ramp_mw', speaks.ramp),
    ...model.latenessTold('state', 'late'),
  ];
  const texts = (list: readonly Expected[]): string[] => list.map(one => JSON.stringify(one)).sort();
  assert.deepEqual(texts(told), texts(expected));

  // One window tells all that a run of a query has to say.
  const tellers = new Map<string, Set<string>>();
  for (const { at, query, window } of world.told) {
    const name = `${query} ${Math.floor(at / hour)}`;
    tellers.set(name, (tellers.get(name) ?? new Set()).add(window));
  }
  assert.deepEqual(
    [...tellers].filter(([, windows]) => windows.size > 1),
    [],
    'two windows told of one query in one hour',
  );
  assert.deepEqual(world.errors, []);
  return expected;
}
