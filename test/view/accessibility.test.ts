import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ResultTab } from '../../src/shared/view.ts';
import { createHarness } from './useHarness.ts';
import { axeOn, call } from './harness.ts';
import { openTab } from '../support/openTab.ts';
import type { StateName } from './page/states.ts';

const stateNames: readonly StateName[] = [
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

const showTab = (name: ResultTab) => async (page: Page) => openTab(page, name);
const showEvents = (kind: string) => async (page: Page) => {
  await showTab('events')(page);
  await page.getByRole('combobox', { name: 'Find' }).selectOption(kind);
};
const selectMoreItem = (item: string) => async (page: Page) => {
  await page.locator('.more-button').click();
  await page.getByRole('menuitem', { name: item }).click();
};
const pressChartButton = (button: string) => async (page: Page) => {
  await showTab('chart')(page);
  await page.getByRole('button', { name: button, exact: true }).click();
};

/** Popups over a result, and its tabs. */
const popupsAndTabs: readonly (readonly [name: string, state: StateName, open: (page: Page) => Promise<unknown>])[] = [
  ['menu of the range', 'saved', page => page.locator('[data-action=chooseRange]').click()],
  ['menu of the zone', 'covered', page => page.locator('[data-choice=zone]').click()],
  ['menu of other actions', 'holes', page => page.locator('.more-button').click()],
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
      await selectMoreItem('Add Column…')(page);
      await page.getByRole('combobox', { name: 'Formula' }).fill('wi');
    },
  ],
  ['axis', 'holes', pressChartButton('Axis')],
  ['columns of the chart', 'holes', pressChartButton('Columns')],
  ['title and limit', 'holes', pressChartButton('Title and Limit…')],
  ['no chart', 'timeless', showTab('chart')],
  ['statistics', 'compared', showTab('statistics')],
  ['forecast', 'covered', showTab('forecast')],
  ['peaks', 'covered', showTab('events')],
  [
    'condition',
    'covered',
    async page => {
      await showEvents('condition')(page);
      await page.getByRole('textbox', { name: 'Condition' }).fill('wind_mw >');
    },
  ],
  ['unusual hours', 'withHistory', showEvents('unusual')],
  [
    'requests',
    'table',
    async page => {
      await showTab('raw')(page);
      const sentAt = Date.UTC(2026, 10, 14);
      const response = { status: 200, attempt: 1, firstByteMs: 41, totalMs: 123, bytes: 56_789 };
      const headers = [['content-type', 'application/json']] as const;
      const request = {
        start: sentAt,
        end: sentAt + 86_400_000,
        sentAt,
        url: 'https://grid.example/',
        headers,
        ...response,
      };
      await call(page, 'respond', { text: '{"data": [1]}', requests: [request], requestsSpent: 1 });
      await page.locator('.requests > summary').click();
      await page.locator('.requests td summary').click();
    },
  ],
  ['no table', 'json', showTab('table')],
];

describe('accessibility of the page', () => {
  const harness = createHarness();

  it('passes axe-core in every state and every theme', async () => {
    // A low window is enough, because all rows look alike.
    const page = await harness.acquire({ context: { viewport: { width: 1100, height: 360 } } });
    for (const state of stateNames) {
      await call(page, 'show', state);
      assert.deepEqual(await axeOn(page), [], state);
    }
    await call(page, 'show', 'table');
    await call(page, 'refuse', 'This was rejected.');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('This was rejected.').waitFor();
    assert.deepEqual(await axeOn(page), [], 'notice');
  });

  it('passes axe-core with each popup and tab of a result, in every theme', async () => {
    const page = await harness.acquire({ context: { viewport: { width: 1100, height: 500 } } });
    for (const [name, state, open] of popupsAndTabs) {
      await call(page, 'show', state);
      await open(page);
      assert.deepEqual(await axeOn(page), [], name);
      await page.keyboard.press('Escape');
      await call(page, 'view', {});
    }
  });
});
