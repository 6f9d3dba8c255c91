import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retainAlerts, evaluateAlerts } from '../../../src/core/watch/alertHistory.ts';
import { LastExport } from '../../../src/host/export/exportChoice.ts';
import { LastQuery } from '../../../src/host/query/lastQuery.ts';
import { parseSavedPanel, serializePanel } from '../../../src/host/panel/savedPanel.ts';
import { ConnectionChoices } from '../../../src/host/connections/connectionChoices.ts';
import { LocalSnoozes } from '../../../src/host/watch/watchEdits.ts';
import { PinnedStress, ReportedPauses } from '../../../src/host/watch/watching.ts';
import { WatchConsent } from '../../../src/host/watch/watchConsent.ts';
import { Connections } from '../../../src/service/connections/connections.ts';
import { PersonalQueryStore, savedStateName } from '../../../src/service/savedQueries/personalQueryStore.ts';
import { RecentRuns, type RecentRun } from '../../../src/service/savedQueries/recentRuns.ts';
import { ServiceClock } from '../../../src/service/client/serviceClock.ts';
import { MaxRangeStore } from '../../../src/service/query/maxRangeStore.ts';
import { AlertHistoryFolder } from '../../../src/service/watch/alertHistoryStore.ts';
import { hostileValues } from '../../hostile/storedValues.ts';
import { impatientClock } from '../../support/realClock.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { over5, midnight, readingOfHours } from '../core/watch/readings.ts';
import { createQuery, formatTree } from '../core/savedQueries/trees.ts';
import { FakeFile } from '../service/savedQueries/fakes.ts';
import { FakeSecrets, FakeState } from '../service/storeFakes.ts';
import { high, createWatchedItem } from './watch/fakes.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const clock = { ...impatientClock, now: () => Date.UTC(2026, 0, 1) };
const watchedItem = createWatchedItem('file/a', { keepFresh: true, alerts: [high] }, 'workspace');
const connection = { name: 'Grid', service: 'other', baseUrl: 'https://grid.example', key: 'not-a-real-key' } as const;

/** A state that returns the same value for every key that was not written. Like VS Code, it returns the object itself, not a copy. */
class ConstantState extends FakeState {
  readonly #value: unknown;
  constructor(value: unknown) {
    super();
    this.#value = structuredClone(value);
  }
  override get(name: string): unknown {
    return super.get(name) ?? this.#value;
  }
}

/** Creates a state that stores a valid record and a hostile value under the same key. */
async function addHostileRecord(
  name: string,
  addValidRecord: (state: FakeState) => Promise<unknown>,
  value: unknown,
): Promise<FakeState> {
  const state = new FakeState();
  await addValidRecord(state);
  const stored = state.get(name);
  const entries = Array.isArray(stored) ? [value, ...(stored as unknown[])] : { hostile: value, ...(stored as object) };
  await state.update(name, entries);
  return state;
}

