import assert from 'node:assert/strict';
import { buildPlot } from '../../../../src/presentation/chart/buildPlot.ts';
import { describeOmissions } from '../../../../src/presentation/chart/chartSentences.ts';
import { createValueAxes } from '../../../../src/presentation/chart/decimate.ts';
import { getDash, listVisibleLayers, type Plot } from '../../../../src/presentation/chart/plot.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { dayMs, createFrame, hourMs, numbers, createPlot, sast, start, otherUnit } from './chartWorld.ts';
import { power } from '../../../../src/shared/units.ts';
import { stressBandIds, getStressBand } from '../../../../src/shared/stressBands.ts';

const demand = numbers('residual_demand_mw', [10, 20, 30]);
const share = numbers('renewable_share_pct', [1, 2, 3]);
const mixColumns = ['thermal_mw', 'wind_mw', 'imports_mw'].map((name, index) =>
  numbers(name, [100, 200, 300 * (index - 1)]),
);

describe('the plot of a line chart', () => {
  it('draws MW on the left axis and another unit on the right', () => {
    const { axes, layers, omittedLabels } = createPlot(createFrame([share, demand]));
    assert.deepEqual(
      axes.map(({ unit }) => unit),
      ['MW', '%'],
    );
    assert.deepEqual(
      layers.map(({ column, axis }) => [column, axis]),
      [
        ['renewable_share_pct', 1],
        ['residual_demand_mw', 0],
      ],
    );
    assert.deepEqual(omittedLabels, []);
  });

  it('adds the column name to the right axis if both axes have the same unit', () => {
    const wind = numbers('wind_mw', [1, 2, 3]);
    const { axes } = createPlot(createFrame([demand, wind]), { picked: { 'lines.right': 'wind_mw' } });
    assert.deepEqual(
      axes.map(({ unit }) => unit),
      ['MW', 'Wind, MW'],
    );
  });

  it('omits columns of a third unit, and explains this in a message', () => {
    const describeOmitted = (plot: Plot): string | undefined => describeOmissions(plot, new PlotFormatter(plot, 'en'));
    const plot = createPlot(createFrame([share, demand, numbers('voltage', [1, 2, 3], otherUnit('kV'))]));
    assert.equal(plot.layers.length, 2);
    assert.equal(describeOmitted(plot), 'Not drawn: voltage. A chart has at most two units.');
    assert.equal(describeOmitted(createPlot(createFrame([share]), { columns: [] })), 'No columns selected.');
  });

  it('draws each line with a unique combination of color and dashes', () => {
    const feeders = Array.from({ length: 12 }, (_, index) => numbers(`feeder_${index}`, [1, 2, 3], power));
    const styles = createPlot(createFrame(feeders)).layers.map(
      ({ style }) => `${style.color} ${getDash(style).join()}`,
    );
    assert.equal(new Set(styles).size, 12);
  });

  it('starts the value axis at zero if values are near zero, and otherwise near the lowest value', () => {
    const createAxis = (cells: number[]) => {
      const plot = createPlot(createFrame([numbers('wind_mw', cells)]));
      return createValueAxes(plot, plot.domain, 5)[0]?.min;
    };
    assert.equal(createAxis([10, 400, 200]), 0);
    assert.ok((createAxis([21_000, 26_000, 22_000]) ?? 0) > 20_000);
  });

  it('draws a compared column as a dotted line in the color of its base column, and hides it with that column', () => {
    const frame = createFrame([demand, numbers('earlier', [11, 21, 31], power)]);
    const compared = [['residual_demand_mw', 'earlier']] as const;
    const [comparedLayer, mainLayer] = createPlot(frame, { columns: ['residual_demand_mw'] }, { compared }).layers;
    assert.equal(comparedLayer?.comparedTo, 'residual_demand_mw');
    assert.equal(comparedLayer.label, 'earlier (compared)');
    assert.equal(comparedLayer.style.color, mainLayer?.style.color);
    assert.deepEqual(getDash(comparedLayer.style), [1, 3]);
    const hidden = createPlot(frame, { columns: ['residual_demand_mw'], hidden: ['residual_demand_mw'] }, { compared });
    assert.deepEqual(listVisibleLayers(hidden), []);
  });

  it('uses the lines mode if the selected mode has no columns, and creates no plot without rows', () => {
    assert.equal(createPlot(createFrame([demand]), { mode: 'stress' }).mode.id, 'lines');
    const model = {
      frame: createFrame([demand]),
      locale: 'en',
      zone: sast,
      intervalMs: hourMs,
      rows: new Uint32Array(),
    };
    assert.equal(buildPlot(model, { mode: 'lines', columns: [], hidden: [], picked: {} }), undefined);
  });
});

