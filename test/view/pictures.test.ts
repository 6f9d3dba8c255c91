// Compares screenshots with the pictures in test/view/pictures. After an intended change, `npm run pictures:update` replaces
// them; review each one before committing it. Differences are saved in out/screenshots/view, in red.
// Text uses a font from the development dependencies and the settings in fonts.conf, so that pictures are the same on every
// Linux. Another major version of Chromium renders differently, so the tests are skipped there.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root, screenshots } from '../../scripts/paths.ts';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { call } from './harness.ts';
import type { StateName } from './page/states.ts';
import { PageServer } from './pageServer.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { themeNames, type ThemeName } from './themes.ts';
import { untilTrue } from './untilTrue.ts';

/**
 * A state, the interactions that lead to the picture, a selector that exists once everything is drawn, and what is then scrolled into view.
 * `themes` are all themes by default; pictures that differ only in the drawing need just a light and a dark one.
 */
interface Scene {
  readonly state: StateName;
  readonly themes?: readonly ThemeName[];
  readonly go?: (page: Page) => Promise<unknown>;
  readonly until: readonly string[];
  readonly reveal?: string;
}

const computed = ['.statistics-summary [role=gridcell]', ':nth-match(.statistics-below [role=img], 3)'];

/** Waits for the strip, which is drawn when the page is idle. */
const stripDrawn = (page: Page): Promise<void> =>
  untilTrue(
    page,
    `(canvas => canvas.width > 0 && canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      .some(byte => byte > 0))(document.querySelector('.chart-brush canvas'))`,
  );

/** Selects a chart mode in the menu. */
function furtherChart(name: string, state: StateName, ...shownIn: ThemeName[]): Scene {
  const go = async (page: Page): Promise<void> => {
    await page.locator('#tab-chart').click();
    await page.getByRole('button', { name: 'More Charts' }).click();
    await page.getByRole('menuitemcheckbox', { name }).click();
    await stripDrawn(page);
  };
  return { state, themes: shownIn, go, until: ['.chart-summary li'] };
}

/** Resamples the rows of the chart to days. */
async function chartOfDays(page: Page): Promise<void> {
  await page.locator('[data-choice=resample]').click();
  await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.locator('#tab-chart').click();
}

