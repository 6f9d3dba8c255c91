import assert from 'node:assert/strict';
import {
  findNearestRowPoint,
  skipBreak,
  describePoint,
  movePoint,
} from '../../../../src/presentation/chart/readout.ts';
import { computeLayerFacts, describeChart } from '../../../../src/presentation/chart/summary.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { berlin, dayMs, createFrame, hourMs, numbers, createPlot, sast, start, utc } from './chartWorld.ts';

const demand = numbers('residual_demand_mw', [23_581.8, null, 20_000]);
const share = numbers('renewable_share_pct', [8.61, 9, 10]);

describe('the description of a point', () => {
  it('contains time, time zone, and every value with its unit', () => {
    const plot = createPlot(createFrame([demand, share]), {}, { zone: sast });
    const formatter = new PlotFormatter(plot, 'en');
    assert.equal(
      describePoint(plot, formatter, 0),
      "01 May 02:00 SAST, Workers' Day: Residual demand 23,582 MW, Renewable share 8.6 %",
    );
    assert.equal(
      describePoint(plot, formatter, 1),
      "01 May 03:00 SAST, Workers' Day: Residual demand no value, Renewable share 9.0 %",
    );
  });

  it('rounds all series of a unit to the same digits, and only zero to zero', () => {
    const wind = numbers('wind_mw', [45.67, 0.3, 0]);
    const plot = createPlot(createFrame([demand, wind, share]), {
      columns: [demand, wind, share].map(({ name }) => name),
    });
    const formatter = new PlotFormatter(plot, 'en');
    const formatted = [0, 1, 2].map(point => /Wind (.*?) MW/.exec(describePoint(plot, formatter, point))?.[1]);
    assert.deepEqual(formatted, ['46', '~0', '0']);
    const windPlot = createPlot(createFrame([wind]), { columns: [wind.name] });
    assert.match(describePoint(windPlot, new PlotFormatter(windPlot, 'en'), 0), /Wind 45\.7 MW$/);
  });

  it('describes the main line of a chart first', () => {
    const mix = ['thermal_mw', 'wind_mw', 'pv_mw'].map(name => numbers(name, [1, 2, 3]));
    const plot = createPlot(createFrame([...mix, numbers('total_re_mw', [2, 4, 6]), demand]), { mode: 'mix' });
    assert.match(
      describePoint(plot, new PlotFormatter(plot, 'en'), 0),
      /^01 May 00:00 UTC, Workers' Day: Total demand 23,584 MW, Thermal /,
    );
  });

  it('names the band of a stress value and the direction of a ramp', () => {
    const stress = createPlot(createFrame([numbers('value', [0.42])]), { mode: 'stress' });
    assert.equal(
      describePoint(stress, new PlotFormatter(stress, 'en'), 0),
      "01 May 00:00 UTC, Workers' Day: Stress 0.42, moderate",
    );
    const ramps = createPlot(createFrame([numbers('ocgt_ramp_mw', [-312, 0])]), { mode: 'ramps' });
    const formatter = new PlotFormatter(ramps, 'en');
    assert.equal(describePoint(ramps, formatter, 0), "01 May 00:00 UTC, Workers' Day: OCGT ramp -312 MW, down");
    assert.equal(describePoint(ramps, formatter, 1), "01 May 01:00 UTC, Workers' Day: OCGT ramp 0 MW");
  });

  it('shows a direction only for ramps, and a band only for the stress index', () => {
    const lines = createPlot(createFrame([numbers('imports_mw', [-312, 5])]));
    const bars = { ...lines, layers: lines.layers.map(layer => ({ ...layer, kind: 'bars' as const })) };
    assert.equal(
      describePoint(bars, new PlotFormatter(bars, 'en'), 0),
      "01 May 00:00 UTC, Workers' Day: Imports -312 MW",
    );
    const bands = [
      { name: 'idle', from: 0, to: 100 },
      { name: 'busy', from: 100, to: 900 },
    ];
    const banded = { ...bars, bands };
    assert.equal(
      describePoint(banded, new PlotFormatter(banded, 'en'), 0),
      "01 May 00:00 UTC, Workers' Day: Imports -312 MW, idle",
    );
    const busy = { ...banded, layers: banded.layers.map(layer => ({ ...layer, values: layer.values.map(() => 100) })) };
    assert.equal(
      describePoint(busy, new PlotFormatter(busy, 'en'), 0),
      "01 May 00:00 UTC, Workers' Day: Imports 100 MW, busy",
    );
  });

  it('distinguishes the two occurrences of a repeated hour', () => {
    const first = Date.UTC(2026, 9, 25, 0);
    const plot = createPlot(
      createFrame(
        [share],
        [0, 1, 2].map(hour => first + hour * hourMs),
      ),
      {},
      { zone: berlin },
    );
    const formatter = new PlotFormatter(plot, 'en');
    assert.deepEqual(
      Array.from(plot.timeline.x, instant => formatter.formatTime(instant)),
      ['25 Oct 02:00 CEST Europe/Berlin', '25 Oct 02:00 CET Europe/Berlin', '25 Oct 03:00 Europe/Berlin'],
    );
  });

  it('labels daily points as UTC days', () => {
    const plot = createPlot(
      createFrame(
        [share],
        [0, 1, 2].map(day => start + day * dayMs),
      ),
      {},
      { intervalMs: dayMs, zone: sast },
    );
    const formatter = new PlotFormatter(plot, 'en');
    assert.equal(formatter.formatTime(start), '01 May UTC');
    assert.deepEqual(formatter.listAxisTitles(), ['Days of UTC', 'UTC']);
    assert.deepEqual(formatter.listAxisTitles(true), [
      'Days of UTC; weekends and holidays marked',
      'Days of UTC',
      'UTC',
    ]);
    const hours = createPlot(createFrame([share]), {}, { zone: sast });
    assert.deepEqual(new PlotFormatter(hours, 'en').listAxisTitles(), [
      'Hour beginning, SAST (UTC+2)',
      'SAST (UTC+2)',
      'SAST',
    ]);
  });

  it('formats numbers and times in the locale', () => {
    const plot = createPlot(createFrame([demand]), {}, { zone: utc });
    assert.equal(
      describePoint(plot, new PlotFormatter(plot, 'de'), 0),
      "01. Mai 00:00 UTC, Workers' Day: Residual demand 23.582 MW",
    );
  });
});

