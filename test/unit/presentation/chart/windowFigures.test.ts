import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resampleFrame } from '../../../../src/core/bins/resampleFrame.ts';
import { withCellRow } from '../../../../src/presentation/chart/kinds/heatmap.ts';
import { describeChart } from '../../../../src/presentation/chart/summary.ts';
import {
  createFigureColumns,
  formatFigures,
  computeWindowFigures,
} from '../../../../src/presentation/chart/windowFigures.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { inferUnit } from '../../../../src/shared/units.ts';
import { scaleRunCount } from '../../../support/runCount.ts';
import { createFrame, hourMs, numbers, createPlot, start } from './chartWorld.ts';

const cells = fc.array(fc.option(fc.integer({ min: 0, max: 9999 }), { freq: 5 }), { minLength: 12, maxLength: 12 });

describe('the figures in the legend', () => {
  it('shows energy, share of all areas, peak and load factor of the values in the window', () => {
    fc.assert(
      fc.property(cells, cells, cells, fc.nat(5), (thermal, nuclear, wind, first) => {
        const columns = { thermal_mw: thermal, nuclear_mw: nuclear, wind_mw: wind };
        if (Object.values(columns).some(list => list.every(cell => cell === null))) return;
        const frame = createFrame(Object.entries(columns).map(([name, list]) => numbers(name, list)));
        const plot = createPlot(frame, { mode: 'mix', hidden: first % 2 > 0 ? ['wind_mw'] : [] });
        const window = { start: start + first * hourMs, end: start + 9 * hourMs };
        const actual = [...computeWindowFigures(plot, window)].map(
          ([{ column }, figures]) => [column, figures] as const,
        );
        assert.equal(actual.length, 3);
        const inWindow = (list: typeof thermal) => list.slice(first, 10).filter(cell => cell !== null);
        const sum = (list: readonly number[]) => list.reduce((subtotal, cell) => subtotal + cell, 0);
        const total = sum(Object.values(columns).flatMap(inWindow));
        const isWhole = Object.values(columns).every(list => inWindow(list).length > 0);
        for (const [column, { energy, share, peak, loadFactor }] of actual) {
          const list = inWindow(columns[column as keyof typeof columns]);
          assert.equal(energy, list.length > 0 ? sum(list) : undefined);
          assert.equal(peak, list.length > 0 ? Math.max(...list) : undefined);
          const max = Math.max(0, ...list);
          assert.equal(loadFactor, max > 0 ? sum(list) / list.length / max : undefined);
          if (isWhole && total > 0) assert.ok(Math.abs((share ?? NaN) - sum(list) / total) < 1e-12);
        }
      }),
    );
  });

  it('shows the energy of columns in kW in MWh', () => {
    const plot = createPlot(createFrame([numbers('meter_kw', Array<number>(12).fill(500), inferUnit('kw'))]));
    const [figures] = computeWindowFigures(plot, { start, end: start + 9 * hourMs }).values();
    assert.deepEqual([figures?.energy, figures?.peak, figures?.loadFactor], [5, 500, 1]);
  });

  it('uses one unit per column, and marks values that would round to zero', () => {
    const values = { thermal_mw: 30_000, nuclear_mw: 1_850, wind_mw: 10 };
    const frame = createFrame(
      Object.entries(values).map(([name, value]) => numbers(name, Array<number>(12).fill(value))),
    );
    const plot = createPlot(frame, { mode: 'mix' });
    const formatter = new PlotFormatter(plot, 'en');
    const figures = computeWindowFigures(plot, plot.domain);
    const { energy, share } = createFigureColumns(figures, formatter);
    const texts = new Map(
      [...figures].map(([{ column }, layerFigures]) => [
        column,
        [energy?.format(layerFigures.energy ?? NaN), share?.format(layerFigures.share ?? NaN)],
      ]),
    );
    assert.deepEqual([energy?.unit, share?.unit], ['GWh', '%']);
    assert.deepEqual(texts.get('thermal_mw'), ['360', '94.2']);
    assert.deepEqual(texts.get('nuclear_mw'), ['22', '5.8']);
    assert.deepEqual(texts.get('wind_mw'), ['~0', '~0.0']);
    assert.equal(share?.format(0), '0.0');
    assert.equal(energy?.format(0), '0');
    const index = createPlot(createFrame([numbers('stress_index', Array<number>(12).fill(0.5))]), {});
    assert.deepEqual(createFigureColumns(computeWindowFigures(index, index.domain), formatter), {
      energy: undefined,
      share: undefined,
    });
  });

  for (const by of ['day', 'month'] as const)
    it(`calculates figures from the hours of resampled rows: ${by}`, () => {
      const begin = Date.UTC(2026, 1, 20);
      const list = fc.array(fc.option(fc.integer({ min: 0, max: 9999 }), { freq: 5 }), {
        minLength: 600,
        maxLength: 600,
      });
      fc.assert(
        fc.property(list, values => {
          const instants = values.map((_, hour) => begin + hour * hourMs);
          const span = { start: begin, end: begin + values.length * hourMs, intervalMs: hourMs };
          const zone = { timeZone: 'UTC', label: 'UTC', names: [] };
          const frame = resampleFrame(createFrame([numbers('wind_mw', values)], instants), { by, ...zone, ...span });
          const plot = createPlot(
            frame,
            { columns: ['wind_mw'] },
            { intervalMs: by === 'day' ? 24 * hourMs : 31 * 24 * hourMs },
          );
          const [layer] = plot.layers;
          const actual = layer && computeWindowFigures(plot, plot.domain).get(layer);
          const known = values.filter(value => value !== null);
          const sum = known.reduce((subtotal, value) => subtotal + value, 0);
          assert.ok(actual);
          assertNear(actual.energy, sum);
          assert.equal(actual.peak, Math.max(...known));
          assertNear(actual.loadFactor, sum / known.length / Math.max(...known));
        }),
        { numRuns: scaleRunCount(20) },
      );
    });

  it('shows no peak if the rows are means of hours whose maximum is unknown', () => {
    const days = Array.from({ length: 5 }, (_, day) => start + day * 24 * hourMs);
    const wind = { ...numbers('wind_mw', [100, 300, 200, 100, 100]), hours: Float64Array.of(24, 3, 24, 24, 24) };
    const plot = createPlot(createFrame([wind], days), { columns: ['wind_mw'] }, { intervalMs: 24 * hourMs });
    const [figures] = computeWindowFigures(plot, plot.domain).values();
    assert.deepEqual(figures, { energy: 500 * 24 + 900, share: undefined, peak: undefined, loadFactor: undefined });
  });

  for (const [across, peak] of [
    ['days', 900],
    // No cell shows a single hour.
    ['weekday', undefined],
  ] as const)
    it(`includes all hours of a heatmap, regardless of the crosshair: ${across}`, () => {
      const values = Array.from({ length: 24 * 15 }, (_, hour) => (hour === 30 ? 900 : hour === 77 ? null : hour));
      const options = { mode: 'heatmap', picked: { 'heatmap.across': across } };
      const plot = createPlot(createFrame([numbers('wind_mw', values)]), options);
      const energy = values.reduce<number>((subtotal, value) => subtotal + (value ?? 0), 0);
      for (const row of [3, 12]) {
        const inWindow = withCellRow(plot, row);
        const [figures] = computeWindowFigures(inWindow, inWindow.domain).values();
        assert.equal(figures?.peak, peak);
        assert.equal(figures?.energy, across === 'days' ? energy : undefined);
        const [sentence] = describeChart(inWindow, new PlotFormatter(inWindow, 'en'), inWindow.domain).slice(-1);
        if (across === 'days')
          assert.match(sentence ?? '', /lowest 0 at .*00:00, highest 900 at .*02 May.*06:00, 1 gap/);
      }
    });

  it('shows no load factor if a value is negative', () => {
    const plot = createPlot(createFrame([numbers('wind_mw', [100, 300, -20])]), { columns: ['wind_mw'] });
    const [figures] = computeWindowFigures(plot, plot.domain).values();
    assert.deepEqual([figures?.energy, figures?.peak, figures?.loadFactor], [380, 300, undefined]);
  });

  it('shows the same figures on a logarithmic axis, although it omits values', () => {
    const frame = createFrame([numbers('wind_mw', [0, 100, 300, -20])]);
    const computeFigures = (scale: string) => {
      const plot = createPlot(frame, { columns: ['wind_mw'], picked: { 'lines.scale': scale } });
      assert.match(
        describeChart(plot, new PlotFormatter(plot, 'en'), plot.domain).at(-1) ?? '',
        /first 0 .*lowest -20 .*no gaps/,
      );
      return [...computeWindowFigures(plot, plot.domain).values()];
    };
    assert.deepEqual(computeFigures('log'), computeFigures('zero'));
    assert.equal(computeFigures('log')[0]?.energy, 380);
  });

  it('shows no energy if an instant has two rows', () => {
    const frame = createFrame([numbers('wind_mw', [100, 100, 100])], [start, start, start + hourMs]);
    const plot = createPlot(frame, { columns: ['wind_mw'] });
    assert.equal([...computeWindowFigures(plot, plot.domain).values()][0]?.energy, undefined);
  });

  it('shows no energy for a share, a ramp, a percentage of the mix, or an axis without time', () => {
    const frame = createFrame(
      ['thermal_mw', 'nuclear_mw', 'wind_mw', 'renewable_share_pct'].map(name => numbers(name, [1, 2])),
    );
    const energies = (plot: ReturnType<typeof createPlot>) =>
      [...computeWindowFigures(plot, plot.domain)].map(([{ column }, { energy }]) => [column, energy]);
    assert.deepEqual(energies(createPlot(frame, { columns: ['wind_mw', 'renewable_share_pct'] })), [
      ['wind_mw', 3],
      ['renewable_share_pct', undefined],
    ]);
    assert.ok(
      energies(createPlot(frame, { mode: 'duration', columns: ['wind_mw'] })).every(
        ([, energy]) => energy === undefined,
      ),
    );
    const percent = createPlot(frame, { mode: 'mix', picked: { 'mix.scale': 'percent' } });
    assert.ok(energies(percent).every(([, energy]) => energy === undefined));
  });

  it('formats figures with their units', () => {
    const plot = createPlot(createFrame([numbers('wind_mw', [100, 300, null])]));
    const [layer] = plot.layers;
    const figures = layer && computeWindowFigures(plot, plot.domain).get(layer);
    assert.ok(layer && figures);
    assert.equal(
      formatFigures(layer, figures, new PlotFormatter(plot, 'en')),
      'Energy 400 MWh · Peak 300 MW · Load factor 0.67',
    );
  });
});

