import assert from 'node:assert/strict';
import { hourCount } from '../../../../src/shared/units.ts';
import { listAvailableModes, chartModes } from '../../../../src/presentation/chart/chartModes.ts';
import { createDefaultOptions, parseChartOptions } from '../../../../src/presentation/chart/chartOptions.ts';
import { createPictureShapes } from '../../../../src/presentation/chart/picture.ts';
import type { Plot } from '../../../../src/presentation/chart/plot.ts';
import type { Shape } from '../../../../src/presentation/chart/scene.ts';
import { serializeSvg } from '../../../../src/presentation/chart/svg.ts';
import { PlotFormatter } from '../../../../src/presentation/chart/plotFormatter.ts';
import { berlin, createFrame, numbers, palette, createPlot, sast, utc } from './chartWorld.ts';

const size = { width: 800, height: 400 };

function createShapes(plot: Plot, title = 'System state', locale = 'en'): Shape[] {
  const formatter = new PlotFormatter(plot, locale);
  const measureWidth = (text: string, pixels: number): number => text.length * pixels * 0.6;
  return createPictureShapes({
    plot,
    formatter,
    palette,
    window: plot.domain,
    title,
    ...size,
    font: 'sans-serif',
    measureWidth,
  });
}

function svg(plot: Plot, title?: string): string {
  const head = { title: title ?? 'System state', description: 'Shown', background: '#ffffff', font: '"Ubuntu", sans' };
  return serializeSvg(createShapes(plot, title), { ...size, ...head });
}

const listTexts = (document: string): string[] =>
  Array.from(document.matchAll(/<text[^>]*>([^<]*)</g), ([, text]) => text ?? '');

