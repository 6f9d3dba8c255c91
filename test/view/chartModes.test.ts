import assert from 'node:assert/strict';
import { escapeRegExp } from '../e2e/harness/pageElement.ts';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { axeOn, onChart } from './harness.ts';
import type { ChartShown } from './page/chartPart.ts';
import { setTheme, themeNames, type ThemeName } from './themes.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };
const lines = ['residual_demand_mw', 'residual_forecast_mw', 'wind_mw', 'pv_mw', 'renewable_share_pct'];
const kinds: Readonly<Record<string, ChartShown>> = {
  lines: { frame: 'week', options: { columns: lines } },
  mix: { frame: 'week', options: { mode: 'mix' } },
  stress: { frame: 'stress' },
  ramps: { frame: 'week', options: { mode: 'ramps' } },
  daily: { frame: 'daily', options: { columns: ['residual_demand_mw', 'wind_mw'] } },
};

const countStrokes = `
  window.strokes = [];
  const { lineTo } = Path2D.prototype;
  Path2D.prototype.lineTo = function (...to) {
    window.strokes.push(to);
    lineTo.apply(this, to);
  };
`;

/** Hashes of the pictures of the plot and of the strip below it. */
const readPictures = `
  window.readPictures = () => Promise.all(
    Array.from(document.querySelectorAll('.chart-canvas canvas, .chart-brush canvas'), async canvas => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.some(value => value > 0)
        ? new Uint8Array(await crypto.subtle.digest('SHA-256', data)).toHex()
        : 'blank';
    }),
  );
`;

