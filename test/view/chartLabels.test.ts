import assert from 'node:assert/strict';
import { parseView } from '../../src/shared/view.ts';
import { until } from '../support/until.ts';
import { createHarness } from './useHarness.ts';
import { call, showing } from './harness.ts';
import { addAxe } from './addAxe.ts';

describe('a chart with a title, a limit or bars', () => {
  const harness = createHarness();

  it('draws and saves a typed title and limit, and ignores an invalid number', async () => {
    const page = await showing(harness, 'covered', undefined, { width: 1280, height: 720 });
    await page.locator('#tab-chart').click();
    const button = page.getByRole('button', { name: 'Title and Limit…' });
    await button.click();
    const title = page.getByLabel('Title', { exact: true });
    const limit = page.getByLabel('Limit line, MW');
    await title.fill('Winter peak');
    await title.press('Enter');
    await limit.fill('1,250.5');
    await limit.press('Enter');
    await page.locator('.chart-title', { hasText: 'Winter peak' }).waitFor();
    await page.locator('.chart-summary li', { hasText: 'Limit: 1,250.5 MW.' }).waitFor({ state: 'attached' });
    const readSavedOptions = async () => parseView((await call(page, 'shownViews')).at(-1)).chart;
    await until('the view with a limit', readSavedOptions, chart => JSON.stringify(chart).includes('1250.5'));
    const { title: readouts, limit: at } = (await readSavedOptions()) as Record<string, unknown>;
    assert.deepEqual([readouts, at], ['Winter peak', { value: 1250.5, unit: 'MW' }]);
    // A comma separates thousands in one language and decimals in another.
    assert.equal(await limit.inputValue(), '1250.5');
    await limit.fill('much');
    await limit.press('Enter');
    assert.equal(
      await limit.evaluate((node: HTMLInputElement) => node.validationMessage),
      "'much' isn't a valid number.",
    );
    assert.deepEqual(((await readSavedOptions()) as Record<string, unknown>)['limit'], { value: 1250.5, unit: 'MW' });
    const section = await call(page, 'readReport');
    assert.match(section?.chart?.svg ?? '', /<title>Winter peak<\/title>[^]*>1,250\.5 MW<\/text>/);
    // A limit is meaningless in another unit.
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    await page.getByRole('button', { name: 'Generation Mix' }).click();
    await page.getByLabel('Limit line, MWh').or(page.getByLabel('Limit line, GWh')).waitFor();
    await page.locator('.chart-summary li', { hasText: 'Limit: ' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Lines' }).click();
    await page.locator('.chart-summary li', { hasText: 'Limit: 1,250.5 MW.' }).waitFor({ state: 'attached' });
    await addAxe(page);
    assert.deepEqual(await call(page, 'axe'), []);
    await limit.press('Escape');
    assert.equal(await limit.count(), 0);
    assert.ok(await button.evaluate(node => node === document.activeElement));
  });

  it('shows the bar under the mouse, even in its right half', async () => {
    const page = await showing(harness, 'covered', undefined, { width: 1280, height: 720 });
    await page.locator('#tab-chart').click();
    await page.locator('[data-choice=resample]').click();
    await page.getByRole('menuitemcheckbox', { name: 'Days', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Generation Mix' }).click();
    const area = await page.locator('.chart-area').boundingBox();
    assert.ok(area);
    const readouts: string[] = [];
    for (const part of [0.1, 0.9]) {
      // Points at the right half of the first of eight bars.
      await page.mouse.move(area.x + (area.width / 8) * part, area.y + 80);
      readouts.push(await page.locator('.chart-time').innerText());
    }
    const crosshair = await page.locator('.chart-crosshair').boundingBox();
    assert.deepEqual(readouts, ['14 Nov UTC, 19 of 24 hours', '14 Nov UTC, 19 of 24 hours']);
    assert.ok(Math.abs((crosshair?.x ?? 0) - (area.x + area.width / 16)) <= 1, String(crosshair?.x));
  });
});
