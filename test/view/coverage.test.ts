import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../host/chromium.ts';
import type { CoveragePageApi } from './page/coveragePageApi.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pictures = `${root}out/screenshots/view/`;
const origin = 'https://view.invalid';
const policy = `default-src 'none'; style-src ${origin} 'nonce-test'; script-src 'nonce-test'`;

/** The green and the hover of each theme, which no other page of these tests uses. */
const green = { light: '#388a34', dark: '#89d185', 'hc-dark': '#89d185', 'hc-light': '#374e06' };

/** 50 kept hours, one missing, four failed, two late, ten not asked, and the rest of the day to come. */
const allStates = `${'k'.repeat(50)}m${'.'.repeat(60)}ffff${'.'.repeat(20)}${'a'.repeat(10)}ll${'n'.repeat(21)}`;

describe('coverage strip', () => {
  let browser: Browser;
  let script = '';
  let axe = '';
  let page: Page;

  before(async () => {
    mkdirSync(pictures, { recursive: true });
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const { outputFiles } = await esbuild.build({
      entryPoints: [`${root}test/view/page/coveragePage.ts`],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      tsconfig: `${root}src/webview/tsconfig.json`,
    });
    script = outputFiles[0]?.text ?? '';
    const executablePath = findChromium();
    assert.ok(executablePath, 'No Chromium found: set CHROME_PATH.');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  });
  after(() => browser.close());

  async function open(theme: ThemeName, width = 1100): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 100 }, deviceScaleFactor: 2 });
    const opened = await context.newPage();
    const css = await Promise.all(['panel', 'coverage'].map(name => readFile(`${root}media/${name}.css`, 'utf8')));
    const tokens = { ...themes[theme].tokens, '--vscode-charts-green': green[theme] };
    const values = Object.entries(tokens).map(([name, value]) => `${name}: ${value};`);
    const body = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Strip</title>
<style nonce="test">:root { ${values.join(' ')} } ${css.join('\n')}</style></head>
<body class="${themes[theme].bodyClass}"><main id="app"><h1 class="for-ears">Strip</h1></main>
<script nonce="test">${script}</script></body></html>`;
    await opened.route('**/*', route =>
      route.fulfill({ body, contentType: 'text/html', headers: { 'content-security-policy': policy } }),
    );
    await opened.goto(origin);
    return opened;
  }

  function call<Name extends keyof CoveragePageApi>(
    name: Name,
    ...args: Parameters<CoveragePageApi[Name]>
  ): Promise<Awaited<ReturnType<CoveragePageApi[Name]>>> {
    return page.evaluate(`window.strip.${name}(${args.map(arg => JSON.stringify(arg)).join()})`);
  }

  const slider = () => page.getByRole('slider');
  const value = () => slider().getAttribute('aria-valuetext');
  const tooltip = () => page.locator('.coverage-tooltip');

  describe('shown', () => {
    beforeEach(async () => {
      page = await open('dark');
      await call('show', allStates);
    });
    afterEach(() => page.context().close());

    it('has one tab stop, and the sentence for its name', async () => {
      await call('show', `${'.'.repeat(50)}m${'.'.repeat(117)}`);
      await page.getByRole('slider', { name: '167 of 168 hours, 1 missing: 3 May 02:00', exact: true }).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.role'), 'slider');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.role'), null);
    });

    it('begins at the first stretch that is not present, and says what it is', async () => {
      await slider().focus();
      assert.equal(await value(), '3 May 02:00 UTC: missing');
      assert.equal(await slider().getAttribute('aria-valuenow'), '2');
    });

    it('moves from stretch to stretch by keyboard, shows each, and goes there', async () => {
      await page.keyboard.press('Tab');
      assert.equal(await tooltip().innerText(), '3 May 02:00 UTC: missing');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      assert.equal(await value(), '5 May 15:00 – 5 May 19:00 UTC: request failed, 4 hours');
      assert.equal(await tooltip().innerText(), await value());
      await page.keyboard.press('Enter');
      await page.keyboard.press('Home');
      assert.equal(await value(), '1 May 00:00 – 3 May 02:00 UTC: present, 50 hours, from the archive');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await slider().getAttribute('aria-valuenow'), '1');
      await page.keyboard.press('End');
      assert.equal(await value(), '7 May 03:00 – 8 May 00:00 UTC: not published yet, 21 hours');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press(' ');
      assert.deepEqual(await call('wentTo'), ['2023-05-05T15:00:00.000Z', '2023-05-07T03:00:00.000Z']);
      assert.match((await call('announced'))[1] ?? '', /not published yet/);
      await page.keyboard.press('Escape');
      assert.equal(await tooltip().isVisible(), false);
    });

    it('goes to the hour under the mouse, and says what is there', async () => {
      const hourWidth = 1100 / 168;
      await slider().hover({ position: { x: 50.5 * hourWidth, y: 8 } });
      assert.equal(await tooltip().innerText(), '3 May 02:00 UTC: missing');
      await page.mouse.move(900, 60);
      assert.equal(await tooltip().isVisible(), false);
      await slider().click({ position: { x: 80.5 * hourWidth, y: 8 } });
      assert.deepEqual(await call('wentTo'), ['2023-05-04T08:00:00.000Z']);
      assert.equal(await value(), '3 May 03:00 – 5 May 15:00 UTC: present, 60 hours');
    });

    it('finds one missing hour of a year under the mouse', async () => {
      await call('show', `${'.'.repeat(5003)}m${'.'.repeat(3756)}`);
      await slider().click({ position: { x: Math.floor((5003 / 8760) * 1100), y: 8 } });
      assert.deepEqual(await call('wentTo'), [new Date(Date.UTC(2023, 4, 1, 5003)).toISOString()]);
    });

    it('writes its times in another zone, and stays where it is', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await call('setZone', 'Africa/Johannesburg', 'SAST (UTC+2)');
      assert.equal(await value(), '3 May 04:00 SAST (UTC+2): missing');
      assert.equal(await tooltip().innerText(), '3 May 04:00 SAST (UTC+2): missing');
      assert.match((await slider().getAttribute('aria-label')) ?? '', /1 missing: 3 May 04:00/);
    });

    it('keeps its place over a newer answer', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('End');
      await call('show', allStates.replace('m', '.'));
      assert.match((await value()) ?? '', /^7 May 03:00 – 8 May 00:00/);
    });

    it('follows the width of the panel', async () => {
      await page.setViewportSize({ width: 400, height: 100 });
      await page.waitForFunction("document.querySelector('.coverage-drawing').clientWidth === 400");
    });

    it('goes away where nothing is known', async () => {
      await call('show', undefined);
      assert.equal(await page.locator('.coverage').isVisible(), false);
    });
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`is drawn in ${theme}, and axe-core finds nothing`, async () => {
      page = await open(theme, 700);
      await call('show', allStates);
      await page.evaluate(axe);
      assert.deepEqual(await call('axe'), []);
      await page.keyboard.press('Tab');
      await page.screenshot({ path: `${pictures}coverage-${theme}.png` });
      const inks = await page.evaluate<number>(
        "new Set([...document.querySelectorAll('.coverage-marks')].map(path => path.getAttribute('fill'))).size",
      );
      assert.equal(inks, 7, 'each kind has its own pattern');
      await page.context().close();
    });
  }
});