describe('moving from point to point', () => {
  const plot = createPlot(createFrame([numbers('a', [1, 2, 3])], [start, start + hourMs, start + 5 * hourMs]));

  it('skips points that only interrupt the line, and stops at the ends', () => {
    assert.deepEqual([movePoint(plot, 1, 1), movePoint(plot, 3, -1)], [3, 1]);
    assert.deepEqual([movePoint(plot, 3, 1), movePoint(plot, 0, -1), movePoint(plot, 0, 9)], [3, 0, 3]);
  });

  it('finds the point of an instant', () => {
    assert.equal(skipBreak(plot, 2), 1);
    assert.equal(findNearestRowPoint(plot, start + 4.9 * hourMs), 3);
    assert.equal(findNearestRowPoint(plot, start - dayMs), 0);
  });
});

describe('the summary of the chart', () => {
  it('summarizes the first, last, lowest and highest value and the gaps of every series in the window', () => {
    const plot = createPlot(createFrame([demand, numbers('thermal_mw', [null, null, null])]));
    assert.deepEqual(describeChart(plot, new PlotFormatter(plot, 'en'), plot.domain), [
      'Shown: 01 May 00:00 UTC to 01 May 02:00 UTC.',
      'Residual demand, MW: first 23,582 at 01 May 00:00 UTC, last 20,000 at 01 May 02:00 UTC, lowest 20,000 at 01 May 02:00 UTC, highest 23,582 at 01 May 00:00 UTC, 1 gap. Energy 43,582 MWh · Load factor 0.92.',
      'Thermal, MW: no values.',
    ]);
  });

  it('ignores values outside the window', () => {
    const plot = createPlot(createFrame([numbers('a', [9, 1, 2, 9])]));
    const window = { start: start + hourMs / 2, end: start + 2.5 * hourMs };
    assert.match(describeChart(plot, new PlotFormatter(plot, 'en'), window)[1] ?? '', /first 1 .*highest 2 .*no gaps/);
  });

  it('counts gaps between known values', () => {
    const facts = computeLayerFacts(Float64Array.of(NaN, 4, NaN, NaN, 2, 8, NaN, 6, NaN), 0, 9);
    assert.deepEqual(facts, { first: 1, last: 7, min: 4, max: 5, gaps: 2 });
    assert.equal(computeLayerFacts(Float64Array.of(NaN), 0, 1), undefined);
  });
});
