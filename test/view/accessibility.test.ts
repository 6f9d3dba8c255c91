import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ResultTab } from '../../src/shared/view.ts';
import { createHarness } from './useHarness.ts';
import { axeOn, call } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import type { StateName } from './page/states.ts';

const shown: readonly StateName[] = [
  'loading',
  'table',
  'loading',
  'odd',
  'noRows',
  'wide',
  'json',
  'empty',
  'error',
  'hostile',
  'hostileError',
  'hostileJson',
];

const tab = (name: ResultTab) => async (page: Page) => openTab(page, name);
const events = (kind: string) => async (page: Page) => {
  await tab('events')(page);
  await page.getByRole('combobox', { name: 'Find' }).selectOption(kind);
};
const more = (item: string) => async (page: Page) => {
  await page.locator('.more-button').click();
  await page.getByRole('menuitem', { name: item }).click();
};
const chart = (button: string) => async (page: Page) => {
  await tab('chart')(page);
  await page.getByRole('button', { name: button, exact: true }).click();
};

/** Popups over a result, and its tabs. */
const opened: readonly (readonly [name: string, state: StateName, open: (page: Page) => Promise<unknown>])[] = [
  ['menu of the range', 'saved', page => page.locator('[data-action=chooseRange]').click()],
  ['menu of the zone', 'covered', page => page.locator('[data-choice=zone]').click()],
  ['menu of all else', 'holes', page => page.locator('.more-button').click()],
  ['find', 'covered', page => page.keyboard.press('ControlOrMeta+f')],
  [
    'filters',
    'covered',
    page => call(page, 'view', { analysis: { where: { ts: 'weekday', thermal_mw: '>> x', wind_mw: '> 0' } } }),
  ],
  [
    'formula',
    'covered',
    async page => {
      await more('Add Column…')(page);
      await page.getByRole('combobox', { name: 'Formula' }).fill('wi');
    },
  ],
  ['axis', 'holes', chart('Axis')],
  ['columns of the chart', 'holes', chart('Columns')],
  ['title and limit', 'holes', chart('Title and Limit…')],
  ['no chart', 'timeless', tab('chart')],
  ['statistics', 'compared', tab('statistics')],
  ['forecast', 'covered', tab('forecast')],
  ['peaks', 'covered', tab('events')],
  [
    'condition',
    'covered',
    async page => {
      await events('condition')(page);
      await page.getByRole('textbox', { name: 'Condition' }).fill('wind_mw >');
    },
  ],
  ['unusual hours', 'withHistory', events('unusual')],
  [
    'requests',
    'table',
    async page => {
      await tab('raw')(page);
      const at = Date.UTC(2026, 10, 14);
      const took = { status: 200, attempt: 1, firstByteMs: 41, totalMs: 123, bytes: 56_789 };
      const headers = [['content-type', 'application/json']] as const;
      const request = { start: at, end: at + 86_400_000, sentAt: at, url: 'https://grid.example/', headers, ...took };
      await call(page, 'respond', { text: '{"data": [1]}', requests: [request], requestsSpent: 1 });
      await page.locator('.requests > summary').click();
      await page.locator('.requests td summary').click();
    },
  ],
  ['no table', 'json', tab('table')],
];

describe('accessibility of the page', () => {
  const harness = createHarness();

  it('passes axe-core in every state and every theme', async () => {
    // A low window is enough, because all rows look alike.
    const page = await harness.acquire({ context: { viewport: { width: 1100, height: 360 } } });
    for (const state of shown) {
      await call(page, 'show', state);
      assert.deepEqual(await axeOn(page), [], state);
    }
    await call(page, 'show', 'table');
    await call(page, 'refuse', 'This is refused.');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('This is refused.').waitFor();
    assert.deepEqual(await axeOn(page), [], 'notice');
  });

  it('passes axe-core with each popup and tab of a result, in every theme', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 1100, height: 500 } } });
    for (const [name, state, open] of opened) {
      await call(page, 'show', state);
      await open(page);
      assert.deepEqual(await axeOn(page), [], name);
      await page.keyboard.press('Escape');
      await call(page, 'view', {});
    }
  });
});
