import assert from 'node:assert/strict';
import type { Frame } from '../../../../src/shared/frame.ts';
import { listAvailableModes as modesOf } from '../../../../src/presentation/chart/chartModes.ts';
import { createDefaultOptions, parseChartOptions } from '../../../../src/presentation/chart/chartOptions.ts';
import { createMix } from '../../../../src/presentation/chart/mix.ts';
import { createFrame, numbers, otherUnit } from '../../presentation/chart/chartWorld.ts';

/** Lists the modes that have a button. */
const listModes = (frame: Frame): string[] =>
  modesOf(frame).flatMap(({ id, isInMoreCharts }) => (isInMoreCharts ? [] : [id]));
const listFurtherModes = (frame: Frame): string[] =>
  modesOf(frame).flatMap(({ id, isInMoreCharts }) => (isInMoreCharts ? [id] : []));
const mix = ['wind_mw', 'thermal_mw', 'pv_mw'].map(name => numbers(name, [1, 2]));
const stress = createFrame([numbers('value', [0.1]), numbers('components.ocgt_ramp', [0.2])]);

describe('the chart modes of a result', () => {
  it('offers the mix for three known columns, bottom first, and ramps where present', () => {
    assert.deepEqual(listModes(createFrame(mix)), ['lines', 'mix']);
    assert.deepEqual(listModes(createFrame(mix.slice(1))), ['lines']);
    assert.deepEqual(listModes(createFrame([numbers('ocgt_ramp_mw', [1])])), ['lines', 'ramps']);
    assert.deepEqual(
      createMix(createFrame(mix), []).parts.map(({ name }) => name),
      ['thermal_mw', 'pv_mw', 'wind_mw'],
    );
  });

  it('ignores mix columns without values', () => {
    assert.deepEqual(listModes(createFrame([...mix.slice(1), numbers('wind_mw', [null, null])])), ['lines']);
  });

  it('offers stress only when the catalog defines the value', () => {
    assert.deepEqual(listModes(stress), ['lines', 'stress']);
    const { field, ...unknown } = numbers('value', [0.1]);
    assert.ok(field);
    assert.deepEqual(listModes(createFrame([unknown])), ['lines']);
  });

  it('offers further charts for the rows that they need', () => {
    const allFurther = ['heatmap', 'overlay', 'duration', 'scatter', 'error'];
    assert.deepEqual(listFurtherModes(createFrame(mix)), allFurther);
    assert.deepEqual(listFurtherModes(createFrame([numbers('wind_mw', [1, 2])])), ['heatmap', 'overlay', 'duration']);
    assert.deepEqual(listFurtherModes(createFrame(mix, [0, 86_400_000])), ['duration', 'scatter', 'error']);
    const twoUnits = [numbers('wind_mw', [1, 2]), numbers('renewable_share_pct', [1, 2])];
    assert.deepEqual(listFurtherModes(createFrame(twoUnits)), ['heatmap', 'overlay', 'duration', 'scatter']);
    // The first column is the only one with its unit.
    assert.deepEqual(listFurtherModes(createFrame([...twoUnits.toReversed(), numbers('pv_mw', [1, 2])])), allFurther);
  });

  it('offers no mode without times, rows or numbers', () => {
    const { columns } = createFrame(mix);
    assert.deepEqual(listModes({ rowCount: 2, columns: columns.slice(1) }), []);
    assert.deepEqual(listModes({ rowCount: 2, columns: columns.slice(0, 1) }), []);
    assert.deepEqual(listModes(createFrame([numbers('thermal_mw', [])])), []);
  });

  it('selects residual demand, stress, or columns of one unit first', () => {
    assert.deepEqual(createDefaultOptions(createFrame([...mix, numbers('residual_demand_mw', [1, 2])])).columns, [
      'residual_demand_mw',
    ]);
    assert.equal(createDefaultOptions(stress).mode, 'stress');
    const otherColumns = [
      numbers('a', [1], otherUnit('kV')),
      numbers('b', [1], otherUnit('A')),
      numbers('c', [1], otherUnit('kV')),
    ];
    assert.deepEqual(createDefaultOptions(createFrame(otherColumns)).columns, ['a', 'c']);
  });
});

describe('stored chart options', () => {
  const frame = createFrame(mix);
  const stored = {
    mode: 'mix',
    columns: ['pv_mw'],
    hidden: ['wind_mw'],
    picked: { 'overlay.period': 'week' },
    zoom: { start: 1, end: 2 },
  };

  it('restores stored chart options', () =>
    assert.deepEqual(parseChartOptions(JSON.parse(JSON.stringify(stored)), frame), stored));

  it('uses default chart options for invalid ones', () => {
    for (const invalid of [
      undefined,
      null,
      3,
      [],
      { mode: 'pie', columns: [3], hidden: 'x', picked: [3], zoom: { start: 2, end: 1 } },
    ])
      assert.deepEqual(parseChartOptions(invalid, frame), createDefaultOptions(frame));
  });
});