const scenes: Readonly<Record<string, Scene>> = {
  table: {
    state: 'covered',
    go: page => page.locator('[role=gridcell]:visible').nth(30).click(),
    until: ['.coverage'],
  },
  chart: {
    state: 'table',
    go: async page => {
      await page.locator('#tab-chart').click();
      await stripDrawn(page);
    },
    until: ['.chart-summary li'],
  },
  bars: {
    state: 'covered',
    go: async page => {
      await chartOfDays(page);
      await page.getByRole('button', { name: 'Generation Mix' }).click();
      // These synthetic hours lack values, which would mark every day.
      await page.getByRole('button', { name: /^Not published/ }).click();
      await stripDrawn(page);
    },
    until: ['.chart-summary li'],
  },
  pairs: {
    state: 'compared',
    go: async page => {
      await chartOfDays(page);
      await page.getByRole('button', { name: 'Show As: Lines' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Bars' }).click();
      await stripDrawn(page);
    },
    until: ['.chart-summary li'],
  },
  heatmap: furtherChart('Heatmap', 'month', 'light', 'dark'),
  overlay: furtherChart('Overlay', 'table', 'light'),
  duration: furtherChart('Duration Curves', 'table', 'dark'),
  scatter: furtherChart('Scatter', 'table', 'light'),
  events: {
    state: 'covered',
    themes: ['light', 'dark'],
    go: page => page.locator('#tab-events').click(),
    until: ['.tab-sentence', '[role=gridcell]'],
  },
  unusual: {
    state: 'withHistory',
    go: async page => {
      await page.locator('#tab-events').click();
      await page.getByRole('combobox', { name: 'Find' }).selectOption('Unusual');
    },
    until: ['.tab-sentence', '[role=gridcell]:text(" of 9: ")'],
  },
  periods: {
    state: 'comparedTwoPeriods',
    go: async page => {
      await page.locator('#tab-chart').click();
      await stripDrawn(page);
    },
    until: ['.chart-summary li'],
  },
  forecast: {
    state: 'covered',
    themes: ['light', 'dark'],
    go: async page => {
      await page.locator('#tab-forecast').click();
      await page.getByRole('combobox', { name: 'By' }).selectOption('Hour of Day');
    },
    until: ['.tab-sentence', '[role=gridcell]:text("05:00")'],
  },
  statistics: {
    state: 'covered',
    go: page => page.locator('#tab-statistics').click(),
    until: computed,
    reveal: '.statistics-summary [role=columnheader]:has-text("Energy")',
  },
  histogram: {
    state: 'table',
    go: page => page.locator('#tab-statistics').click(),
    until: computed,
    reveal: '.statistics-below [role=img]',
  },
  compare: { state: 'compared', until: ['[role=grid]'] },
  empty: { state: 'empty', until: ['[role=status]'] },
  error: { state: 'error', until: ['[role=alert]'] },
};

const folder = join(root, 'test/view/pictures');
const differences = join(screenshots, 'view');
/** The major version of the Chromium that drew the pictures. */
const versionFile = join(folder, 'chromium.txt');
const isUpdate = process.argv.includes('--update');
/** Maximum number of different pixels, of 400,000: processors round the edges of letters differently. A letter has more pixels. */
const allowedPixels = 20;
/** Maximum number of slightly different pixels, at the edges of curves and letters. A paler bar would have thousands. */
const allowedFaint = 400;

const address = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;

describe('pictures of the page', () => {
  const harness = createHarness();
  before(async function () {
    const version = (await sharedBrowser()).version().split('.', 1)[0] ?? '';
    if (isUpdate) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(versionFile, `${version}\n`);
    }
    const savedVersion = readFileSync(versionFile, 'utf8').trim();
    if (process.platform !== 'linux' || savedVersion !== version) {
      console.log(`      skipped: the saved pictures are of Chromium ${savedVersion} on Linux, this is ${version}`);
      this.skip();
    }
    mkdirSync(differences, { recursive: true });
  });

  for (const [name, scene] of Object.entries(scenes))
    for (const theme of scene.themes ?? themeNames)
      it(`matches ${name}-${theme}.png`, async () => {
        const page = await harness.acquire({
          theme,
          context: { viewport: { width: 800, height: 500 }, timezoneId: 'UTC' },
        });
        await useTestFont(page);
        await call(page, 'show', scene.state);
        await scene.go?.(page);
        for (const selector of scene.until) await page.locator(selector).first().waitFor({ state: 'attached' });
        if (scene.reveal !== undefined) await page.locator(scene.reveal).first().scrollIntoViewIfNeeded();
        const screenshot = await takeStableScreenshot(page);
        const path = join(folder, `${name}-${theme}.png`);
        if (isUpdate) writeFileSync(path, screenshot);
        assert.ok(existsSync(path), `${path} is missing: npm run pictures:update`);
        const { pixels, faint, marked } = await call(
          page,
          'comparePictures',
          address(readFileSync(path)),
          address(screenshot),
        );
        if (pixels > allowedPixels || faint > allowedFaint) {
          const left = join(differences, `${name}-${theme}`);
          writeFileSync(`${left}.png`, screenshot);
          writeFileSync(`${left}-differs.png`, Buffer.from(marked.slice(marked.indexOf(',') + 1), 'base64'));
          assert.fail(`${pixels} pixels differ, ${faint} with those that nearly do not, see ${left}-differs.png`);
        }
      });
});

/** Makes the page use a font that is the same on every machine. */
async function useTestFont(page: Page): Promise<void> {
  const face = (weight: number) =>
    `@font-face { font-family: Brought; font-weight: ${weight}; src: url(/fonts/dejavu-sans-latin-${weight}-normal.woff2); }`;
  const tokens = ['--vscode-font-family: Brought !important;', '--vscode-editor-font-family: Brought !important;'];
  const css = `${face(400)} ${face(700)} :root { ${tokens.join(' ')} }`;
  await page.addStyleTag({ url: (await PageServer.shared()).addCached(css, 'text/css') });
  // A busy machine could take the picture before the icon font is loaded.
  const used = ['400 13px Brought', '700 13px Brought', '16px codicon'];
  await page.evaluate(`Promise.all(${JSON.stringify(used)}.map(font => document.fonts.load(font)))`);
}

/** Takes screenshots until two in a row are equal. */
async function takeStableScreenshot(page: Page): Promise<Buffer> {
  let previousPicture: Buffer | undefined;
  const isSame = (picture: Buffer): boolean => {
    const isSame = previousPicture?.equals(picture) ?? false;
    previousPicture = picture;
    return isSame;
  };
  await until('two equal pictures in a row', () => page.screenshot(), isSame);
  assert.ok(previousPicture);
  return previousPicture;
}