describe('the chart in every mode', () => {
  const harness = createHarness('chart');

  for (const [name, content] of Object.entries(kinds))
    it(`draws ${name} in every theme, and passes axe-core`, async () => {
      const page = await harness.acquire();
      await onChart(page, 'show', content);
      await page.locator('.chart-plot').focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('PageDown');
      const drawn = async (theme: ThemeName) => assert.ok((await onChart(page, 'colors')) > 10, theme);
      assert.deepEqual(await axeOn(page, drawn), []);
    });

  it('passes axe-core in every theme without a chart', async () => {
    const page = await harness.acquire();
    await onChart(page, 'show', { frame: 'texts' });
    assert.deepEqual(await axeOn(page), []);
  });

  it('uses the colors of a theme that changed while the chart was hidden', async () => {
    const page = await harness.acquire({ theme: 'dark' });
    await page.evaluate(readPictures);
    const waitForPictures = (description: string, accept: (pictures: readonly string[]) => boolean) =>
      until(description, () => page.evaluate<string[]>('readPictures()'), accept);
    const change = async (theme: ThemeName): Promise<void> => {
      await setTheme(page, theme);
      await onChart(page, 'themeChanged');
    };
    const isEqualTo = (expected: readonly string[]) => (actual: readonly string[]) => actual.join() === expected.join();

    await onChart(page, 'show', { frame: 'week', options: { mode: 'mix' } });
    const dark = await waitForPictures('the pictures', images => images.length === 2 && !images.includes('blank'));
    await change('light');
    const light = await waitForPictures('other pictures', images =>
      images.every((picture, index) => picture !== dark[index]),
    );
    await change('dark');
    await waitForPictures('the first pictures', isEqualTo(dark));
    await page.evaluate(
      "window.chartElement = document.querySelector('.chart'); window.home = chartElement.parentNode; chartElement.remove()",
    );
    await change('light');
    // An element that leaves and returns within one frame was never hidden.
    await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate('home.append(chartElement)');
    await waitForPictures('the other pictures again', isEqualTo(light));
  });

  it('draws a million points in a few strokes per pixel, also zoomed and in another time zone', async () => {
    const page = await harness.open();
    await page.evaluate(countStrokes);
    const strokes = () => page.evaluate<number>('strokes.splice(0).length');
    const options = { columns: ['feeder_1', 'feeder_2', 'feeder_3'] };
    await onChart(page, 'show', { frame: 'million', options });
    const counts = { first: await strokes(), zoomed: 0, zone: 0 };
    await page.locator('.chart-plot').press('+');
    await until(
      'the zoom',
      () => onChart(page, 'zooms'),
      zooms => (zooms.at(-1) ?? null) !== null,
    );
    counts.zoomed = await strokes();
    await onChart(page, 'setZone', utc);
    counts.zone = await strokes();
    // There are 3,000,000 points, and the chart may be drawn again once it knows its size.
    const maxStrokes = 100_000;
    for (const [when, count] of Object.entries(counts))
      assert.ok(count > 1_000 && count < maxStrokes, `${when}: ${count} strokes`);
  });

  it('labels a saved image with its source, its dates, and whether the data was measured', async () => {
    const page = await harness.acquire();
    const dates = /\d{1,2} \w+ \d{4},? \d\d:\d\d to \d{1,2} \w+ \d{4},? \d\d:\d\d SAST \(UTC\+2\)/.source;
    for (const mark of ['SAMPLE DATA', 'REPLAYED HOURS (a.csv)', '']) {
      await onChart(page, 'show', { frame: 'week', origin: { connection: 'Ours & theirs', mark } });
      const svg = await onChart(page, 'svg');
      const caption = `${mark ? `${escapeRegExp(mark)} · ` : ''}Ours &amp; theirs · ${dates}`;
      assert.match(svg, new RegExp(`<text [^>]*>${caption}</text>`), svg.slice(0, 1500));
      assert.match(svg, new RegExp(`\n${caption}</desc>`));
      assert.equal(/SAMPLE DATA|REPLAYED/.test(svg), mark !== '');
    }
  });

  it('explains the generation mix and its line in the legend, in the info button and in the image', async () => {
    const page = await harness.acquire();
    await onChart(page, 'show', { frame: 'whole', options: { mode: 'mix' } });
    const legend = page.locator('.chart-series .chart-label');
    const labels = async () => legend.allInnerTexts();
    const published = ['Thermal', 'Nuclear', 'Gas', 'OCGT', 'Hydro'];
    assert.deepEqual(await labels(), [
      ...published,
      ...['Not published', 'PV', 'Wind', 'Other renewables', 'Imports', 'Total demand'],
    ]);
    assert.equal(await page.locator('.chart-total .chart-label').innerText(), 'Total generation and imports');
    const caption = page.locator('#chart-about');
    assert.equal(await caption.isVisible(), false);
    await page.getByRole('button', { name: 'How This Is Calculated' }).click();
    assert.match(await caption.innerText(), /^Not published \(hatched\) is total generation.* It includes shed load/);
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    const legendText = await until(
      'the total',
      () => onChart(page, 'announced'),
      texts => texts.some(text => text.includes('Total generation and imports')),
    );
    assert.match(legendText.at(-1) ?? '', /: Total demand \d\d,\d+.* MW, Thermal /);
    const svg = await onChart(page, 'svg');
    for (const text of ['Not published, MW', 'Total demand, MW', 'Not published (hatched) is total generation'])
      assert.ok(svg.includes(text), text);
    for (const name of ['PV', 'Wind', 'Other renewables'])
      await page.locator('.chart-series', { hasText: name }).click();
    assert.equal((await labels()).at(-1), 'Residual demand');
    assert.equal(await page.locator('.chart-total .chart-label').innerText(), 'Sum of the values shown');
    assert.match(await caption.innerText(), /Residual demand is the demand left to sources that are not renewable/);
  });

  it('hatches only unpublished generation, and omits it for an implausible value', async () => {
    const page = await harness.acquire();
    await onChart(page, 'show', { frame: 'whole', options: { mode: 'mix' } });
    for (const theme of themeNames) {
      await setTheme(page, theme);
      await onChart(page, 'themeChanged');
      const swatches = await onChart(page, 'swatches');
      const names = await page.locator('.chart-legend .chart-label').allInnerTexts();
      // The last two entries are a line and a sum.
      const open = names.slice(0, -2).filter((_, index) => (swatches[index]?.bare ?? 0) > 40);
      assert.deepEqual(open, ['Not published'], theme);
      assert.ok(!swatches[names.indexOf('Not published')]?.colored, theme);
    }
    await onChart(page, 'show', { frame: 'contradicted', options: { mode: 'mix' } });
    const wrong =
      'Wrong reading at 3 hours: the published sources exceed total generation, so the unpublished part is unknown.';
    assert.ok((await page.locator('#chart-about').textContent())?.startsWith(wrong));
    const notice = 'Generation is incomplete at 3 hours (marked): no value for Not published.';
    assert.equal(await page.locator('.chart-notice').innerText(), notice);
    const inPicture = (await onChart(page, 'svg')).replace(/<[^>]*>\s*/g, ' ').replace(/\s+/g, ' ');
    assert.equal(inPicture.split(wrong).length, 3, 'the note appears in the image and in its description');
  });

  it('saves valid image files, and copies one', async () => {
    const page = await harness.acquire();
    await onChart(page, 'show', { frame: 'week', title: 'Week & more' });
    const svg = await onChart(page, 'svg');
    assert.ok(svg.includes('\n<title>Week &amp; more</title>\n<desc>Shown: '), svg.slice(0, 400));
    assert.ok(await onChart(page, 'svgIsSound'));
    const singleScale = await onChart(page, 'png', 1);
    const doubleScale = await onChart(page, 'png', 2);
    assert.deepEqual([doubleScale.width, doubleScale.height], [singleScale.width * 2, singleScale.height * 2]);
    await page.getByRole('button', { name: 'Copy As Picture' }).click();
    const copied = 'Copied the chart as a picture.';
    await until(
      copied,
      () => onChart(page, 'announced'),
      texts => texts.includes(copied),
    );
    const [type, size] = await onChart(page, 'clipboard');
    assert.equal(type, 'image/png');
    assert.ok(size > 5000, String(size));
    await page.getByRole('button', { name: 'Save As SVG' }).click();
    await page.getByRole('button', { name: 'Save As PNG' }).click();
    const saved = await until(
      'two pictures saved',
      () => onChart(page, 'saved'),
      texts => texts.length === 2,
    );
    assert.deepEqual(saved, ['svg', 'png']);
  });

  it('keeps the chart usable in a narrow panel, at 200 % zoom', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 400, height: 420 }, deviceScaleFactor: 2 } });
    for (const name of ['lines', 'mix', 'stress']) {
      await onChart(page, 'show', kinds[name] ?? { frame: 'week' });
      const width = await page.evaluate(
        'document.querySelector(".chart").scrollWidth - document.querySelector(".chart").clientWidth',
      );
      assert.equal(width, 0, name);
      const box = await page.locator('.chart-area').boundingBox();
      assert.ok(box && box.width > 220 && box.height > 90, JSON.stringify(box));
    }
  });
});
