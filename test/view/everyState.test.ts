import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ResultTab } from '../../src/shared/view.ts';
import { createHarness } from './useHarness.ts';
import { call } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import type { StateName } from './page/states.ts';
import { setTheme } from './themes.ts';

/** A scene: a state, and the interactions that lead to what is checked. */
interface Scene {
  readonly name: string;
  readonly state: StateName;
  readonly go?: (page: Page) => Promise<unknown>;
}

const response = JSON.stringify({
  meta: { dataset: 'grid.system_state', interval: '1h', timezone: 'UTC', note: 'long '.repeat(80) },
  data: Array.from({ length: 40 }, (_, hour) => ({ ts: `2026-11-14T${hour}:00:00Z`, thermal_mw: 18_000 + hour })),
});
const tab = (name: ResultTab) => async (page: Page) => {
  await openTab(page, name);
  if (name === 'chart') await page.locator('.chart-summary li').first().waitFor();
  if (name === 'statistics') await page.locator(':nth-match(.statistics-below [role=img], 2)').waitFor();
};
const chart = (mode: string) => async (page: Page) => {
  await tab('chart')(page);
  await page.getByRole('button', { name: mode, exact: true }).click();
};

const scenes: readonly Scene[] = [
  { name: 'table', state: 'covered', go: page => page.locator('[role=gridcell]').nth(30).click() },
  { name: 'tableStress', state: 'stress' },
  {
    name: 'find',
    state: 'table',
    go: async page => {
      await page.keyboard.press('ControlOrMeta+f');
      await page.locator('.find-text').fill('14 Nov');
    },
  },
  { name: 'lines', state: 'table', go: chart('Lines') },
  {
    name: 'columns',
    state: 'table',
    go: async page => {
      await chart('Lines')(page);
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
    },
  },
  { name: 'mix', state: 'table', go: chart('Generation Mix') },
  { name: 'ramps', state: 'table', go: chart('OCGT Ramps') },
  { name: 'stress', state: 'stress', go: chart('Stress') },
  { name: 'split', state: 'covered', go: tab('split') },
  { name: 'statistics', state: 'table', go: tab('statistics') },
  { name: 'forecast', state: 'table', go: tab('forecast') },
  { name: 'events', state: 'table', go: tab('events') },
  {
    name: 'raw',
    state: 'table',
    go: async page => {
      await tab('raw')(page);
      await call(page, 'respond', { text: response, requests: [], requestsSpent: 0 });
      await page.locator('.json').waitFor();
    },
  },
  { name: 'compare', state: 'compared' },
  { name: 'compareChart', state: 'compared', go: tab('chart') },
  { name: 'compareStatistics', state: 'compared', go: tab('statistics') },
  { name: 'loading', state: 'loading' },
  { name: 'json', state: 'json' },
  { name: 'jsonTable', state: 'json', go: tab('table') },
  { name: 'empty', state: 'empty' },
  { name: 'error', state: 'error' },
  { name: 'odd', state: 'odd' },
];

describe('every state of the page', () => {
  const harness = createHarness();

  // A window of 1280 by 720 pixels, at 150 % and 200 % zoom too, and a narrow panel.
  for (const [width, height] of [
    [1280, 640],
    [853, 480],
    [640, 360],
    [420, 640],
  ] as const)
    it(`fits every state, ${width} × ${height} pixels, without a content security policy violation`, async () => {
      const page = await harness.acquire({ context: { viewport: { width, height } } });
      for (const { name, state, go } of scenes) {
        await call(page, 'show', state);
        await go?.(page);
        // Light and dark have the same layout; high contrast has additional borders.
        for (const theme of ['dark', 'hc-light'] as const) {
          await setTheme(page, theme);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.equal(overflow, 0, `${name} in ${theme}`);
        }
        await page.keyboard.press('Escape');
        if (go) await openTab(page, 'table');
      }
    });

  it('fits every state into a narrow panel at 200 % zoom', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 360, height: 400 }, deviceScaleFactor: 2 } });
    for (const state of ['table', 'error'] as const) {
      await call(page, 'show', state);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'), 0, state);
    }
  });

  it('keeps the figure check boxes reachable by keyboard at 200 % zoom', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 640, height: 360 } } });
    await call(page, 'show', 'covered');
    await tab('statistics')(page);
    await page.getByRole('checkbox').first().focus();
    await page.keyboard.press('End');
    const lastCheckbox = page.getByRole('checkbox', { name: 'Missing Values' });
    assert.equal(await lastCheckbox.evaluate(box => box === document.activeElement), true);
    assert.ok(await page.evaluate('document.activeElement.getBoundingClientRect().right <= innerWidth'));
    await page.keyboard.press('Space');
    assert.equal(await lastCheckbox.isChecked(), true);
  });
});