describe('the generation mix in percent', () => {
  it('adds up to 100 at every point with all parts, and has no percentages at other points', () => {
    fc.assert(
      fc.property(cells, cells, cells, (thermal, nuclear, wind) => {
        const lists = [thermal, nuclear, wind];
        if (lists.some(list => list.every(cell => cell === null))) return;
        const frame = createFrame(
          ['thermal_mw', 'nuclear_mw', 'wind_mw'].map((name, index) => numbers(name, lists[index] ?? [])),
        );
        const picked = { 'mix.scale': 'percent' };
        const plot = createPlot(frame, { mode: 'mix', picked });
        // The percentages refer to the total, even if only one part is visible.
        const plotWithOnePart = createPlot(frame, { mode: 'mix', picked, hidden: ['thermal_mw', 'wind_mw'] });
        assert.deepEqual(plotWithOnePart.layers[1]?.edges[1], plot.layers[1]?.values);
        for (let point = 0; point < 12; point++) {
          const cellsAtPoint = lists.map(list => list[point] ?? null);
          const total = cellsAtPoint.reduce<number>((sum, cell) => sum + (cell ?? NaN), 0);
          plot.layers.forEach(({ values }, index) => {
            const expected = total > 0 ? ((cellsAtPoint[index] ?? 0) / total) * 100 : NaN;
            assert.ok(Object.is(values[point], expected) || Math.abs((values[point] ?? NaN) - expected) < 1e-9);
          });
        }
      }),
    );
  });
});

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? NaN) - expected) <= 1e-9 * Math.abs(expected), `${actual} is not ${expected}`);
}
