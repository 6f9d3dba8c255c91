import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { onGrid } from './harness.ts';

const berlin = { timeZone: 'Europe/Berlin', label: 'Europe/Berlin' };
const sast = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };

describe('the cells of the table', () => {
  let page: Page;
  useSharedPages('grid', newPage => (page = newPage));

  const cell = (row: number, column: number) =>
    page.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 1}"]:not([hidden])`);
  const header = (column: number) => cell(-1, column);
  const text = (row: number, column: number) => onGrid(page, 'cellText', row, column);

  it("shows hints outside the cell's text, and only when enabled", async () => {
    await onGrid(page, 'show', { frame: 'stress', hints: true, note: true });
    const readStyle = (row: number, column: number) => onGrid(page, 'look', row, column);
    assert.equal(await text(1, 1), '0.42');
    assert.match((await readStyle(1, 1)).after, /moderate/);
    assert.equal(await cell(1, 1).getAttribute('aria-label'), '0.42 moderate');
    assert.equal(await cell(1, 2).getAttribute('aria-label'), '312 up');
    assert.equal(await cell(2, 2).getAttribute('aria-label'), '-88 down');
    assert.equal(await cell(0, 2).getAttribute('aria-label'), null);
    assert.match((await readStyle(2, 2)).after, /▼/);
    assert.equal((await readStyle(2, 2)).negative, true);
    assert.equal(await text(4, 1), '');
    assert.match((await readStyle(4, 1)).before, /null/);
    assert.match((await readStyle(5, 1)).before, /absent/);
    assert.equal(await page.locator('.grid-note:visible').textContent(), 'not published');
    assert.equal(await cell(7, 1).getAttribute('aria-label'), 'not published');
    assert.equal((await readStyle(7, 1)).before, 'none');
    await onGrid(page, 'show', { frame: 'stress', hints: false });
    assert.equal((await readStyle(1, 1)).after, 'none');
    assert.equal((await readStyle(4, 1)).before, 'none');
    assert.equal(await page.locator('.grid-note:visible, .negative').count(), 0);
    assert.equal(await cell(1, 1).getAttribute('aria-label'), null);
    assert.equal(await cell(4, 1).getAttribute('aria-label'), 'null');
  });

  it('distinguishes the two occurrences of a repeated hour', async () => {
    await onGrid(page, 'show', { frame: 'autumn', zone: berlin, step: 3_600_000, intervalEnd: true });
    const times = await Promise.all([0, 1, 2, 3, 4, 5].map(row => text(row, 0)));
    assert.deepEqual(times, [
      '25 Oct 00:00',
      '25 Oct 01:00',
      '25 Oct 02:00 CEST',
      '25 Oct 02:00 CET',
      '25 Oct 03:00',
      '25 Oct 04:00',
    ]);
    assert.equal(await text(1, 1), '25 Oct 02:00 CEST');
    assert.equal(await text(-1, 1), 'Until (Europe/Berlin)');
    assert.match((await header(0).getAttribute('title')) ?? '', /Hour-beginning/);
    assert.equal((await onGrid(page, 'look', 2, 0)).clipped, false);
  });

  it('shows daily values in UTC days in every time zone', async () => {
    await onGrid(page, 'show', { frame: 'daily', zone: sast, step: 86_400_000 });
    assert.equal(await text(-1, 0), 'Day (UTC)');
    assert.equal(await text(0, 0), '14 Nov');
    await cell(0, 0).hover();
    assert.equal(
      await cell(0, 0).getAttribute('title'),
      'Received: 2026-11-14T00:00:00Z\nFrom 14 Nov 2026 02:00 SAST (UTC+2)\nUntil 15 Nov 2026 02:00 SAST (UTC+2)',
    );
  });
});
