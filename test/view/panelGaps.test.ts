import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';
import { resize } from './untilTrue.ts';
import { menuItem } from './menus.ts';

describe('a result with missing hours', () => {
  let page: Page;
  useSharedPages('panel', async opened => {
    page = opened;
    await call(page, 'show', 'gaps');
  });

  const readFooter = () => page.locator('footer [role=status]').innerText();
  const showMissingIntervals = async () => {
    await page.locator('.more-button').click();
    await (await menuItem(page, 'Show Missing Intervals')).click();
    await page.locator('[role=grid][aria-rowcount="169"]').waitFor();
  };

  it('excludes the rows of missing hours from the row count in each tab, also if rows are sorted', async () => {
    assert.equal(await readFooter(), '164 rows · 17 columns');
    await showMissingIntervals();
    assert.equal(await readFooter(), '164 rows · 17 columns · 4 hours without a row');
    await page.locator('[role=columnheader]:visible').nth(1).click();
    await page.locator('[role=columnheader]:is([aria-sort=ascending], [aria-sort=descending])').waitFor();
    assert.equal(await readFooter(), '164 rows · 17 columns · 4 hours without a row');
    await page.locator('#tab-statistics').click();
    await page.getByText('Over all 164 rows').first().waitFor();
  });

  it('reports that the table has no space for the rows of missing hours', async () => {
    await call(page, 'show', 'wideGaps');
    await page.locator('.more-button').click();
    await (await menuItem(page, 'Show Missing Intervals')).click();
    await page
      .locator('footer [role=status]', { hasText: 'the table has no space for 4 hours without a row' })
      .waitFor();
    assert.equal(await page.locator('[role=grid]:visible').getAttribute('aria-rowcount'), '165');
  });

  for (const width of [1280, 420])
    it(`scrolls the table to a missing hour and announces it after a click on the coverage strip, ${width} pixels wide`, async () => {
      await resize(page, { width, height: 600 });
      const clickHour = async (hour: number): Promise<void> => {
        const { x, y, width: stripWidth } = (await page.locator('.coverage').boundingBox()) ?? { x: 0, y: 0, width: 0 };
        // Moves the pointer away first, because the tooltip of the last click covers neighboring hours.
        await page.mouse.move(x + stripWidth / 2, y + 200);
        await page.mouse.click(x + ((hour + 0.5) / 168) * stripWidth, y + 3);
      };
      const readFocusedTime = () => page.locator('[role=row]:has(:focus) [aria-colindex="1"]').innerText();
      const readAnnouncement = () => page.locator('.visually-hidden[role=status]').textContent();
      const positions = [
        [
          50,
          '16 Nov 09:00',
          '16 Nov 07:00 – 16 Nov 09:00 UTC: missing, 2 hours. No row at this time. Next row: 16 Nov 09:00.',
        ],
        [
          51,
          '16 Nov 09:00',
          '16 Nov 07:00 – 16 Nov 09:00 UTC: missing, 2 hours. No row at this time. Next row: 16 Nov 09:00.',
        ],
        [0, '14 Nov 06:00', '14 Nov 05:00 UTC: missing. No row at this time. Next row: 14 Nov 06:00.'],
        [167, '21 Nov 03:00', '21 Nov 04:00 UTC: missing. No row at this time. Previous row: 21 Nov 03:00.'],
      ] as const;
      for (const [hour, expectedTime, expectedText] of positions) {
        await clickHour(hour);
        assert.equal(await readFocusedTime(), expectedTime);
        assert.equal(await readAnnouncement(), expectedText);
        assert.equal(await page.locator('.coverage-tooltip').innerText(), expectedText);
      }
      await clickHour(80);
      assert.equal(await readFocusedTime(), '17 Nov 13:00');
      assert.match((await readAnnouncement()) ?? '', /present, 115 hours$/);
      await showMissingIntervals();
      for (const [hour, expectedTime] of [
        [50, '16 Nov 07:00'],
        [0, '14 Nov 05:00'],
        [167, '21 Nov 04:00'],
      ] as const) {
        await clickHour(hour);
        assert.equal(await readFocusedTime(), expectedTime);
        assert.match((await readAnnouncement()) ?? '', /missing(, 2 hours)?$/);
      }
    });
});
