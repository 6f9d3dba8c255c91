import assert from 'node:assert/strict';
import { serializeRule } from '../../../../src/core/watch/alert.ts';
import { withLocalSnoozes, LocalSnoozes, WatchEdits } from '../../../../src/host/watch/watchEdits.ts';
import { WatchConsent } from '../../../../src/host/watch/watchConsent.ts';
import { FakeState } from '../../service/storeFakes.ts';
import { FakeQueries, high, createWatchedItem, noConnections } from './fakes.ts';

const day = 86_400_000;
const shared = createWatchedItem('file/a', { keepFresh: true, alerts: [high] }, 'workspace');
const personalItem = createWatchedItem('personal/a', { keepFresh: true, alerts: [high] });

function setUp(state = new FakeState(), now = (): number => 0) {
  const snoozes = new LocalSnoozes(state, now);
  const file = new FakeQueries(shared, personalItem);
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
  return { snoozes, file, queries, edits, heard: getAlertState };
}

describe('the alerts of a shared file', () => {
  it('snoozes a shared alert for one user, also after a restart', async () => {
    const state = new FakeState();
    const { file, queries, edits, heard: getAlertState } = setUp(state);
    let changeCount = 0;
    const subscription = queries.onDidChange(() => (changeCount += 1));
    await edits.snooze(shared, ['high'], 5);
    assert.deepEqual([getAlertState(), changeCount, file.all()[0]], [[true, 5], 1, shared]);
    assert.deepEqual(setUp(state).heard(), [true, 5]);
    subscription.dispose();
    await edits.snooze(shared, ['high'], 6);
    assert.equal(changeCount, 1);
  });

  it('turns off a shared alert for one user or for everybody', async () => {
    const { file, edits, heard: getAlertState } = setUp();
    await edits.turnOff(shared, ['high'], 'mine');
    assert.deepEqual([getAlertState(), file.all()[0]], [[false, undefined], shared]);
    await edits.turnOn(shared, ['high']);
    assert.deepEqual(getAlertState(), [true, undefined]);
    await edits.turnOff(shared, ['high'], 'everybody');
    assert.equal(file.all()[0]?.query.alerts?.[0]?.on, false);
    await edits.turnOn(shared, ['high']);
    assert.equal(file.all()[0]?.query.alerts?.[0]?.on, true);
  });

  it('resumes a shared alert once its condition changes', async () => {
    const { file, edits, heard: getAlertState } = setUp();
    await edits.turnOff(shared, ['high'], 'mine');
    file.set(
      createWatchedItem(
        'file/a',
        { keepFresh: true, alerts: [{ ...high, kind: 'condition', condition: 'value >= 0.8' }] },
        'workspace',
      ),
    );
    assert.deepEqual(getAlertState(), [true, undefined]);
  });

  it('keeps the longer of two snoozes, and removes expired ones', async () => {
    const state = new FakeState();
    let now = 0;
    const { file, edits, heard: getAlertState } = setUp(state, () => now);
    await edits.snooze(shared, ['high'], 5);
    file.set(createWatchedItem('file/a', { alerts: [{ ...high, snoozedUntil: 7 }] }, 'workspace'));
    assert.deepEqual(getAlertState(), [true, 7]);
    now = 2 * day;
    await edits.snooze(createWatchedItem('file/b', { alerts: [high] }, 'workspace'), ['high'], 3 * day);
    assert.deepEqual(Object.keys(state.get('ownSilence') as object), ['file/b']);
  });

  it('keeps shared alerts apart from personal ones', async () => {
    const { file, edits } = setUp();
    await edits.snooze(personalItem, ['high'], 5);
    assert.equal(file.all()[1]?.query.alerts?.[0]?.snoozedUntil, 5);
    await edits.turnOff(personalItem, ['high'], 'mine');
    assert.equal(file.all()[1]?.query.alerts?.[0]?.on, false);
  });

  it("uses the file's settings when the stored state is damaged", async () => {
    const state = new FakeState();
    for (const damaged of ['x', { 'file/a': 7 }, { 'file/a': { rule: 'sometimes' } }]) {
      await state.update('ownSilence', damaged);
      assert.deepEqual(setUp(state).heard(), [true, undefined]);
    }
    // An unreadable rule does not affect the other rules of its query.
    await state.update('ownSilence', { 'file/a': { other: 'sometimes', [serializeRule(high)]: 'off' } });
    assert.deepEqual(setUp(state).heard(), [false, undefined]);
  });
});