describe('the plot of daily rows', () => {
  const days = createFrame(
    [demand],
    [0, 1, 2].map(day => start + day * dayMs),
  );

  it('draws daily rows as UTC days in any time zone, as steps to the end of the last day', () => {
    const plot = createPlot(days, {}, { intervalMs: dayMs, zone: sast });
    assert.deepEqual(plot.zone, { timeZone: 'UTC', label: 'UTC' });
    assert.ok(plot.isStepped && plot.isDaily);
    assert.deepEqual(plot.domain, { start, end: start + 3 * dayMs });
  });

  it('draws hourly rows in the displayed time zone, at their instants', () => {
    const plot = createPlot(createFrame([demand]), {}, { zone: sast });
    assert.deepEqual(plot.zone, sast);
    assert.deepEqual(plot.domain, { start, end: start + 2 * hourMs });
    assert.ok(!plot.isStepped);
  });

  it('shows an hour before and after a single row', () => {
    const { domain } = createPlot(createFrame([numbers('a', [5])]), {}, { intervalMs: undefined });
    assert.deepEqual(domain, { start: start - hourMs, end: start + hourMs });
  });

  it('covers the requested range, even if parts of it have no rows', () => {
    const frame = createFrame([numbers('wind_mw', [1, 2, 3])]);
    const emptyStates = new Uint8Array(24);
    const counts = { present: 3, missing: 0, notPublished: 21, failed: 0, notRequested: 0, late: 0, missingRanges: [] };
    const coverage = { ...counts, expected: 24, states: emptyStates, archived: emptyStates };
    const from = start - 2 * hourMs;
    assert.deepEqual(createPlot(frame, {}, { start: from, coverage }).domain, { start: from, end: from + dayMs });
    const edges = Float64Array.of(from, start + 23 * hourMs);
    const { domain } = createPlot(frame, {}, { start: from, coverage: { ...coverage, edges } });
    assert.deepEqual(domain, { start: from, end: start + 23 * hourMs });
  });
});

describe('the plot of the mix', () => {
  it('stacks the visible sources as areas, and draws the total demand as a line', () => {
    const frame = createFrame([...mixColumns, numbers('total_re_mw', [250, 500, 0]), demand]);
    const plot = createPlot(frame, { mode: 'mix' });
    assert.deepEqual(
      plot.layers.map(({ column, kind }) => [column, kind]),
      [
        ['thermal_mw', 'area'],
        ['wind_mw', 'area'],
        ['imports_mw', 'area'],
        ['=demand', 'line'],
      ],
    );
    assert.deepEqual(Array.from(plot.layers[3]?.values ?? []), [260, 520, 30]);
    const getWindEdge = (layers: typeof plot.layers): number[] => Array.from(layers[1]?.edges[1] ?? []);
    assert.deepEqual(getWindEdge(plot.layers), [200, 400, 0]);
    const hidden = createPlot(frame, { mode: 'mix', hidden: ['thermal_mw'] });
    assert.deepEqual(getWindEdge(hidden.layers), [100, 200, 0]);
    assert.deepEqual(listVisibleLayers(hidden).length, 3);
  });

  it('includes zero and negative values in the axis of the mix', () => {
    const plot = createPlot(createFrame(mixColumns), { mode: 'mix' });
    const [axis] = createValueAxes(plot, plot.domain, 5);
    assert.ok(axis && axis.min <= -300 && axis.max >= 600, JSON.stringify(axis));
  });
});

describe('the plot of stress', () => {
  const frame = createFrame([numbers('value', [0.1, 0.5, 0.9]), numbers('components.ocgt_ramp', [0.2, 0.2, 0.2])]);

  it('scales the stress axis from 0 to 1, and extends it for values outside', () => {
    const plot = createPlot(frame, { mode: 'stress' });
    assert.deepEqual(
      createValueAxes(plot, plot.domain, 5).map(({ min, max }) => [min, max]),
      [[0, 1]],
    );
    const beyond = createPlot(createFrame([numbers('value', [0.1, 1.4, 0.9])]), { mode: 'stress' });
    assert.ok((createValueAxes(beyond, beyond.domain, 5)[0]?.max ?? 0) >= 1.4);
  });

  it('includes the lower limit of each stress band in the band', () => {
    const { bands } = createPlot(frame, { mode: 'stress' });
    const names = [-0.1, 0, 0.29, 0.3, 0.6, 0.79, 0.8, 1, 1.2].map(
      value => bands[stressBandIds.indexOf(getStressBand(value))]?.name,
    );
    const expected = ['low', 'low', 'low', 'moderate', 'high', 'high', 'critical', 'critical', 'critical'];
    assert.deepEqual(names, expected);
  });

  it('draws the selected components behind the stress index', () => {
    assert.deepEqual(
      createPlot(frame, { mode: 'stress' }).layers.map(({ column }) => column),
      ['components.ocgt_ramp', 'value'],
    );
    assert.equal(createPlot(frame, { mode: 'stress', columns: [] }).layers.length, 1);
  });
});

describe('the plot of ramps', () => {
  it('draws ramps as bars that are one interval wide', () => {
    const plot = createPlot(createFrame([numbers('ocgt_ramp_mw', [5, -5, 0])]), { mode: 'ramps' });
    assert.equal(plot.layers[0]?.kind, 'bars');
    assert.equal(plot.domain.end, start + 3 * hourMs);
  });
});
