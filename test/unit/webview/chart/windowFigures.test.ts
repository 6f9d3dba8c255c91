import assert from 'node:assert/strict';
import fc from 'fast-check';
import { figuresText, windowFigures } from '../../../../src/webview/chart/windowFigures.ts';
import { PlotWords } from '../../../../src/webview/chart/words.ts';
import { frameOf, hourMs, numbers, plotOf, start } from './chartWorld.ts';

const cells = fc.array(fc.option(fc.integer({ min: 0, max: 9999 }), { freq: 5 }), { minLength: 12, maxLength: 12 });

describe('the figures of the window in the legend', () => {
  it('are energy, share of all areas, peak and load factor of the values that are there', () => {
    fc.assert(
      fc.property(cells, cells, cells, fc.nat(5), (thermal, nuclear, wind, first) => {
        const columns = { thermal_mw: thermal, nuclear_mw: nuclear, wind_mw: wind };
        if (Object.values(columns).some(list => list.every(cell => cell === null))) return;
        const frame = frameOf(Object.entries(columns).map(([name, list]) => numbers(name, list)));
        const plot = plotOf(frame, { mode: 'mix' });
        const window = { start: start + first * hourMs, end: start + 9 * hourMs };
        const found = [...windowFigures(plot, window)].map(([{ column }, figures]) => [column, figures] as const);
        const shown = (list: typeof thermal) => list.slice(first, 10).filter(cell => cell !== null);
        const sum = (list: readonly number[]) => list.reduce((all, cell) => all + cell, 0);
        const total = sum(Object.values(columns).flatMap(shown));
        const isWhole = Object.values(columns).every(list => shown(list).length > 0);
        for (const [column, { energy, share, peak, loadFactor }] of found) {
          const list = shown(columns[column as keyof typeof columns]);
          assert.equal(energy, list.length > 0 ? sum(list) : undefined);
          assert.equal(peak, list.length > 0 ? Math.max(...list) : undefined);
          const best = Math.max(0, ...list);
          assert.equal(loadFactor, best > 0 ? sum(list) / list.length / best : undefined);
          if (isWhole && total > 0) assert.ok(Math.abs((share ?? NaN) - sum(list) / total) < 1e-12);
        }
      }),
    );
  });

  it('has no energy for a share, a ramp, a percentage of the mix, or an axis without time', () => {
    const frame = frameOf(
      ['thermal_mw', 'nuclear_mw', 'wind_mw', 'renewable_share_pct'].map(name => numbers(name, [1, 2])),
    );
    const energies = (plot: ReturnType<typeof plotOf>) =>
      [...windowFigures(plot, plot.domain)].map(([{ column }, { energy }]) => [column, energy]);
    assert.deepEqual(energies(plotOf(frame, { columns: ['wind_mw', 'renewable_share_pct'] })), [
      ['wind_mw', 3],
      ['renewable_share_pct', undefined],
    ]);
    assert.ok(
      energies(plotOf(frame, { mode: 'duration', columns: ['wind_mw'] })).every(([, energy]) => energy === undefined),
    );
    const percent = plotOf(frame, { mode: 'mix', picked: { 'mix.scale': 'percent' } });
    assert.ok(energies(percent).every(([, energy]) => energy === undefined));
  });

  it('is written with units', () => {
    const plot = plotOf(frameOf([numbers('wind_mw', [100, 300, null])]));
    const [layer] = plot.layers;
    const figures = layer && windowFigures(plot, plot.domain).get(layer);
    assert.ok(layer && figures);
    assert.equal(
      figuresText(layer, figures, new PlotWords(plot, 'en')),
      'Energy 400 MWh · Peak 300 MW · Load factor 0.67',
    );
  });
});

describe('percentages of the mix', () => {
  it('add up to 100 at every point with all parts, and are unknown at the others', () => {
    fc.assert(
      fc.property(cells, cells, cells, (thermal, nuclear, wind) => {
        const lists = [thermal, nuclear, wind];
        if (lists.some(list => list.every(cell => cell === null))) return;
        const frame = frameOf(
          ['thermal_mw', 'nuclear_mw', 'wind_mw'].map((name, at) => numbers(name, lists[at] ?? [])),
        );
        const plot = plotOf(frame, { mode: 'mix', picked: { 'mix.scale': 'percent' } });
        for (let point = 0; point < 12; point++) {
          const given = lists.map(list => list[point] ?? null);
          const total = given.reduce<number>((sum, cell) => sum + (cell ?? NaN), 0);
          plot.layers.forEach(({ values }, at) => {
            const wanted = total > 0 ? ((given[at] ?? 0) / total) * 100 : NaN;
            assert.ok(Object.is(values[point], wanted) || Math.abs((values[point] ?? NaN) - wanted) < 1e-9);
          });
        }
      }),
    );
  });
});
