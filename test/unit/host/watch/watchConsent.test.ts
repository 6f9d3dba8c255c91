import assert from 'node:assert/strict';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { LocalSnoozes, WatchEdits } from '../../../../src/host/watch/watchEdits.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { FakeQueries, high, createWatchedItem, noConnections } from './fakes.ts';
import { addAlert } from '../../../../src/core/watch/watchedQuery.ts';

const lateAlert: Alert = { id: 'late', kind: 'late', on: true };
/** Creates a query of a workspace file that refreshes hourly. */
const createSharedItem = (change: Partial<SavedQuery> = {}) =>
  createWatchedItem('file/a', { keepFresh: true, ...change }, 'workspace');

/** Returns what the user has allowed for a query: whether it refreshes hourly, and the ids of its alerts. */
function getAllowed(consent: WatchConsent, item = createSharedItem()): unknown[] {
  const { keepFresh, alerts = [] } = consent.filterAllowed(item);
  return [keepFresh, ...alerts.map(({ id }) => id)];
}

describe('WatchConsent', () => {
  it('requires no consent for personal queries, or for shared queries without hourly refresh', () => {
    const consent = new WatchConsent(new FakeState());
    const personalItem = createWatchedItem('personal/a', { keepFresh: true, alerts: [high] });
    assert.equal(consent.filterAllowed(personalItem), personalItem.query);
    assert.deepEqual(
      [consent.isWaiting(personalItem), consent.isWaiting(createSharedItem({ keepFresh: false }))],
      [false, false],
    );
  });

  it('allows nothing before the user consents, and stores the consent', async () => {
    const state = new FakeState();
    const consent = new WatchConsent(state);
    const item = createSharedItem({ alerts: [high] });
    assert.deepEqual([getAllowed(consent, item)[0], consent.isWaiting(item)], [false, true]);
    let changeCount = 0;
    consent.onDidChange(() => (changeCount += 1));
    await consent.saveDecisions([{ item, allowed: true }]);
    assert.deepEqual([getAllowed(consent, item), consent.isWaiting(item), changeCount], [[true, 'high'], false, 1]);
    assert.deepEqual(getAllowed(new WatchConsent(state), item), [true, 'high']);
  });

  it('does not ask again after the user has declined', async () => {
    const consent = new WatchConsent(new FakeState());
    await consent.saveDecisions([{ item: createSharedItem(), allowed: false }]);
    assert.deepEqual([getAllowed(consent), consent.isWaiting(createSharedItem())], [[false], false]);
  });

  it('asks again if the query changes or has more alerts', async () => {
    const consent = new WatchConsent(new FakeState());
    const item = createSharedItem({ alerts: [high] });
    await consent.saveDecisions([{ item, allowed: true }]);
    const withMoreAlerts = createSharedItem({ alerts: [high, lateAlert] });
    assert.deepEqual([getAllowed(consent, withMoreAlerts), consent.isWaiting(withMoreAlerts)], [[true, 'high'], true]);
    const withFewerAlerts = createSharedItem({ alerts: [{ ...high, on: false }] });
    assert.equal(consent.isWaiting(withFewerAlerts), false);
    const otherQuery = createSharedItem({ query: { ...item.query.query, range: 'last 10 years' } });
    assert.deepEqual([getAllowed(consent, otherQuery)[0], consent.isWaiting(otherQuery)], [false, true]);
    const changedQuery = createSharedItem({ connection: 'Another' });
    assert.deepEqual([getAllowed(consent, changedQuery)[0], consent.isWaiting(changedQuery)], [false, true]);
  });

  it('allows only the refresh and the alerts that the user has enabled', async () => {
    const consent = new WatchConsent(new FakeState());
    const queries = new FakeQueries(createSharedItem({ alerts: [lateAlert] }));
    const snoozes = new LocalSnoozes(new FakeState(), () => 0);
    const edits = new WatchEdits({ queries, consent, snoozes, choices: noConnections });
    await edits.changeAlerts(
      queries.all()[0] ?? createSharedItem(),
      addAlert('high', { kind: 'condition', condition: 'value >= 0.6' }),
    );
    const [changed = createSharedItem()] = queries.all();
    assert.deepEqual([getAllowed(consent, changed), consent.isWaiting(changed)], [[true, 'high'], true]);
    await edits.keepFresh(changed);
    assert.deepEqual([getAllowed(consent, changed), consent.isWaiting(changed)], [[true, 'late', 'high'], false]);
    await edits.snooze(changed, ['late'], 5);
    assert.deepEqual(
      queries.all()[0]?.query.alerts,
      changed.query.alerts,
      'snoozing does not change the shared alerts',
    );
    await edits.turnOff(changed, ['high'], 'everybody');
    const [withAlertOff = createSharedItem()] = queries.all();
    assert.deepEqual(
      withAlertOff.query.alerts?.map(({ on }) => on),
      [true, false],
    );
    assert.equal(consent.isWaiting(withAlertOff), false);
    await edits.stopKeepingFresh(withAlertOff);
    assert.equal(queries.all()[0]?.query.keepFresh, undefined);
  });

  it('ignores invalid stored decisions', async () => {
    const state = new FakeState();
    const consent = new WatchConsent(state);
    for (const damaged of ['x', 7, { 'file/a': { allowed: true } }, { 'file/a': null }]) {
      await state.update('watchingAnswers', damaged);
      assert.deepEqual([getAllowed(consent)[0], consent.isWaiting(createSharedItem())], [false, true]);
    }
  });
});
