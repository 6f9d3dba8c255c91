import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { onChart } from './harness.ts';

const utc = { timeZone: 'UTC', label: 'UTC' };

describe('announcements of the chart', () => {
  let page: Page;
  useSharedPages('chart', newPage => (page = newPage));

  const waitForAnnouncement = (words: RegExp) =>
    until(
      `the words ${String(words)}`,
      async () => (await onChart(page, 'announced')).at(-1) ?? '',
      text => words.test(text),
    );
  const notice = () => page.locator('.chart-notice').innerText();

  it('announces the charted range after zooming and panning by keys and buttons, after a pause', async () => {
    await onChart(page, 'show', { frame: 'week', zone: utc });
    await page.locator('.chart-plot').focus();
    // Dispatched in one task, because the chart may become idle between two presses.
    await page.evaluate(`for (let press = 0; press < 2; press++)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true, cancelable: true }))`);
    await waitForAnnouncement(/^Shown: 03 May 14:\d\d UTC to 05 May 08:\d\d UTC\.$/);
    await page.keyboard.press('ControlOrMeta+ArrowRight');
    await waitForAnnouncement(/^Shown: 03 May 18:\d\d UTC to 05 May 12:\d\d UTC\.$/);
    await page.getByRole('button', { name: 'Zoom Out' }).click();
    await waitForAnnouncement(/^Shown: 02 May 2\d:\d\d UTC to 06 May 0\d:\d\d UTC\.$/);
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('0');
    await waitForAnnouncement(/^Shown: 01 May 00:00 UTC to 07 May 23:00 UTC\.$/);
    assert.equal((await onChart(page, 'announced')).length, 4);
  });

  it('announces where a comparison is drawn when the chart does not draw it', async () => {
    const compared = [['residual_demand_mw', 'residual_forecast_mw']] as const;
    const options = { mode: 'mix' } as const;
    await onChart(page, 'show', { frame: 'week', zone: utc, compared, options });
    assert.equal(await notice(), 'The comparison is drawn in Lines.');
    await page.getByRole('button', { name: 'Lines' }).click();
    assert.equal(await notice(), '');
    await onChart(page, 'show', { frame: 'week', zone: utc, options });
    assert.equal(await notice(), '');
    await onChart(page, 'show', { frame: 'incomplete', zone: utc, compared, options });
    assert.match(await notice(), /^Generation is incomplete .*\. The comparison is drawn in Lines\.$/);
  });
});
