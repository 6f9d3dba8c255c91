import assert from 'node:assert/strict';
import { compareFrames } from '../../../../src/core/compare/compareFrames.ts';
import type { Frame } from '../../../../src/shared/frame.ts';
import { describePoint } from '../../../../src/presentation/chart/readout.ts';
import { describeChart } from '../../../../src/presentation/chart/summary.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { dayMs, createFrame, hourMs, numbers, createPlot, sast, start } from './chartWorld.ts';
import { sortForLegend } from '../../../../src/presentation/chart/plot.ts';

const name = 'thermal_mw';
const compared = [[name, `${name} · compared`]] as const;
const options = { mode: 'lines', columns: [name] } as const;

/** Compares three hours with the hours `days` earlier, of which the last one is missing. */
function createComparison(days: number): Frame {
  const base = createFrame([numbers(name, [10, 20, 30])]);
  const earlier = [0, 1].map(hour => start - days * dayMs + hour * hourMs);
  return compareFrames(base, createFrame([numbers(name, [11, 21])], earlier), {
    align: 'position',
    base: { start, end: start + 3 * hourMs },
    other: { start: start - days * dayMs, end: start - days * dayMs + 2 * hourMs },
    intervalMs: hourMs,
    timeZone: 'UTC',
    comparedWith: 'previous period',
    translate: (text, ...parts) => parts.reduce((message, part, index) => message.replace(`{${index}}`, part), text),
  });
}

describe('the time of a compared point', () => {
  it('appears next to the time of the point, in the selected time zone', () => {
    const plot = createPlot(createComparison(7), options, { compared, zone: sast });
    const formatter = new PlotFormatter(plot, 'en');
    assert.equal(formatter.formatPointTime(0), "01 May 02:00 SAST, Workers' Day (compared: 24 Apr 02:00)");
    assert.equal(
      describePoint(plot, formatter, 1),
      "01 May 03:00 SAST, Workers' Day (compared: 24 Apr 03:00): Thermal · 24 Apr 21 MW, Thermal · 01 May 20 MW",
    );
  });

  it('does not appear if the point has no counterpart or no comparison is drawn', () => {
    const frame = createComparison(7);
    const plot = createPlot(frame, options, { compared });
    assert.equal(new PlotFormatter(plot, 'en').formatPointTime(2), "01 May 02:00 UTC, Workers' Day");
    const plotWithoutComparison = createPlot(frame, options);
    assert.equal(new PlotFormatter(plotWithoutComparison, 'en').formatPointTime(0), "01 May 00:00 UTC, Workers' Day");
  });

  it('dates the minimum and maximum of the compared period', () => {
    const plot = createPlot(createComparison(7), options, { compared });
    const [, comparedSentence] = describeChart(plot, new PlotFormatter(plot, 'en'), plot.domain);
    assert.match(comparedSentence ?? '', /lowest 11 at 24 Apr 00:00 UTC, highest 21 at 24 Apr 01:00 UTC/);
  });

  it('positions the compared period in heatmaps and overlays', () => {
    const picked = { 'heatmap.column': `${name} · compared`, 'heatmap.across': 'days' };
    const { timeline, received } = createPlot(createComparison(7), { mode: 'heatmap', picked }, { compared });
    assert.deepEqual([...timeline.x], [start - 7 * dayMs]);
    // The points of an overlay do not correspond to rows.
    assert.equal(received, undefined);
    const overlay = { mode: 'overlay', picked: { 'overlay.column': `${name} · compared`, 'overlay.period': 'week' } };
    assert.deepEqual(
      createPlot(createComparison(6), overlay, { compared }).layers.map(({ label }) => label),
      ['Mean of 1', '20 Apr 2026'],
    );
  });

  it('lists the current period first in the legend, and draws it on top', () => {
    const { layers } = createPlot(createComparison(7), options, { compared });
    const listRoles = (orderedLayers: typeof layers) =>
      orderedLayers.map(({ comparedTo }) => (comparedTo === undefined ? 'base' : 'compared'));
    assert.deepEqual(
      [listRoles(layers), listRoles(sortForLegend(layers))],
      [
        ['compared', 'base'],
        ['base', 'compared'],
      ],
    );
  });

  it('includes the year if it is in another year', () => {
    const plot = createPlot(createComparison(365), options, { compared });
    assert.equal(
      new PlotFormatter(plot, 'en').formatPointTime(0),
      "01 May 2026 00:00 UTC, Workers' Day (compared: 01 May 2025 00:00)",
    );
  });
});
