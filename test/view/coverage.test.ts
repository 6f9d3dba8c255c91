import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addAxe } from './addAxe.ts';
import { createHarness } from './useHarness.ts';
import { onStrip } from './harness.ts';
import { themeNames, type ThemeName } from './themes.ts';
import { until } from '../support/until.ts';
import { resize } from './untilTrue.ts';

/** 50 archived hours, one missing, four failed, two delayed, ten not requested, and the rest of the day in the future. */
const allStates = `${'k'.repeat(50)}m${'.'.repeat(60)}ffff${'.'.repeat(20)}${'a'.repeat(10)}ll${'n'.repeat(21)}`;

describe('coverage strip', () => {
  const harness = createHarness('strip');
  let page: Page;

  const open = (theme: ThemeName, width = 1100) =>
    harness.open({ theme, context: { viewport: { width, height: 100 }, deviceScaleFactor: 2 } });
  const slider = () => page.getByRole('slider');
  const value = () => slider().getAttribute('aria-valuetext');
  const tooltip = () => page.locator('.coverage-tooltip');

  describe('when shown', () => {
    beforeEach(async () => {
      page = await open('dark');
      await onStrip(page, 'show', allStates);
    });

    it('gives the coverage strip one tab stop, and its summary as its name', async () => {
      await onStrip(page, 'show', `${'.'.repeat(50)}m${'.'.repeat(117)}`);
      await page.getByRole('slider', { name: '167 of 168 hours, 1 missing: 3 May 02:00', exact: true }).waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.role'), 'slider');
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.role'), null);
    });

    it('starts at the first incomplete interval of the coverage strip, and names it', async () => {
      await slider().focus();
      assert.equal(await value(), '3 May 02:00 UTC: missing');
      assert.equal(await slider().getAttribute('aria-valuenow'), '2');
    });

    it('moves between intervals of the coverage strip by keyboard, and scrolls the table to them', async () => {
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
      assert.deepEqual(await onStrip(page, 'wentTo'), ['2023-05-05T15:00:00.000Z', '2023-05-07T03:00:00.000Z']);
      assert.match((await onStrip(page, 'announced'))[1] ?? '', /not published yet/);
      await page.keyboard.press('Escape');
      assert.equal(await tooltip().isVisible(), false);
    });

    it('scrolls the table to the hour under the pointer, and names its coverage', async () => {
      const hourWidth = 1100 / 168;
      await slider().hover({ position: { x: 50.5 * hourWidth, y: 8 } });
      assert.equal(await tooltip().innerText(), '3 May 02:00 UTC: missing');
      await page.mouse.move(900, 60);
      assert.equal(await tooltip().isVisible(), false);
      await slider().click({ position: { x: 80.5 * hourWidth, y: 8 } });
      assert.deepEqual(await onStrip(page, 'wentTo'), ['2023-05-04T08:00:00.000Z']);
      assert.equal(await value(), '3 May 03:00 – 5 May 15:00 UTC: present, 60 hours');
    });

    it('finds one missing hour in a year of coverage under the pointer', async () => {
      await onStrip(page, 'show', `${'.'.repeat(5003)}m${'.'.repeat(3756)}`);
      await slider().click({ position: { x: Math.floor((5003 / 8760) * 1100), y: 8 } });
      assert.deepEqual(await onStrip(page, 'wentTo'), [new Date(Date.UTC(2023, 4, 1, 5003)).toISOString()]);
    });

    it('shows coverage times in another time zone, and keeps the position', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await onStrip(page, 'show', allStates, 'Africa/Johannesburg', 'SAST (UTC+2)');
      assert.equal(await value(), '3 May 04:00 SAST (UTC+2): missing');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      assert.equal(await tooltip().innerText(), '3 May 04:00 SAST (UTC+2): missing');
      assert.match((await slider().getAttribute('aria-label')) ?? '', /1 missing: 3 May 04:00/);
    });

    it('keeps the position in the coverage strip when a newer result arrives', async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('End');
      await onStrip(page, 'show', allStates.replace('m', '.'));
      assert.match((await value()) ?? '', /^7 May 03:00 – 8 May 00:00/);
    });

    it('moves to the first incomplete interval of a newer result if the user has not moved it', async () => {
      await onStrip(page, 'show', allStates.replace(/[^.]/g, '.'));
      assert.match((await value()) ?? '', /present/);
      await onStrip(page, 'show', allStates);
      assert.equal(await value(), '3 May 02:00 UTC: missing');
    });

    it('resizes the coverage strip with the panel', async () => {
      await resize(page, { width: 400, height: 100 });
      const width = async () => page.evaluate<number>("document.querySelector('.coverage-drawing').clientWidth");
      await until('the strip as wide as the panel', width, pixels => pixels === 400);
    });

    it('hides the coverage strip when coverage is unknown', async () => {
      await onStrip(page, 'show', undefined);
      assert.equal(await page.locator('.coverage').isVisible(), false);
    });
  });

  for (const theme of themeNames) {
    it(`draws the coverage strip in ${theme}, and passes axe-core`, async () => {
      page = await open(theme, 700);
      await onStrip(page, 'show', allStates);
      await addAxe(page);
      assert.deepEqual(await onStrip(page, 'axe'), []);
      await page.keyboard.press('Tab');
      const countPatterns = async () =>
        page.evaluate<number>(
          "new Set([...document.querySelectorAll('.coverage-marks')].map(path => path.getAttribute('fill'))).size",
        );
      await until('a different pattern for each kind', countPatterns, count => count === 7);
    });
  }
});
