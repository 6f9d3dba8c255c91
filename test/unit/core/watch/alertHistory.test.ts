import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/core/watch/alert.ts';
import type { Reading } from '../../../../src/core/watch/alertReading.ts';
import {
  retainAlerts,
  mergeAlertHistories,
  listNotifiedHours,
  emptyAlertHistory,
  evaluateAlerts,
  type AlertHistory,
} from '../../../../src/core/watch/alertHistory.ts';
import { hour, hoursOfDay, late, midnight, over5, readingOfHours } from './readings.ts';

const startHistory = (...alerts: Alert[]): AlertHistory => retainAlerts(emptyAlertHistory, alerts, midnight);

/** Evaluates a reading, and returns the notifications and the updated history. */
function evaluate(oldHistory: AlertHistory, alerts: readonly Alert[], reading: Reading) {
  const { history: after, notifications } = evaluateAlerts(oldHistory, alerts, reading);
  const withFindings = notifications.filter(({ findings }) => findings.length > 0);
  return { after, hours: withFindings.map(({ alert, findings }) => [alert.id, ...hoursOfDay(findings)]) };
}

function createMwReading(values: readonly (number | null | undefined)[], now?: number): Reading {
  const rows = values.map(value => (value === undefined ? undefined : { mw: value }));
  return readingOfHours(rows, now === undefined ? {} : { now });
}

const createLateReading = (count: number, first: number, change: Partial<Reading> = {}): Reading => {
  const rows = Array.from({ length: count }, (_, index) => (index < first ? { mw: 1 } : undefined));
  const last = new Date(midnight + (first - 1) * hour).toISOString();
  return readingOfHours(rows, { meta: { data_delay: first < count, last_available: last }, ...change });
};

