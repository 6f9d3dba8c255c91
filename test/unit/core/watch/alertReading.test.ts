import assert from 'node:assert/strict';
import type { AlertRule } from '../../../../src/core/watch/alert.ts';
import { hour, hoursOfDay, late, midnight, readingOfHours } from './readings.ts';
import type { Result } from '../../../../src/shared/result.ts';
import { findFindings, countPastAlerts, createReading } from '../../../../src/core/watch/alertReading.ts';

const createDelayed = (lastAvailable: string): Record<string, unknown> => ({
  meta: { data_delay: true, last_available: lastAvailable },
});

describe('evaluating alerts', () => {
  const createMwReading = readingOfHours([
    { mw: 4 },
    { mw: 5 },
    { mw: 6 },
    { mw: null },
    { other: 1 },
    undefined,
    { mw: 7 },
  ]);

  it('finds hours above and below a value, but not equal, null, absent or missing ones', () => {
    assert.deepEqual(hoursOfDay(findFindings(createMwReading, { kind: 'condition', condition: 'mw > 5' }, 0)), [2, 6]);
    assert.deepEqual(hoursOfDay(findFindings(createMwReading, { kind: 'condition', condition: 'mw < 5' }, 0)), [0]);
    assert.deepEqual(
      hoursOfDay(findFindings(createMwReading, { kind: 'condition', condition: 'mw < 100' }, 0)),
      [0, 1, 2, 6],
    );
    assert.deepEqual(findFindings(createMwReading, { kind: 'condition', condition: 'gone < 100' }, 0), []);
  });

  it('finds only complete hours after the last reported one', () => {
    const rule: AlertRule = { kind: 'condition', condition: 'mw > 0' };
    assert.deepEqual(hoursOfDay(findFindings(createMwReading, rule, midnight + 2 * hour)), [2, 6]);
    assert.deepEqual(hoursOfDay(findFindings(createMwReading, rule, midnight + 2 * hour - 1)), [1, 2, 6]);
    const now = midnight + 7 * hour - 1;
    assert.deepEqual(hoursOfDay(findFindings({ ...createMwReading, now }, rule, 0)), [0, 1, 2]);
  });

  it('names the value by label and unit if the field is known, else by field name', () => {
    const rows = [{ residual_demand_mw: 30_123.5, odd: 1 }];
    const reading = readingOfHours(rows, { dataset: 'systemState' });
    assert.deepEqual(findFindings(reading, { kind: 'condition', condition: 'residual_demand_mw > 30000' }, 0), [
      {
        hour: midnight,
        value: 30_123.5,
        field: { name: 'residual_demand_mw', label: 'Residual demand', unit: 'MW' },
      },
    ]);
    const [finding] = findFindings(reading, { kind: 'condition', condition: 'odd > 0' }, 0);
    assert.deepEqual(finding?.field, { name: 'odd', label: 'odd' });
  });

  it('counts the hours in which an alert would have fired, among those with a value', () => {
    assert.deepEqual(countPastAlerts(createMwReading, { kind: 'condition', condition: 'mw > 5' }), {
      fired: 2,
      known: 4,
    });
    assert.deepEqual(
      countPastAlerts({ ...createMwReading, now: createMwReading.now - 1 }, { kind: 'condition', condition: 'mw > 5' }),
      {
        fired: 1,
        known: 3,
      },
    );
    assert.deepEqual(countPastAlerts(createMwReading, { kind: 'condition', condition: 'mw < 0' }), {
      fired: 0,
      known: 4,
    });
    const stress = readingOfHours([0.2, 0.6, null, 0.9].map(value => ({ value })));
    assert.deepEqual(countPastAlerts(stress, { kind: 'condition', condition: 'value >= 0.6' }), { fired: 2, known: 3 });
    for (const rule of [
      late,
      { kind: 'condition', condition: 'gone < 1' },
      { kind: 'condition', condition: 'ocgt_ramp_mw > 1' },
    ] as const)
      assert.equal(countPastAlerts(createMwReading, rule), undefined);
  });

  it('ignores a text field, and a response without a table', () => {
    const rule: AlertRule = { kind: 'condition', condition: 'mw > 0' };
    assert.deepEqual(findFindings(readingOfHours([{ mw: '9' }]), rule, 0), []);
    const none = { ...createMwReading, frame: undefined, coverage: undefined };
    for (const kind of [rule, { kind: 'late' }, { kind: 'condition', condition: 'value >= 0' }] as const)
      assert.deepEqual(findFindings(none, kind, 0), []);
  });

  it('reports a stress band from its lower limit up, with the band of the value', () => {
    const values = [0.2, 0.3, 0.599, 0.6, 0.799, 0.8, 1];
    const createStressReading = readingOfHours(values.map(value => ({ value })));
    const findings = findFindings(createStressReading, { kind: 'condition', condition: 'value >= 0.6' }, 0);
    assert.deepEqual(hoursOfDay(findings), [3, 4, 5, 6]);
    assert.deepEqual(
      findings.map(({ band }) => band),
      ['high', 'high', 'critical', 'critical'],
    );
    assert.equal(findFindings(createStressReading, { kind: 'condition', condition: 'value >= 0.3' }, 0).length, 6);
    const [over] = findFindings(createStressReading, { kind: 'condition', condition: 'value > 0.9' }, 0);
    assert.equal(over?.band, 'critical');
  });

  it('finds no stress band in other fields named value', () => {
    const reading = readingOfHours([{ value: 0.9 }], { dataset: 'systemState' });
    const [finding] = findFindings(reading, { kind: 'condition', condition: 'value >= 0.6' }, 0);
    assert.deepEqual([finding?.value, finding?.band], [0.9, undefined]);
  });

  it('supports a formula over several columns and hours, and derived columns', () => {
    const rows = [1, 2, 9, 9, null, 9].map((load, forecast) => ({ load, forecast }));
    const reading = readingOfHours(rows);
    const findHours = (condition: string, searched = reading) =>
      hoursOfDay(findFindings(searched, { kind: 'condition', condition }, 0));
    assert.deepEqual(findHours('load - forecast > 5'), [2, 3]);
    assert.deepEqual(findHours('mean(load, 2h) > 5 and not (forecast = 2)'), [3, 4, 5]);
    assert.deepEqual(findHours('load > '), []);
    assert.deepEqual(findHours('load + 1'), [], 'a number is not a condition');
    const result = {
      frame: reading.frame,
      coverage: reading.coverage,
      provenance: { start: midnight, interval: '1h' },
    };
    const derive = [{ name: 'error', formula: 'load - forecast' }];
    const derived = createReading(result as unknown as Result, reading.now, derive);
    assert.deepEqual(findHours('error > 5', derived), [2, 3]);
    const [first] = findFindings(derived, { kind: 'condition', condition: 'error > 5' }, 0);
    assert.deepEqual(first?.field, { name: 'error', label: 'error' });
  });

  it('finds only hours before which the condition held long enough, without a gap', () => {
    const values = [6, 6, 6, null, 6, 6, undefined, 6, 6, 6, 6, 1, 6];
    const createHeldReading = readingOfHours(values.map(mw => (mw === undefined ? undefined : { mw })));
    const findHeldHours = (rows: number) =>
      hoursOfDay(findFindings(createHeldReading, { kind: 'condition', condition: 'mw > 5', rows }, 0));
    assert.deepEqual(findHeldHours(1), [0, 1, 2, 4, 5, 7, 8, 9, 10, 12]);
    assert.deepEqual(findHeldHours(2), [1, 2, 5, 8, 9, 10]);
    assert.deepEqual(findHeldHours(3), [2, 9, 10]);
    assert.deepEqual(findHeldHours(5), []);
    assert.deepEqual(countPastAlerts(createHeldReading, { kind: 'condition', condition: 'mw > 5', rows: 3 }), {
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
    const reading = readingOfHours(rows, { meta: createDelayed('2026-05-04T02:00:00Z') });
    assert.deepEqual(findFindings(reading, late, 0), [{ hour: midnight + 4 * hour, lateSince: midnight + 3 * hour }]);
    assert.deepEqual(findFindings(reading, late, midnight + 5 * hour), []);
    assert.deepEqual(findFindings(readingOfHours(rows), late, 0), [], 'a missing hour is not late');
    const onTime = readingOfHours([{ mw: 1 }], { meta: createDelayed('2026-05-04T00:00:00Z') });
    assert.deepEqual(findFindings(onTime, late, 0), [], 'every past hour is present');
  });
});