describe('stores that contain invalid values', () => {
  for (const { name, value } of hostileValues) {
    it(`ignores stored values and uses defaults if every value is invalid: ${name}`, async () => {
      const state = new ConstantState(value);
      const choices = new ConnectionChoices({
        connections: new Connections({ state, secrets: new FakeSecrets(), newId: () => 'a' }),
        state,
      });
      for (const connectionName of ['x', 'length', '__proto__', 'constructor'])
        assert.equal(choices.find(connectionName), undefined);
      assert.equal(choices.find(undefined), undefined);
      assert.deepEqual([choices.isWaiting(watchedItem), choices.getRefreshConnection(watchedItem)], [true, undefined]);
      assert.equal(new LastQuery(state).get(), undefined);
      assert.equal(new LastExport(state).get(), undefined);
      assert.ok(['string', 'undefined'].includes(typeof new PinnedStress(state).connectionId));
      const pauses = new ReportedPauses(state);
      const pause = { connectionId: 'a', dataset: 'gridStress', reason: 'rejected' } as never;
      assert.deepEqual([await pauses.recordIfNew(pause), await pauses.recordIfNew(pause)], [true, false]);
      const snoozes = new LocalSnoozes(state, () => 0);
      assert.deepEqual(snoozes.apply(watchedItem), watchedItem);
      await snoozes.snooze(watchedItem, ['high'], 5);
      assert.equal(snoozes.apply(watchedItem).query.alerts?.[0]?.snoozedUntil, 5);
      const consent = new WatchConsent(state);
      assert.deepEqual([consent.hasAllowed, consent.isAllowed(watchedItem)], [false, false]);
      await consent.saveDecisions([{ item: watchedItem, allowed: true }]);
      assert.ok(consent.isAllowed(watchedItem));
      const serviceClock = new ServiceClock(clock, state);
      new Date(serviceClock.now('https://grid.example')).toISOString();
      const limit = new MaxRangeStore(state, clock).getLimit('a') ?? hourMs;
      assert.ok(limit >= 60_000);
      const panel = parseSavedPanel({ question: value }) ?? parseSavedPanel(value);
      assert.equal(panel && serializePanel(panel), undefined);
    });

    it(`keeps valid records if another record is invalid: ${name}`, async () => {
      const addConnection = async (state: FakeState): Promise<unknown> =>
        new Connections({ state, secrets: new FakeSecrets(), newId: () => 'a' }).add({
          ...connection,
          state: 'works',
        } as never);
      const connections = new Connections({
        state: await addHostileRecord('connections', addConnection, value),
        secrets: new FakeSecrets(),
        newId: () => 'b',
      });
      assert.deepEqual(
        connections.list().map(({ name: connectionName }) => connectionName),
        ['Grid'],
      );
      const pause = { connectionId: 'a', dataset: 'gridStress', reason: 'rejected' } as never;
      const pausedState = await addHostileRecord(
        'saidStops',
        async state => new ReportedPauses(state).recordIfNew(pause),
        value,
      );
      assert.equal(await new ReportedPauses(pausedState).recordIfNew(pause), false);
      const snoozedState = await addHostileRecord(
        'ownSilence',
        async state => new LocalSnoozes(state, () => 0).snooze(watchedItem, ['high'], 'off'),
        value,
      );
      assert.equal(new LocalSnoozes(snoozedState, () => 0).apply(watchedItem).query.alerts?.[0]?.on, false);
      const consentedState = await addHostileRecord(
        'watchingAnswers',
        async state => new WatchConsent(state).saveDecisions([{ item: watchedItem, allowed: true }]),
        value,
      );
      assert.ok(new WatchConsent(consentedState).isAllowed(watchedItem));
      const times = { sentAt: 0, headAt: 1, respondedAt: minuteMs };
      const correctedState = await addHostileRecord(
        'clockOffsets',
        async state => new ServiceClock(clock, state).update('s', times),
        value,
      );
      assert.equal(new ServiceClock(clock, correctedState).offset('s'), minuteMs - 1);
    });

    it(`keeps saved queries and recent runs if another record is invalid: ${name}`, async () => {
      const file = new FakeFile();
      const state = new FakeState();
      const openStore = (): PersonalQueryStore => new PersonalQueryStore({ file, state, clock, windowId: 'w' });
      await openStore().edit(() => [createQuery('a')]);
      const stored = state.get(savedStateName) as { items: Record<string, unknown> };
      await state.update(savedStateName, { ...stored, items: { hostile: value, ...stored.items } });
      file.text = JSON.stringify({ ...stored, items: { ...stored.items, hostile: value } });
      const store = openStore();
      await store.edit(tree => [...tree, createQuery('b')]);
      assert.equal(formatTree(store.tree()), 'a b');
      assert.equal(file.aside.length, 1);
      for (const damaged of [value, { version: 1, items: value }]) {
        await state.update(savedStateName, damaged);
        file.text = JSON.stringify(damaged);
        await store.refresh();
        assert.equal(formatTree(store.tree()), 'a b');
      }

      const query = { dataset: 'systemState', range: 'today', interval: '1h', params: {}, timeZone: 'UTC' };
      const run: RecentRun = {
        id: 'r',
        at: 5,
        query,
        connection: { id: 'c', name: 'Grid' },
        outcome: { kind: 'rows', rows: 1 },
        requestsSpent: 1,
        savedId: 's',
      };
      const runs = new FakeFile();
      await new RecentRuns({ file: runs }).add(run);
      const { runs: list, last } = JSON.parse(runs.text ?? '') as { runs: unknown[]; last: object };
      runs.text = JSON.stringify({
        version: 1,
        runs: [value, ...list, { ...run, id: 'hostile', at: value }],
        last: { hostile: value, ...last },
      });
      const recent = new RecentRuns({ file: runs });
      await recent.refresh();
      assert.ok(recent.list().some(({ id }) => id === 'r'));
      for (const { at } of recent.list()) new Date(at).toISOString();
      assert.ok(recent.getLastRun('s'));
      runs.text = JSON.stringify(value);
      await recent.refresh();
      await recent.add({ ...run, id: 'r2' });
      assert.ok(recent.list().some(({ id }) => id === 'r2'));
    });
  }

  it('notifies only once about an hour, even if the alert history contains invalid values', async () => {
    const folder = createTemporaryFolder();
    const warnings: string[] = [];
    const logger = { warn: (line: string) => void warnings.push(line) };
    const openStore = (): AlertHistoryFolder =>
      new AlertHistoryFolder({ folder, clock: impatientClock, random: Math.random, logger });
    const reading = readingOfHours([{ mw: 6 }, { mw: 6 }]);
    const countNotifications = async (): Promise<number> =>
      openStore().update('q.json', previous => {
        const { history, notifications } = evaluateAlerts(previous, [over5], reading);
        return { history, value: notifications.length };
      });
    const initialHistory = retainAlerts({ alerts: [] }, [over5], midnight);
    for (const { name, value } of hostileValues) {
      const alerts = initialHistory.alerts.map(alert => ({
        ...alert,
        ...(typeof value === 'number' && { hours: [value, 1e308] }),
      }));
      writeFileSync(
        join(folder, 'q.json'),
        JSON.stringify({ alerts: [value, ...alerts, { ...alerts[0], hours: value }], asked: value }),
      );
      assert.deepEqual(
        [await countNotifications(), await countNotifications(), await countNotifications()],
        [1, 0, 0],
        name,
      );
      writeFileSync(join(folder, 'q.json'), JSON.stringify(value));
      await countNotifications();
      assert.equal(await countNotifications(), 0);
    }
    writeFileSync(join(folder, 'q.json'), ' '.repeat(20e6));
    await countNotifications();
    assert.equal(await countNotifications(), 0);
    assert.deepEqual(warnings, []);
  });
});
