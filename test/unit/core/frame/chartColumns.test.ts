import assert from 'node:assert/strict';
import type { Frame } from '../../../../src/shared/frame.ts';
import { listAvailableModes } from '../../../../src/presentation/chart/chartModes.ts';
import { createDefaultOptions, parseChartOptions } from '../../../../src/presentation/chart/chartOptions.ts';
import { createMix } from '../../../../src/presentation/chart/mix.ts';
import { createFrame, numbers, otherUnit } from '../../presentation/chart/chartWorld.ts';

/** Lists the modes that have a button. The further modes are in the menu. */
const listMainModes = (frame: Frame): string[] =>
  listAvailableModes(frame).flatMap(({ id, isInMoreCharts }) => (isInMoreCharts ? [] : [id]));
const listFurtherModes = (frame: Frame): string[] =>
  listAvailableModes(frame).flatMap(({ id, isInMoreCharts }) => (isInMoreCharts ? [id] : []));
const mixColumns = ['wind_mw', 'thermal_mw', 'pv_mw'].map(name => numbers(name, [1, 2]));
const stress = createFrame([numbers('value', [0.1]), numbers('components.ocgt_ramp', [0.2])]);

describe('the chart modes of a result', () => {
  it('offers the mix for at least three known columns, which it stacks in a fixed order, and ramps for a ramp column', () => {
    assert.deepEqual(listMainModes(createFrame(mixColumns)), ['lines', 'mix']);
    assert.deepEqual(listMainModes(createFrame(mixColumns.slice(1))), ['lines']);
    assert.deepEqual(listMainModes(createFrame([numbers('ocgt_ramp_mw', [1])])), ['lines', 'ramps']);
    assert.deepEqual(
      createMix(createFrame(mixColumns), []).parts.map(({ name }) => name),
      ['thermal_mw', 'pv_mw', 'wind_mw'],
    );
  });

  it('ignores mix columns without values', () => {
    assert.deepEqual(listMainModes(createFrame([...mixColumns.slice(1), numbers('wind_mw', [null, null])])), ['lines']);
  });

  it('offers stress only when the catalog defines the value', () => {
    assert.deepEqual(listMainModes(stress), ['lines', 'stress']);
    const { field, ...unknown } = numbers('value', [0.1]);
    assert.ok(field);
    assert.deepEqual(listMainModes(createFrame([unknown])), ['lines']);
  });

  it('offers each further chart only for rows with the times and columns that it needs', () => {
    const allFurther = ['heatmap', 'overlay', 'duration', 'scatter', 'error'];
    assert.deepEqual(listFurtherModes(createFrame(mixColumns)), allFurther);
    assert.deepEqual(listFurtherModes(createFrame([numbers('wind_mw', [1, 2])])), ['heatmap', 'overlay', 'duration']);
    assert.deepEqual(listFurtherModes(createFrame(mixColumns, [0, 86_400_000])), ['duration', 'scatter', 'error']);
    const twoUnits = [numbers('wind_mw', [1, 2]), numbers('renewable_share_pct', [1, 2])];
    assert.deepEqual(listFurtherModes(createFrame(twoUnits)), ['heatmap', 'overlay', 'duration', 'scatter']);
    // The first column is the only one with its unit.
    assert.deepEqual(listFurtherModes(createFrame([...twoUnits.toReversed(), numbers('pv_mw', [1, 2])])), allFurther);
  });

  it('offers no mode without times, rows or numbers', () => {
    const { columns } = createFrame(mixColumns);
    assert.deepEqual(listMainModes({ rowCount: 2, columns: columns.slice(1) }), []);
    assert.deepEqual(listMainModes({ rowCount: 2, columns: columns.slice(0, 1) }), []);
    assert.deepEqual(listMainModes(createFrame([numbers('thermal_mw', [])])), []);
  });

  it('selects residual demand, stress, or the columns with the unit of the first column by default', () => {
    assert.deepEqual(
      createDefaultOptions(createFrame([...mixColumns, numbers('residual_demand_mw', [1, 2])])).columns,
      ['residual_demand_mw'],
    );
    assert.equal(createDefaultOptions(stress).mode, 'stress');
    const otherColumns = [
      numbers('a', [1], otherUnit('kV')),
      numbers('b', [1], otherUnit('A')),
      numbers('c', [1], otherUnit('kV')),
    ];
    assert.deepEqual(createDefaultOptions(createFrame(otherColumns)).columns, ['a', 'c']);
  });
});

describe('parseChartOptions', () => {
  const frame = createFrame(mixColumns);
  const stored = {
    mode: 'mix',
    columns: ['pv_mw'],
    hidden: ['wind_mw'],
    picked: { 'overlay.period': 'week' },
    zoom: { start: 1, end: 2 },
  };

  it('restores valid stored options', () =>
    assert.deepEqual(parseChartOptions(JSON.parse(JSON.stringify(stored)), frame), stored));

  it('returns the default options for invalid ones', () => {
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