describe('the alert history', () => {
  it('reports each hour once, also a late, corrected or formerly null one', () => {
    const first = evaluate(startHistory(over5), [over5], createMwReading([6, undefined, null, 1, 6]));
    assert.deepEqual(first.hours, [['over5', 0, 4]]);
    const repeated = evaluateAlerts(first.after, [over5], createMwReading([6, undefined, null, 1, 6]));
    assert.deepEqual([repeated.notifications, repeated.history === first.after], [[], true]);
    const filled = evaluate(first.after, [over5], createMwReading([6, 7, 8, 9, 6, 1]));
    assert.deepEqual(filled.hours, [['over5', 1, 2, 3]]);
    assert.deepEqual(evaluate(filled.after, [over5], createMwReading([9, 9, 9, 9, 9, 1])).hours, []);
  });

  it('ignores hours before the alert was created, and starts when nothing is known', () => {
    const begunAtTwo = retainAlerts(emptyAlertHistory, [over5], midnight + 2.5 * hour);
    assert.deepEqual(evaluate(begunAtTwo, [over5], createMwReading([6, 6, 6, 6])).hours, [['over5', 2, 3]]);
    const unknown = evaluate(emptyAlertHistory, [over5], createMwReading([6, 6]));
    assert.deepEqual(unknown.hours, []);
    assert.deepEqual(evaluate(unknown.after, [over5], createMwReading([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('starts again when an alert is enabled or changed, and reports no hour twice', () => {
    const { after } = evaluate(startHistory(over5), [over5], createMwReading([6]));
    assert.equal(retainAlerts(after, [over5], midnight + 9 * hour), after, 'unchanged alerts keep the history');
    const withoutAlerts = retainAlerts(after, [], midnight + hour);
    const enabledAgain = retainAlerts(withoutAlerts, [over5], midnight + 3 * hour);
    assert.deepEqual(evaluate(enabledAgain, [over5], createMwReading([6, 6, 6, 6])).hours, [['over5', 3]]);
    const over3: Alert = { ...over5, kind: 'condition', condition: 'mw > 3' };
    const changed = retainAlerts(after, [over3], midnight + 2 * hour);
    assert.deepEqual(evaluate(changed, [over3], createMwReading([6, 4, 4])).hours, [['over5', 2]]);
    const back = retainAlerts(changed, [over5], midnight + 3 * hour);
    assert.deepEqual(evaluate(back, [over5], createMwReading([6, 6, 6, 6])).hours, [['over5', 3]]);
  });

  it('does not report hours that end while it is snoozed, also afterwards', () => {
    const snoozed: Alert = { ...over5, snoozedUntil: midnight + 2 * hour };
    const { after, hours } = evaluate(startHistory(over5), [snoozed], createMwReading([6, 6]));
    assert.deepEqual(hours, []);
    assert.deepEqual(evaluate(after, [snoozed], createMwReading([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('ignores hours that are a week old', () => {
    const values = Array.from({ length: 200 }, () => 6);
    const [notification] = evaluateAlerts(startHistory(over5), [over5], createMwReading(values)).notifications;
    assert.equal(notification?.findings.length, 7 * 24);
  });

  it('keeps reported hours for two weeks', () => {
    const twoWeeks = 14 * 24;
    const { after } = evaluate(startHistory(over5), [over5], createMwReading([6, 6]));
    const laterEvaluation = evaluate(
      after,
      [over5],
      createMwReading([...Array.from({ length: twoWeeks }, () => null), 6]),
    );
    assert.deepEqual(
      laterEvaluation.after.alerts.map(({ hours }) => hours),
      [[midnight + hour, midnight + twoWeeks * hour]],
    );
  });

  it('keeps reported hours while the clock is wrong', () => {
    const { after } = evaluate(startHistory(over5), [over5], createMwReading([6, 6]));
    const evaluationAhead = evaluate(after, [over5], createMwReading([6, 6, 6], midnight + 100 * 24 * hour));
    assert.deepEqual(evaluationAhead.hours, []);
    assert.deepEqual(evaluate(evaluationAhead.after, [over5], createMwReading([6, 6, 6])).hours, [['over5', 2]]);
    const future = retainAlerts(emptyAlertHistory, [over5], midnight + 1000 * hour);
    const corrected = evaluate(future, [over5], createMwReading([6, 6]));
    assert.deepEqual(evaluate(corrected.after, [over5], createMwReading([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('reports delayed data once, until it was on time or snoozed', () => {
    const first = evaluate(startHistory(late), [late], createLateReading(4, 3));
    assert.deepEqual(first.hours, [['late', 3]]);
    const still = evaluate(first.after, [late], createLateReading(6, 4));
    assert.deepEqual(still.hours, []);
    // A request that failed does not count as on time.
    const failed = evaluate(still.after, [late], createLateReading(7, 7, { isPartial: true }));
    assert.deepEqual(evaluate(failed.after, [late], createLateReading(8, 7)).hours, []);
    const onTime = evaluate(still.after, [late], createLateReading(7, 7));
    assert.deepEqual(onTime.hours, []);
    assert.deepEqual(evaluate(onTime.after, [late], createLateReading(8, 7)).hours, [['late', 7]]);
    const snoozed: Alert = { ...late, snoozedUntil: midnight + 8 * hour };
    const silenced = evaluate(first.after, [snoozed], createLateReading(7, 3));
    assert.deepEqual(evaluate(silenced.after, [snoozed], createLateReading(9, 3)).hours, [['late', 8]]);
  });

  it('lists the reported hours of each alert, in their order', () => {
    const firstHistory = evaluate(startHistory(over5), [over5], createMwReading([6, 1, 1]));
    const second = evaluate(firstHistory.after, [over5], createMwReading([6, 6, 1, 6]));
    const hours = listNotifiedHours(second.after, [over5, late], midnight + 4 * hour);
    assert.deepEqual(
      [...hours].map(([id, hoursOfAlert]) => [id, hoursOfAlert.map(ms => (ms - midnight) / hour)]),
      [
        ['over5', [0, 1, 3]],
        ['late', []],
      ],
    );
    assert.deepEqual(
      listNotifiedHours(second.after, [{ ...over5, condition: 'mw > 1' } as Alert], midnight).get('over5'),
      [],
    );
    const laterHours = listNotifiedHours(second.after, [over5], midnight + 14 * 24 * hour + 2 * hour);
    assert.deepEqual(laterHours.get('over5'), [midnight + 3 * hour]);
  });

  it('reports once that the condition of a reported alert no longer holds', () => {
    const evaluateEnd = (history: AlertHistory, alert: Alert, reading: Reading) => {
      const { notifications, history: after } = evaluateAlerts(history, [alert], reading);
      return { after, ends: notifications.flatMap(({ endedAt = [] }) => endedAt).map(ms => (ms - midnight) / hour) };
    };
    const held = evaluateEnd(startHistory(over5), over5, createMwReading([6, 6]));
    assert.deepEqual(held.ends, []);
    // An hour without a value proves nothing.
    const unknown = evaluateEnd(held.after, over5, createMwReading([6, 6, null, undefined]));
    assert.deepEqual(unknown.ends, []);
    const over = evaluateEnd(unknown.after, over5, createMwReading([6, 6, null, undefined, 1]));
    assert.deepEqual(over.ends, [4]);
    assert.deepEqual(evaluateEnd(over.after, over5, createMwReading([6, 6, null, undefined, 1, 1])).ends, []);
    const history = retainAlerts(emptyAlertHistory, [over5], midnight + 2 * hour);
    const neverNotified = evaluateEnd(history, over5, createMwReading([6, 6]));
    assert.deepEqual(
      evaluateEnd(neverNotified.after, over5, createMwReading([6, 6, 1])).ends,
      [],
      'there was no notification that the condition holds',
    );
    const snoozed: Alert = { ...over5, snoozedUntil: midnight + 4 * hour };
    const silenced = evaluateEnd(held.after, snoozed, createMwReading([6, 6, 1]));
    assert.deepEqual([silenced.ends, evaluateEnd(silenced.after, over5, createMwReading([6, 6, 1, 1])).ends], [[], []]);
    const delayed = evaluateAlerts(startHistory(late), [late], createLateReading(4, 3)).history;
    assert.deepEqual(evaluateEnd(delayed, late, createLateReading(7, 7, { isPartial: true })).ends, []);
    assert.deepEqual(evaluateEnd(delayed, late, createLateReading(7, 7)).ends, [7]);
    const mutedLate: Alert = { ...late, snoozedUntil: midnight + 20 * hour };
    assert.deepEqual(
      evaluateEnd(delayed, mutedLate, createLateReading(6, 3)).ends,
      [],
      'the data is still late, and the alert is snoozed',
    );
  });

  it('reports no end of a run before the known hours, nor of one that may continue', () => {
    const three: Alert = { ...over5, rows: 3 } as Alert;
    const describeNotifications = (values: readonly (number | null | undefined)[]) => {
      const { after } = evaluate(startHistory(three), [three], createMwReading([6, 6, 6]));
      const { notifications } = evaluateAlerts(after, [three], createMwReading(values));
      return notifications.map(({ findings, endedAt }) => [hoursOfDay(findings), endedAt !== undefined]);
    };
    assert.deepEqual(describeNotifications([6, 6, 6, undefined, 6]), [], 'the missing hour may belong to the run');
    assert.deepEqual(describeNotifications([6, 6, null]), [], 'the reported hour no longer has a value');
    assert.deepEqual(describeNotifications([6, 6, 6, 6]), [[[3], false]]);
    assert.deepEqual(describeNotifications([6, 6, 6, 1]), [[[], true]]);
    // A range that starts again, such as today, only contains the end of the run.
    const { after } = evaluate(startHistory(three), [three], createMwReading([6, 6, 6]));
    const today = { ...createMwReading([undefined, undefined, undefined, 6]), start: midnight + 3 * hour };
    assert.deepEqual(evaluateAlerts(after, [three], today).notifications, []);
  });

  it('merges the histories of two windows without reporting again', () => {
    const firstWindow = evaluate(startHistory(over5), [over5], createMwReading([6, 1, 6]));
    const secondWindow = evaluate(startHistory(over5, late), [over5], createMwReading([1, 6, 1]));
    const merged = mergeAlertHistories(firstWindow.after, secondWindow.after);
    assert.deepEqual(evaluate(merged, [over5], createMwReading([6, 6, 6, 6])).hours, [['over5', 3]]);
    assert.deepEqual(evaluate(merged, [late], createLateReading(2, 1)).hours, [['late', 1]]);
    const over3: Alert = { ...over5, kind: 'condition', condition: 'mw > 3' };
    const changed = mergeAlertHistories(firstWindow.after, startHistory(over3));
    assert.deepEqual(evaluate(changed, [over3], createMwReading([4])).hours, [['over5', 0]]);
  });
});
