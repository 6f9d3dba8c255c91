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

const begun = (...alerts: Alert[]): AlertHistory => retainAlerts(emptyAlertHistory, alerts, midnight);

/** Returns the notifications for a reading, and the updated history. */
function evaluate(before: AlertHistory, alerts: readonly Alert[], reading: Reading) {
  const { history: after, notifications } = evaluateAlerts(before, alerts, reading);
  const found = notifications.filter(({ findings }) => findings.length > 0);
  return { after, hours: found.map(({ alert, findings }) => [alert.id, ...hoursOfDay(findings)]) };
}

function mw(values: readonly (number | null | undefined)[], now?: number): Reading {
  const rows = values.map(value => (value === undefined ? undefined : { mw: value }));
  return readingOfHours(rows, now === undefined ? {} : { now });
}

const lateFrom = (count: number, first: number, change: Partial<Reading> = {}): Reading => {
  const rows = Array.from({ length: count }, (_, index) => (index < first ? { mw: 1 } : undefined));
  const last = new Date(midnight + (first - 1) * hour).toISOString();
  return readingOfHours(rows, { meta: { data_delay: first < count, last_available: last }, ...change });
};

describe('the alert history', () => {
  it('reports each hour once, also a late, corrected or formerly null one', () => {
    const first = evaluate(begun(over5), [over5], mw([6, undefined, null, 1, 6]));
    assert.deepEqual(first.hours, [['over5', 0, 4]]);
    const again = evaluateAlerts(first.after, [over5], mw([6, undefined, null, 1, 6]));
    assert.deepEqual([again.notifications, again.history === first.after], [[], true]);
    const filled = evaluate(first.after, [over5], mw([6, 7, 8, 9, 6, 1]));
    assert.deepEqual(filled.hours, [['over5', 1, 2, 3]]);
    assert.deepEqual(evaluate(filled.after, [over5], mw([9, 9, 9, 9, 9, 1])).hours, []);
  });

  it('ignores hours before the alert was created, and starts when nothing is known', () => {
    const begunAtTwo = retainAlerts(emptyAlertHistory, [over5], midnight + 2.5 * hour);
    assert.deepEqual(evaluate(begunAtTwo, [over5], mw([6, 6, 6, 6])).hours, [['over5', 2, 3]]);
    const unknown = evaluate(emptyAlertHistory, [over5], mw([6, 6]));
    assert.deepEqual(unknown.hours, []);
    assert.deepEqual(evaluate(unknown.after, [over5], mw([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('starts again when an alert is enabled or changed, and reports no hour twice', () => {
    const { after } = evaluate(begun(over5), [over5], mw([6]));
    assert.equal(retainAlerts(after, [over5], midnight + 9 * hour), after, 'the same alerts change nothing');
    const off = retainAlerts(after, [], midnight + hour);
    const on = retainAlerts(off, [over5], midnight + 3 * hour);
    assert.deepEqual(evaluate(on, [over5], mw([6, 6, 6, 6])).hours, [['over5', 3]]);
    const over3: Alert = { ...over5, kind: 'condition', condition: 'mw > 3' };
    const changed = retainAlerts(after, [over3], midnight + 2 * hour);
    assert.deepEqual(evaluate(changed, [over3], mw([6, 4, 4])).hours, [['over5', 2]]);
    const back = retainAlerts(changed, [over5], midnight + 3 * hour);
    assert.deepEqual(evaluate(back, [over5], mw([6, 6, 6, 6])).hours, [['over5', 3]]);
  });

  it('stays silent for hours that end while it is snoozed, also afterwards', () => {
    const snoozed: Alert = { ...over5, snoozedUntil: midnight + 2 * hour };
    const { after, hours } = evaluate(begun(over5), [snoozed], mw([6, 6]));
    assert.deepEqual(hours, []);
    assert.deepEqual(evaluate(after, [snoozed], mw([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('ignores hours that are a week old', () => {
    const values = Array.from({ length: 200 }, () => 6);
    const [notification] = evaluateAlerts(begun(over5), [over5], mw(values)).notifications;
    assert.equal(notification?.findings.length, 7 * 24);
  });

  it('keeps reported hours for two weeks', () => {
    const twoWeeks = 14 * 24;
    const { after } = evaluate(begun(over5), [over5], mw([6, 6]));
    const later = evaluate(after, [over5], mw([...Array.from({ length: twoWeeks }, () => null), 6]));
    assert.deepEqual(
      later.after.alerts.map(({ hours }) => hours),
      [[midnight + hour, midnight + twoWeeks * hour]],
    );
  });

  it('keeps reported hours while a clock is wrong', () => {
    const { after } = evaluate(begun(over5), [over5], mw([6, 6]));
    const ahead = evaluate(after, [over5], mw([6, 6, 6], midnight + 100 * 24 * hour));
    assert.deepEqual(ahead.hours, []);
    assert.deepEqual(evaluate(ahead.after, [over5], mw([6, 6, 6])).hours, [['over5', 2]]);
    const future = retainAlerts(emptyAlertHistory, [over5], midnight + 1000 * hour);
    const righted = evaluate(future, [over5], mw([6, 6]));
    assert.deepEqual(evaluate(righted.after, [over5], mw([6, 6, 6])).hours, [['over5', 2]]);
  });

  it('reports delayed data once, until it was on time or snoozed', () => {
    const first = evaluate(begun(late), [late], lateFrom(4, 3));
    assert.deepEqual(first.hours, [['late', 3]]);
    const still = evaluate(first.after, [late], lateFrom(6, 4));
    assert.deepEqual(still.hours, []);
    // A reading that could not be requested does not count as on time.
    const failed = evaluate(still.after, [late], lateFrom(7, 7, { isPartial: true }));
    assert.deepEqual(evaluate(failed.after, [late], lateFrom(8, 7)).hours, []);
    const onTime = evaluate(still.after, [late], lateFrom(7, 7));
    assert.deepEqual(onTime.hours, []);
    assert.deepEqual(evaluate(onTime.after, [late], lateFrom(8, 7)).hours, [['late', 7]]);
    const snoozed: Alert = { ...late, snoozedUntil: midnight + 8 * hour };
    const quiet = evaluate(first.after, [snoozed], lateFrom(7, 3));
    assert.deepEqual(evaluate(quiet.after, [snoozed], lateFrom(9, 3)).hours, [['late', 8]]);
  });

  it('tells the hours that were notified of each alert, in their order', () => {
    const first = evaluate(begun(over5), [over5], mw([6, 1, 1]));
    const second = evaluate(first.after, [over5], mw([6, 6, 1, 6]));
    const hours = listNotifiedHours(second.after, [over5, late], midnight + 4 * hour);
    assert.deepEqual(
      [...hours].map(([id, all]) => [id, all.map(ms => (ms - midnight) / hour)]),
      [
        ['over5', [0, 1, 3]],
        ['late', []],
      ],
    );
    assert.deepEqual(
      listNotifiedHours(second.after, [{ ...over5, condition: 'mw > 1' } as Alert], midnight).get('over5'),
      [],
    );
    const later = listNotifiedHours(second.after, [over5], midnight + 14 * 24 * hour + 2 * hour);
    assert.deepEqual(later.get('over5'), [midnight + 3 * hour]);
  });

  it('reports once that a notified alert no longer holds', () => {
    const ended = (history: AlertHistory, alert: Alert, reading: Reading) => {
      const { notifications, history: after } = evaluateAlerts(history, [alert], reading);
      return { after, ends: notifications.flatMap(({ endedAt = [] }) => endedAt).map(ms => (ms - midnight) / hour) };
    };
    const held = ended(begun(over5), over5, mw([6, 6]));
    assert.deepEqual(held.ends, []);
    // An hour without a value proves nothing.
    const unknown = ended(held.after, over5, mw([6, 6, null, undefined]));
    assert.deepEqual(unknown.ends, []);
    const over = ended(unknown.after, over5, mw([6, 6, null, undefined, 1]));
    assert.deepEqual(over.ends, [4]);
    assert.deepEqual(ended(over.after, over5, mw([6, 6, null, undefined, 1, 1])).ends, []);
    const before = retainAlerts(emptyAlertHistory, [over5], midnight + 2 * hour);
    const unsaid = ended(before, over5, mw([6, 6]));
    assert.deepEqual(ended(unsaid.after, over5, mw([6, 6, 1])).ends, [], 'nobody was told that it held');
    const snoozed: Alert = { ...over5, snoozedUntil: midnight + 4 * hour };
    const quiet = ended(held.after, snoozed, mw([6, 6, 1]));
    assert.deepEqual([quiet.ends, ended(quiet.after, over5, mw([6, 6, 1, 1])).ends], [[], []]);
    const delayed = evaluateAlerts(begun(late), [late], lateFrom(4, 3)).history;
    assert.deepEqual(ended(delayed, late, lateFrom(7, 7, { isPartial: true })).ends, []);
    assert.deepEqual(ended(delayed, late, lateFrom(7, 7)).ends, [7]);
    const mutedLate: Alert = { ...late, snoozedUntil: midnight + 20 * hour };
    assert.deepEqual(ended(delayed, mutedLate, lateFrom(6, 3)).ends, [], 'late still, and snoozed');
  });

  it('reports no end of a run before the known hours, nor of one that may continue', () => {
    const three: Alert = { ...over5, rows: 3 } as Alert;
    const told = (values: readonly (number | null | undefined)[]) => {
      const { after } = evaluate(begun(three), [three], mw([6, 6, 6]));
      const { notifications } = evaluateAlerts(after, [three], mw(values));
      return notifications.map(({ findings, endedAt }) => [hoursOfDay(findings), endedAt !== undefined]);
    };
    assert.deepEqual(told([6, 6, 6, undefined, 6]), [], 'the missing hour may be one of the run');
    assert.deepEqual(told([6, 6, null]), [], 'the hour that was told of has no value any more');
    assert.deepEqual(told([6, 6, 6, 6]), [[[3], false]]);
    assert.deepEqual(told([6, 6, 6, 1]), [[[], true]]);
    // A range that starts afresh, such as today, only contains the end of the run.
    const { after } = evaluate(begun(three), [three], mw([6, 6, 6]));
    const today = { ...mw([undefined, undefined, undefined, 6]), start: midnight + 3 * hour };
    assert.deepEqual(evaluateAlerts(after, [three], today).notifications, []);
  });

  it('merges the histories of two windows without reporting again', () => {
    const one = evaluate(begun(over5), [over5], mw([6, 1, 6]));
    const other = evaluate(begun(over5, late), [over5], mw([1, 6, 1]));
    const merged = mergeAlertHistories(one.after, other.after);
    assert.deepEqual(evaluate(merged, [over5], mw([6, 6, 6, 6])).hours, [['over5', 3]]);
    assert.deepEqual(evaluate(merged, [late], lateFrom(2, 1)).hours, [['late', 1]]);
    const over3: Alert = { ...over5, kind: 'condition', condition: 'mw > 3' };
    const changed = mergeAlertHistories(one.after, begun(over3));
    assert.deepEqual(evaluate(changed, [over3], mw([4])).hours, [['over5', 0]]);
  });
});
