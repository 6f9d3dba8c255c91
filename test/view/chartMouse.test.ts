import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useSharedPages } from './useHarness.ts';
import { onChart } from './harness.ts';

const wholeRange = '01 May 00:00 UTC to 07 May 23:00 UTC';
const utc = { timeZone: 'UTC', label: 'UTC' };

describe('the mouse in the chart', () => {
  let page: Page;
  useSharedPages('chart', async opened => {
    page = opened;
    await onChart(page, 'show', { frame: 'week', zone: utc });
  });

  const waitForAnnouncements = (count: number) =>
    until(
      `${count} announcements`,
      async () => onChart(page, 'announced'),
      texts => texts.length >= count,
    );
  const windowText = () => page.locator('.chart-brush-window').getAttribute('aria-valuetext');
  const drag = async (selector: string, from: number, to: number) => {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * from, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, y, { steps: 8 });
    await page.mouse.up();
  };

  it('announces the range that a mouse gesture selects, once per gesture', async () => {
    await drag('.chart-area', 0.25, 0.5);
    const [first = ''] = await waitForAnnouncements(1);
    assert.match(first, /^Shown: 02 May 1\d:\d\d UTC to 04 May 1\d:\d\d UTC\.$/);
    await page.keyboard.down('Shift');
    await drag('.chart-area', 0.5, 0.4);
    await page.keyboard.up('Shift');
    const [, second = ''] = await waitForAnnouncements(2);
    assert.match(second, /^Shown: 02 May \d\d:\d\d UTC to 04 May \d\d:\d\d UTC\.$/);
    assert.notEqual(second, first);
    await drag('.chart-brush-window', 0.5, 0.9);
    await waitForAnnouncements(3);
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    await page.mouse.dblclick(box.x + 40, box.y + 40);
    const announcements = await waitForAnnouncements(4);
    assert.equal(announcements.length, 4);
    assert.equal(announcements[3], 'Shown: 01 May 00:00 UTC to 07 May 23:00 UTC.');
  });

  it('shows energies instead of values in the legend while the point is hidden, and restores both', async () => {
    const values = () => page.locator('.chart-value').allInnerTexts();
    const energies = () => page.locator('.chart-legend tbody td:last-child').allInnerTexts();
    const time = () => page.locator('.chart-time').innerText();
    await page.locator('.chart-plot').focus();
    await page.keyboard.press('Home');
    assert.equal(await time(), "01 May 00:00 UTC, Workers' Day");
    const pointValues = await values();
    const totalEnergies = await energies();
    assert.ok(
      pointValues.every(text => /^[\d,.]+$/.test(text)),
      pointValues.join(),
    );
    await drag('.chart-brush-handle.start', 0, 30);
    assert.equal(await time(), 'UTC');
    assert.deepEqual(
      await values(),
      pointValues.map(() => ''),
    );
    for (const [at, energy] of (await energies()).entries())
      assert.ok(parseFloat(energy) < parseFloat(totalEnergies[at] ?? ''));
    await page.getByRole('button', { name: 'Show Whole Range' }).click();
    assert.equal(await time(), "01 May 00:00 UTC, Workers' Day");
    assert.deepEqual([await values(), await energies()], [pointValues, totalEnergies]);
  });

  it('draws a dot on every line at the pointer', async () => {
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + 60);
    assert.equal(await page.locator('.chart-dot').count(), 2);
    const crosshair = await page.locator('.chart-crosshair').boundingBox();
    // The 84th of 167 hours is in the middle.
    const targetX = box.x + (box.width * 84) / 167;
    assert.ok(Math.abs((crosshair?.x ?? 0) - targetX) <= 1, `${crosshair?.x} for ${targetX}`);
    await page.mouse.move(5, 5);
    assert.equal(await page.locator('.chart-crosshair').isVisible(), false);
  });

  it('does not zoom on a click, or on a drag that Escape cancels', async () => {
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    const dragged = page.locator('.chart-dragged');
    await page.mouse.move(box.x + 100, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 103, box.y + 60);
    assert.equal(await dragged.isVisible(), false);
    await page.mouse.up();
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 60);
    assert.equal(await dragged.isVisible(), true);
    const ground = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.chart-dragged')).backgroundColor`);
    assert.notEqual(await ground(), 'rgba(0, 0, 0, 0)');
    // The readout must not cover the lines.
    await page.evaluate("document.body.classList.add('vscode-high-contrast')");
    assert.equal(await ground(), 'rgba(0, 0, 0, 0)');
    await page.keyboard.press('Escape');
    assert.equal(await dragged.isVisible(), false);
    await page.mouse.up();
    assert.equal(await windowText(), wholeRange);
  });

  it('restores the window when Escape cancels its move', async () => {
    await page.locator('.chart-plot').press('+');
    const previousText = await windowText();
    for (const [selector, key] of [
      ['.chart-area', 'Shift'],
      ['.chart-brush-window', ''],
      ['.chart-brush-handle.end', ''],
    ] as const) {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box);
      const x = box.x + box.width / 2;
      const y = box.y + box.height / 2;
      await page.mouse.move(x, y);
      if (key) await page.keyboard.down(key);
      await page.mouse.down();
      await page.mouse.move(x + 60, y);
      if (key) await page.keyboard.up(key);
      assert.notEqual(await windowText(), previousText, selector);
      await page.keyboard.press('Escape');
      await page.mouse.up();
      assert.equal(await windowText(), previousText, selector);
    }
  });

  it('keeps the instant under the mouse while the wheel zooms, even at the shortest window', async () => {
    const box = await page.locator('.chart-area').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 4, box.y + 60);
    const pointed = await page.locator('.chart-time').innerText();
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, -1000);
    await page.keyboard.up('Control');
    await page.locator('.chart-canvas').evaluate('new Promise(requestAnimationFrame)');
    assert.equal(await page.locator('.chart-time').innerText(), pointed);
    assert.notEqual(await windowText(), wholeRange);
  });
});
