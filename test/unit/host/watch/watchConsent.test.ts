import assert from 'node:assert/strict';
import type { SavedQuery } from '../../../../src/core/savedQueries/savedItem.ts';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { LocalSnoozes, WatchEdits } from '../../../../src/host/watch/watchEdits.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { FakeQueries, high, itemOf, noConnections } from './fakes.ts';
import { addAlert } from '../../../../src/core/watch/watchedQuery.ts';

const late: Alert = { id: 'late', kind: 'late', on: true };
const shared = (change: Partial<SavedQuery> = {}) => itemOf('file/a', { keepFresh: true, ...change }, 'workspace');

/** Returns the approved part of a query: whether it refreshes hourly, and the ids of its alerts. */
function getApproved(consent: WatchConsent, item = shared()): unknown[] {
  const { keepFresh, alerts = [] } = consent.filterAllowed(item);
  return [keepFresh, ...alerts.map(({ id }) => id)];
}

describe('consent to alerts of a workspace', () => {
  it('needs no consent for personal queries, or for a shared one without alerts', () => {
    const consent = new WatchConsent(new FakeState());
    const personalItem = itemOf('personal/a', { keepFresh: true, alerts: [high] });
    assert.equal(consent.filterAllowed(personalItem), personalItem.query);
    assert.deepEqual(
      [consent.isWaiting(personalItem), consent.isWaiting(shared({ keepFresh: false }))],
      [false, false],
    );
  });

  it('refreshes nothing before consent, and stores it', async () => {
    const state = new FakeState();
    const consent = new WatchConsent(state);
    const item = shared({ alerts: [high] });
    assert.deepEqual([getApproved(consent, item)[0], consent.isWaiting(item)], [false, true]);
    let changeCount = 0;
    consent.onDidChange(() => (changeCount += 1));
    await consent.saveDecisions([{ item, allowed: true }]);
    assert.deepEqual([getApproved(consent, item), consent.isWaiting(item), changeCount], [[true, 'high'], false, 1]);
    assert.deepEqual(getApproved(new WatchConsent(state), item), [true, 'high']);
  });

  it('asks for consent once, also when it was declined', async () => {
    const consent = new WatchConsent(new FakeState());
    await consent.saveDecisions([{ item: shared(), allowed: false }]);
    assert.deepEqual([getApproved(consent), consent.isWaiting(shared())], [[false], false]);
  });

  it('asks for consent again for another query or a further alert', async () => {
    const consent = new WatchConsent(new FakeState());
    const item = shared({ alerts: [high] });
    await consent.saveDecisions([{ item, allowed: true }]);
    const withMoreAlerts = shared({ alerts: [high, late] });
    assert.deepEqual([getApproved(consent, withMoreAlerts), consent.isWaiting(withMoreAlerts)], [[true, 'high'], true]);
    const withFewerAlerts = shared({ alerts: [{ ...high, on: false }] });
    assert.equal(consent.isWaiting(withFewerAlerts), false);
    const otherQuery = shared({ query: { ...item.query.query, range: 'last 10 years' } });
    assert.deepEqual([getApproved(consent, otherQuery)[0], consent.isWaiting(otherQuery)], [false, true]);
    const changedQuery = shared({ connection: 'Another' });
    assert.deepEqual([getApproved(consent, changedQuery)[0], consent.isWaiting(changedQuery)], [false, true]);
  });

  it('grants consent only for the refresh and alerts that the user enables', async () => {
    const consent = new WatchConsent(new FakeState());
    const queries = new FakeQueries(shared({ alerts: [late] }));
    const snoozes = new LocalSnoozes(new FakeState(), () => 0);
    const edits = new WatchEdits({ queries, consent, snoozes, choices: noConnections });
    await edits.changeAlerts(
      queries.all()[0] ?? shared(),
      addAlert('high', { kind: 'condition', condition: 'value >= 0.6' }),
    );
    const [changed = shared()] = queries.all();
    assert.deepEqual([getApproved(consent, changed), consent.isWaiting(changed)], [[true, 'high'], true]);
    await edits.keepFresh(changed);
    assert.deepEqual([getApproved(consent, changed), consent.isWaiting(changed)], [[true, 'late', 'high'], false]);
    await edits.snooze(changed, ['late'], 5);
    assert.deepEqual(
      queries.all()[0]?.query.alerts,
      changed.query.alerts,
      'snoozing does not change the shared alerts',
    );
    await edits.turnOff(changed, ['high'], 'everybody');
    const [silent = shared()] = queries.all();
    assert.deepEqual(
      silent.query.alerts?.map(({ on }) => on),
      [true, false],
    );
    assert.equal(consent.isWaiting(silent), false);
    await edits.stopKeepingFresh(silent);
    assert.equal(queries.all()[0]?.query.keepFresh, undefined);
  });

  it('ignores damaged decisions', async () => {
    const state = new FakeState();
    const consent = new WatchConsent(state);
    for (const damaged of ['x', 7, { 'file/a': { allowed: true } }, { 'file/a': null }]) {
      await state.update('watchingAnswers', damaged);
      assert.deepEqual([getApproved(consent)[0], consent.isWaiting(shared())], [false, true]);
    }
  });
});
