import assert from 'node:assert/strict';
import type { Frame } from '../../../../src/shared/frame.ts';
import { availableModes as modesOf } from '../../../../src/presentation/chart/chartModes.ts';
import { defaultOptions, readChartOptions } from '../../../../src/presentation/chart/chartOptions.ts';
import { mixOf } from '../../../../src/presentation/chart/mix.ts';
import { frameOf, numbers, otherUnit } from '../../presentation/chart/chartWorld.ts';

/** The columns with a chart button. */
const availableModes = (frame: Frame): string[] =>
  modesOf(frame).flatMap(({ id, isFurther }) => (isFurther ? [] : [id]));
const furtherModes = (frame: Frame): string[] => modesOf(frame).flatMap(({ id, isFurther }) => (isFurther ? [id] : []));
const mix = ['wind_mw', 'thermal_mw', 'pv_mw'].map(name => numbers(name, [1, 2]));
const stress = frameOf([numbers('value', [0.1]), numbers('components.ocgt_ramp', [0.2])]);

describe('the chart modes of a result', () => {
  it('offers the mix for three known columns, bottom first, and ramps where present', () => {
    assert.deepEqual(availableModes(frameOf(mix)), ['lines', 'mix']);
    assert.deepEqual(availableModes(frameOf(mix.slice(1))), ['lines']);
    assert.deepEqual(availableModes(frameOf([numbers('ocgt_ramp_mw', [1])])), ['lines', 'ramps']);
    assert.deepEqual(
      mixOf(frameOf(mix), []).parts.map(({ name }) => name),
      ['thermal_mw', 'pv_mw', 'wind_mw'],
    );
  });

  it('ignores mix columns without values', () => {
    assert.deepEqual(availableModes(frameOf([...mix.slice(1), numbers('wind_mw', [null, null])])), ['lines']);
  });

  it('offers stress only when the catalog defines the value', () => {
    assert.deepEqual(availableModes(stress), ['lines', 'stress']);
    const { field, ...unknown } = numbers('value', [0.1]);
    assert.ok(field);
    assert.deepEqual(availableModes(frameOf([unknown])), ['lines']);
  });

  it('offers further charts for the rows that they need', () => {
    const all = ['heatmap', 'overlay', 'duration', 'scatter', 'error'];
    assert.deepEqual(furtherModes(frameOf(mix)), all);
    assert.deepEqual(furtherModes(frameOf([numbers('wind_mw', [1, 2])])), ['heatmap', 'overlay', 'duration']);
    assert.deepEqual(furtherModes(frameOf(mix, [0, 86_400_000])), ['duration', 'scatter', 'error']);
    const twoUnits = [numbers('wind_mw', [1, 2]), numbers('renewable_share_pct', [1, 2])];
    assert.deepEqual(furtherModes(frameOf(twoUnits)), ['heatmap', 'overlay', 'duration', 'scatter']);
    // The first column is the only one with its unit.
    assert.deepEqual(furtherModes(frameOf([...twoUnits.toReversed(), numbers('pv_mw', [1, 2])])), all);
  });

  it('offers no mode without times, rows or numbers', () => {
    const { columns } = frameOf(mix);
    assert.deepEqual(availableModes({ rowCount: 2, columns: columns.slice(1) }), []);
    assert.deepEqual(availableModes({ rowCount: 2, columns: columns.slice(0, 1) }), []);
    assert.deepEqual(availableModes(frameOf([numbers('thermal_mw', [])])), []);
  });

  it('selects residual demand, stress, or columns of one unit first', () => {
    assert.deepEqual(defaultOptions(frameOf([...mix, numbers('residual_demand_mw', [1, 2])])).columns, [
      'residual_demand_mw',
    ]);
    assert.equal(defaultOptions(stress).mode, 'stress');
    const others = [
      numbers('a', [1], otherUnit('kV')),
      numbers('b', [1], otherUnit('A')),
      numbers('c', [1], otherUnit('kV')),
    ];
    assert.deepEqual(defaultOptions(frameOf(others)).columns, ['a', 'c']);
  });
});

describe('stored chart options', () => {
  const frame = frameOf(mix);
  const kept = {
    mode: 'mix',
    columns: ['pv_mw'],
    hidden: ['wind_mw'],
    picked: { 'overlay.period': 'week' },
    zoom: { start: 1, end: 2 },
  };

  it('restores stored chart options', () =>
    assert.deepEqual(readChartOptions(JSON.parse(JSON.stringify(kept)), frame), kept));

  it('uses default chart options for invalid ones', () => {
    for (const broken of [
      undefined,
      null,
      3,
      [],
      { mode: 'pie', columns: [3], hidden: 'x', picked: [3], zoom: { start: 2, end: 1 } },
    ])
      assert.deepEqual(readChartOptions(broken, frame), defaultOptions(frame));
  });
});
