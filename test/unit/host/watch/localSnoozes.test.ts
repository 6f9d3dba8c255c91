import assert from 'node:assert/strict';
import { serializeRule } from '../../../../src/core/watch/alert.ts';
import { withLocalSnoozes, LocalSnoozes, WatchEdits } from '../../../../src/host/watch/watchEdits.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { FakeQueries, high, createWatchedItem, noConnections } from './fakes.ts';

const dayMs = 86_400_000;
const sharedItem = createWatchedItem('file/a', { keepFresh: true, alerts: [high] }, 'workspace');
const personalItem = createWatchedItem('personal/a', { keepFresh: true, alerts: [high] });

function setUp(state = new FakeState(), now = (): number => 0) {
  const snoozes = new LocalSnoozes(state, now);
  const file = new FakeQueries(sharedItem, personalItem);
  const queries = withLocalSnoozes(file, snoozes);
  const edits = new WatchEdits({
    queries,
    snoozes,
    choices: noConnections,
    consent: new WatchConsent(new FakeState()),
  });
  /** Returns whether the alert of the shared query is on, and until when it is snoozed. */
  const getAlertState = (): unknown[] => {
    const [alert] = queries.all()[0]?.query.alerts ?? [];
    return [alert?.on, alert?.snoozedUntil];
  };
  return { snoozes, file, queries, edits, getAlertState };
}

describe('LocalSnoozes and WatchEdits', () => {
  it('snoozes a shared alert for one user without changing the file, also after a restart', async () => {
    const state = new FakeState();
    const { file, queries, edits, getAlertState } = setUp(state);
    let changeCount = 0;
    const subscription = queries.onDidChange(() => (changeCount += 1));
    await edits.snooze(sharedItem, ['high'], 5);
    assert.deepEqual([getAlertState(), changeCount, file.all()[0]], [[true, 5], 1, sharedItem]);
    assert.deepEqual(setUp(state).getAlertState(), [true, 5]);
    subscription.dispose();
    await edits.snooze(sharedItem, ['high'], 6);
    assert.equal(changeCount, 1);
  });

  it('turns a shared alert off and on for one user or for everybody', async () => {
    const { file, edits, getAlertState } = setUp();
    await edits.turnOff(sharedItem, ['high'], 'mine');
    assert.deepEqual([getAlertState(), file.all()[0]], [[false, undefined], sharedItem]);
    await edits.turnOn(sharedItem, ['high']);
    assert.deepEqual(getAlertState(), [true, undefined]);
    await edits.turnOff(sharedItem, ['high'], 'everybody');
    assert.equal(file.all()[0]?.query.alerts?.[0]?.on, false);
    await edits.turnOn(sharedItem, ['high']);
    assert.equal(file.all()[0]?.query.alerts?.[0]?.on, true);
  });

  it('discards the setting of a user if the condition of the alert changes', async () => {
    const { file, edits, getAlertState } = setUp();
    await edits.turnOff(sharedItem, ['high'], 'mine');
    file.set(
      createWatchedItem(
        'file/a',
        { keepFresh: true, alerts: [{ ...high, kind: 'condition', condition: 'value >= 0.8' }] },
        'workspace',
      ),
    );
    assert.deepEqual(getAlertState(), [true, undefined]);
  });

  it('applies the longer of two snoozes, and removes expired snoozes', async () => {
    const state = new FakeState();
    let now = 0;
    const { file, edits, getAlertState } = setUp(state, () => now);
    await edits.snooze(sharedItem, ['high'], 5);
    file.set(createWatchedItem('file/a', { alerts: [{ ...high, snoozedUntil: 7 }] }, 'workspace'));
    assert.deepEqual(getAlertState(), [true, 7]);
    now = 2 * dayMs;
    await edits.snooze(createWatchedItem('file/b', { alerts: [high] }, 'workspace'), ['high'], 3 * dayMs);
    assert.deepEqual(Object.keys(state.get('ownSilence') as object), ['file/b']);
  });

  it('stores snoozes of personal alerts in the query itself', async () => {
    const { file, edits } = setUp();
    await edits.snooze(personalItem, ['high'], 5);
    assert.equal(file.all()[1]?.query.alerts?.[0]?.snoozedUntil, 5);
    await edits.turnOff(personalItem, ['high'], 'mine');
    assert.equal(file.all()[1]?.query.alerts?.[0]?.on, false);
  });

  it('uses the settings of the file if the stored state is invalid', async () => {
    const state = new FakeState();
    for (const damaged of ['x', { 'file/a': 7 }, { 'file/a': { rule: 'sometimes' } }]) {
      await state.update('ownSilence', damaged);
      assert.deepEqual(setUp(state).getAlertState(), [true, undefined]);
    }
    // An invalid setting does not affect the other alerts of the query.
    await state.update('ownSilence', { 'file/a': { other: 'sometimes', [serializeRule(high)]: 'off' } });
    assert.deepEqual(setUp(state).getAlertState(), [false, undefined]);
  });
});