describe('a saved image', () => {
  const frame = createFrame([
    numbers('residual_demand_mw', [100, 200, null, 150, 175]),
    numbers('renewable_share_pct', [1, 2, 3, 4, 5]),
  ]);

  it('shows title, series with units, time zone and axis limits in the image', () => {
    const texts = listTexts(svg(createPlot(frame, {}, { zone: sast })));
    for (const expected of ['System state', 'Residual demand, MW', 'Renewable share, %', 'MW', '%', '200', '5'])
      assert.ok(texts.includes(expected), `${expected} in ${texts.join(' | ')}`);
    assert.ok(texts.includes('Hour beginning, SAST (UTC+2)'));
    assert.ok(texts.includes('02:00') && texts.includes('Fri 01 May 2026'));
  });

  it('breaks a long title into lines, and replaces control characters by spaces', () => {
    const longTitle = 'The week in which two units tripped and the reserve was used '.repeat(3).trim();
    const texts = listTexts(svg(createPlot(frame), longTitle));
    const lines = texts.slice(
      0,
      texts.findIndex(text => text.includes('to')),
    );
    assert.ok(lines.length > 1 && lines.every(line => line.length * 15 * 0.6 <= size.width - 24), lines.join('\n'));
    assert.equal(lines.join(' '), longTitle);
    assert.equal(parseChartOptions({ title: 'A \u202eB\nC' }, frame).title, 'A B C');
    assert.equal(parseChartOptions({ limit: { value: 1e16, unit: 'MW' } }, frame).limit, undefined);
  });

  it('draws every kind of chart that the columns support, and records the kind', () => {
    const hours = Array.from({ length: 48 }, (_, hour) => hour % 24);
    const mixNames = ['thermal_mw', 'nuclear_mw', 'eskom_gas_mw', 'wind_mw', 'pv_mw'];
    const names = [...mixNames, 'residual_demand_mw', 'residual_forecast_mw', 'ocgt_ramp_mw', 'value'];
    const fullFrame = createFrame(
      names.map((name, index) =>
        numbers(
          name,
          hours.map(hour => (hour + index) / 24),
        ),
      ),
    );
    assert.deepEqual(listAvailableModes(fullFrame), chartModes);
    for (const { id } of chartModes) {
      const plot = createPlot(
        fullFrame,
        parseChartOptions({ ...createDefaultOptions(fullFrame), mode: id }, fullFrame),
      );
      assert.equal(plot.mode.id, id);
      const document = svg(plot);
      assert.match(document.slice(document.indexOf('clip-path="url')), /<(?:path|rect|circle) /, id);
    }
  });

  it('fills the background, and interrupts lines at gaps', () => {
    const document = svg(createPlot(frame));
    assert.match(document, /<rect width="800" height="400" fill="#ffffff"\/>/);
    const [line = ''] =
      /<path d="[^"]*"[^>]*stroke="#111111" stroke-width="1.5" stroke-linejoin="round"\/>(?!<text)/.exec(
        document.slice(document.indexOf('clip-path="url')),
      ) ?? [''];
    assert.equal(line.split('M').length - 1, 2, line);
    assert.equal(line.split('L').length - 1, 2, line);
  });

  it('hatches areas that color alone does not distinguish, names their sum, and labels bands', () => {
    // This palette gives coal a pattern, which appears in the plot and in the legend.
    const mix = ['thermal_mw', 'nuclear_mw', 'pv_mw'].map(name => numbers(name, [1, 2, 3]));
    const document = svg(createPlot(createFrame(mix), { mode: 'mix' }));
    assert.equal(document.match(/<pattern /g)?.length, 2);
    assert.match(document, />Σ<\/text>\s*<text [^>]*>Sum of the values shown, MW</);
    assert.match(document, /<pattern id="hatch\d+"/);
    assert.match(document, /fill="url\(#hatch\d+\)"/);
    const ids = Array.from(document.matchAll(/ id="(\w+)"/g), ([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const stress = listTexts(svg(createPlot(createFrame([numbers('value', [0.2, 0.9])]), { mode: 'stress' })));
    for (const name of ['low', 'moderate', 'high', 'critical']) assert.ok(stress.includes(name), name);
  });

  it('writes well-formed SVG for any column names', () => {
    const name = '<img src="x" & \u0007\ud800 ]]> onerror=1>';
    const document = svg(createPlot(createFrame([numbers(name, [1, 2])])), name);
    assert.ok(!document.includes('<img') && !document.includes('\u0007'));
    assert.ok(document.includes('&lt;img src=&quot;x&quot; &amp; \ufffd ]]&gt; onerror=1&gt;'));
    // Outside tags and entities, no character that XML reserves remains.
    const textOnly = document.replace(/<\/?[a-z][^<>]*>/gi, '').replace(/&(?:lt|gt|amp|quot);/g, '');
    assert.doesNotMatch(textOnly, /[<>&]/);
  });

  it('keeps every mark inside the image', () => {
    const document = svg(createPlot(frame));
    const coordinates = Array.from(document.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g), ([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    assert.ok(coordinates.length > 20);
    for (const [x = NaN, y = NaN] of coordinates) assert.ok(x >= 0 && x <= 800 && y >= 0 && y <= 400, `${x} ${y}`);
  });

  it('keeps every text inside the image, in any time zone and language', () => {
    const stress = createFrame([numbers('value', [0.2, 0.9, 0.4])]);
    const longZone = {
      timeZone: 'America/Argentina/ComodRivadavia',
      label: 'America/Argentina/ComodRivadavia (UTC−3)',
    };
    for (const zone of [utc, sast, berlin, longZone])
      for (const locale of ['en', 'af', 'pt-BR', 'vi']) {
        const plot = createPlot(stress, { mode: 'stress' }, { zone });
        const shapes = createShapes(plot, 'Stress', locale);
        const texts = shapes.flatMap(shape => (shape.kind === 'text' ? [shape] : []));
        assert.ok(
          texts.some(({ text }) => text.includes(zone.label)),
          zone.label,
        );
        for (const { text, position, style } of texts) {
          const width = text.length * style.size * 0.6;
          const left = position.x - (style.anchor === 'middle' ? width / 2 : style.anchor === 'end' ? width : 0);
          assert.ok(left >= 0 && left + width <= size.width, `${locale}: ${text} from ${left} to ${left + width}`);
        }
      }
  });

  it('names the marks of days with too few hours in the legend', () => {
    const counts = [numbers('hours', [24, 5], hourCount), numbers('of_hours', [24, 24], hourCount)];
    const counted = createFrame([numbers('wind_mw', [5, 6]), ...counts]);
    const draw = (minCoverage: number) =>
      listTexts(svg(createPlot(counted, { columns: ['wind_mw'] }, { minCoverage, isResampled: true })));
    assert.ok(draw(0.75).includes('Few hours'));
    assert.ok(!draw(0.1).includes('Few hours'));
  });
});
