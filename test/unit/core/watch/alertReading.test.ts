import assert from 'node:assert/strict';
import type { AlertRule } from '../../../../src/core/watch/alert.ts';
import { hour, hoursOfDay, late, midnight, readingOfHours } from './readings.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { findFindings, countPastAlerts, createReading } from '../../../../src/core/watch/alertReading.ts';

const delayed = (lastAvailable: string): Record<string, unknown> => ({
  meta: { data_delay: true, last_available: lastAvailable },
});

describe('evaluating alerts', () => {
  const mw = readingOfHours([{ mw: 4 }, { mw: 5 }, { mw: 6 }, { mw: null }, { other: 1 }, undefined, { mw: 7 }]);

  it('reports hours above and below a value, not equal, null, absent or missing', () => {
    assert.deepEqual(hoursOfDay(findFindings(mw, { kind: 'condition', condition: 'mw > 5' }, 0)), [2, 6]);
    assert.deepEqual(hoursOfDay(findFindings(mw, { kind: 'condition', condition: 'mw < 5' }, 0)), [0]);
    assert.deepEqual(hoursOfDay(findFindings(mw, { kind: 'condition', condition: 'mw < 100' }, 0)), [0, 1, 2, 6]);
    assert.deepEqual(findFindings(mw, { kind: 'condition', condition: 'gone < 100' }, 0), []);
  });

  it('reports only finished hours after the last reported one', () => {
    const rule: AlertRule = { kind: 'condition', condition: 'mw > 0' };
    assert.deepEqual(hoursOfDay(findFindings(mw, rule, midnight + 2 * hour)), [2, 6]);
    assert.deepEqual(hoursOfDay(findFindings(mw, rule, midnight + 2 * hour - 1)), [1, 2, 6]);
    const now = midnight + 7 * hour - 1;
    assert.deepEqual(hoursOfDay(findFindings({ ...mw, now }, rule, 0)), [0, 1, 2]);
  });

  it('names the value by label and unit when the field is known, else by field name', () => {
    const rows = [{ residual_demand_mw: 30_123.5, odd: 1 }];
    const reading = readingOfHours(rows, { dataset: 'systemState' });
    assert.deepEqual(findFindings(reading, { kind: 'condition', condition: 'residual_demand_mw > 30000' }, 0), [
      {
        hour: midnight,
        value: 30_123.5,
        field: { name: 'residual_demand_mw', label: 'Residual demand', unit: 'MW' },
      },
    ]);
    const [odd] = findFindings(reading, { kind: 'condition', condition: 'odd > 0' }, 0);
    assert.deepEqual(odd?.field, { name: 'odd', label: 'odd' });
  });

  it('counts the hours in which an alert would have fired among those with a value', () => {
    assert.deepEqual(countPastAlerts(mw, { kind: 'condition', condition: 'mw > 5' }), { fired: 2, known: 4 });
    assert.deepEqual(countPastAlerts({ ...mw, now: mw.now - 1 }, { kind: 'condition', condition: 'mw > 5' }), {
      fired: 1,
      known: 3,
    });
    assert.deepEqual(countPastAlerts(mw, { kind: 'condition', condition: 'mw < 0' }), { fired: 0, known: 4 });
    const stress = readingOfHours([0.2, 0.6, null, 0.9].map(value => ({ value })));
    assert.deepEqual(countPastAlerts(stress, { kind: 'condition', condition: 'value >= 0.6' }), { fired: 2, known: 3 });
    for (const rule of [
      late,
      { kind: 'condition', condition: 'gone < 1' },
      { kind: 'condition', condition: 'ocgt_ramp_mw > 1' },
    ] as const)
      assert.equal(countPastAlerts(mw, rule), undefined);
  });

  it('ignores a text field, and a response without a table', () => {
    const rule: AlertRule = { kind: 'condition', condition: 'mw > 0' };
    assert.deepEqual(findFindings(readingOfHours([{ mw: '9' }]), rule, 0), []);
    const none = { ...mw, frame: undefined, coverage: undefined };
    for (const kind of [rule, { kind: 'late' }, { kind: 'condition', condition: 'value >= 0' }] as const)
      assert.deepEqual(findFindings(none, kind, 0), []);
  });

  it('reports a stress band from its lower limit up, with the band of the value', () => {
    const values = [0.2, 0.3, 0.599, 0.6, 0.799, 0.8, 1];
    const reading = readingOfHours(values.map(value => ({ value })));
    const found = findFindings(reading, { kind: 'condition', condition: 'value >= 0.6' }, 0);
    assert.deepEqual(hoursOfDay(found), [3, 4, 5, 6]);
    assert.deepEqual(
      found.map(({ band }) => band),
      ['high', 'high', 'critical', 'critical'],
    );
    assert.equal(findFindings(reading, { kind: 'condition', condition: 'value >= 0.3' }, 0).length, 6);
    const [over] = findFindings(reading, { kind: 'condition', condition: 'value > 0.9' }, 0);
    assert.equal(over?.band, 'critical');
  });

  it('gives no other field named value a stress band', () => {
    const reading = readingOfHours([{ value: 0.9 }], { dataset: 'systemState' });
    const [found] = findFindings(reading, { kind: 'condition', condition: 'value >= 0.6' }, 0);
    assert.deepEqual([found?.value, found?.band], [0.9, undefined]);
  });

  it('reports a formula over several columns and hours, and those that the query adds', () => {
    const rows = [1, 2, 9, 9, null, 9].map((load, at) => ({ load, forecast: at }));
    const given = readingOfHours(rows);
    const found = (condition: string, reading = given) =>
      hoursOfDay(findFindings(reading, { kind: 'condition', condition }, 0));
    assert.deepEqual(found('load - forecast > 5'), [2, 3]);
    assert.deepEqual(found('mean(load, 2h) > 5 and not (forecast = 2)'), [3, 4, 5]);
    assert.deepEqual(found('load > '), []);
    assert.deepEqual(found('load + 1'), [], 'a number is no condition');
    const result = { frame: given.frame, coverage: given.coverage, provenance: { start: midnight, interval: '1h' } };
    const derive = [{ name: 'error', formula: 'load - forecast' }];
    const derived = createReading(result as unknown as Result, given.now, derive);
    assert.deepEqual(found('error > 5', derived), [2, 3]);
    const [first] = findFindings(derived, { kind: 'condition', condition: 'error > 5' }, 0);
    assert.deepEqual(first?.field, { name: 'error', label: 'error' });
  });

  it('reports only hours before which it held for long enough, without a gap', () => {
    const values = [6, 6, 6, null, 6, 6, undefined, 6, 6, 6, 6, 1, 6];
    const reading = readingOfHours(values.map(mw => (mw === undefined ? undefined : { mw })));
    const held = (rows: number) =>
      hoursOfDay(findFindings(reading, { kind: 'condition', condition: 'mw > 5', rows }, 0));
    assert.deepEqual(held(1), [0, 1, 2, 4, 5, 7, 8, 9, 10, 12]);
    assert.deepEqual(held(2), [1, 2, 5, 8, 9, 10]);
    assert.deepEqual(held(3), [2, 9, 10]);
    assert.deepEqual(held(5), []);
    assert.deepEqual(countPastAlerts(reading, { kind: 'condition', condition: 'mw > 5', rows: 3 }), {
      fired: 3,
      known: 5,
    });
  });

  it('reports an OCGT ramp above a value, and no fall', () => {
    const rows = [900, -1500, 1000, 1001].map(ramp => ({ ocgt_ramp_mw: ramp }));
    const reading = readingOfHours(rows, { dataset: 'systemState' });
    assert.deepEqual(
      hoursOfDay(findFindings(reading, { kind: 'condition', condition: 'ocgt_ramp_mw > 1000' }, 0)),
      [3],
    );
  });

  it('reports delayed data once, with the latest hour and the first missing one', () => {
    const rows = [{ mw: 1 }, undefined, { mw: 1 }, undefined, undefined];
    const reading = readingOfHours(rows, { meta: delayed('2026-05-04T02:00:00Z') });
    assert.deepEqual(findFindings(reading, late, 0), [{ hour: midnight + 4 * hour, lateSince: midnight + 3 * hour }]);
    assert.deepEqual(findFindings(reading, late, midnight + 5 * hour), []);
    assert.deepEqual(findFindings(readingOfHours(rows), late, 0), [], 'a hole that is not called late');
    const onTime = readingOfHours([{ mw: 1 }], { meta: delayed('2026-05-04T00:00:00Z') });
    assert.deepEqual(findFindings(onTime, late, 0), [], 'all that is over is there');
  });
});
