import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/paths.ts';
import { createPseudoBundle } from '../l10n/pseudo.ts';
import { fileNames, readTexts } from '../l10n/translations.ts';
import { createHarness } from './useHarness.ts';
import { call } from './harness.ts';
import { states, type StateName } from './page/states.ts';
import { drawnTwice, resize } from './untilTrue.ts';

const strings = createPseudoBundle(readTexts(root, fileNames.bundle()));

/** Texts of the host and the service, which the page does not translate. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() ? [value] : [];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap(listTexts);
}

const header = (page: Page) => page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first();
const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
const tab = (name: string) => async (page: Page) => {
  await page.locator(`[data-tab=${name}]`).click();
};

/** Interactions that open each part of the panel from a state. A resize closes those with `closes`. */
const interactions: readonly {
  name: string;
  state: StateName;
  go?: (page: Page) => Promise<void>;
  until?: string;
  closes?: true;
  names?: string[];
}[] = [
  { name: 'the table', state: 'table' },
  { name: 'the coverage strip', state: 'covered', until: '.coverage' },
  { name: 'the bands of the stress index', state: 'stress' },
  { name: 'odd columns', state: 'odd' },
  { name: 'no rows', state: 'noRows' },
  { name: 'waiting', state: 'loading' },
  { name: 'filling', state: 'filling' },
  { name: 'JSON', state: 'json' },
  { name: 'nothing', state: 'empty' },
  { name: 'a failure', state: 'error' },
  { name: 'the chart', state: 'table', go: tab('chart'), until: '.chart-summary li' },
  { name: 'the chart of the stress index', state: 'stress', go: tab('chart'), until: '.chart-summary li' },
  { name: 'the chart without rows', state: 'noRows', go: tab('chart') },
  { name: 'split', state: 'covered', go: tab('split'), until: '.chart-summary li' },
  { name: 'statistics', state: 'table', go: tab('statistics'), until: ':nth-match(.statistics-below [role=img], 3)' },
  { name: 'statistics without numbers', state: 'daily', go: tab('statistics') },
  {
    name: 'a forecast',
    state: 'table',
    go: tab('forecast'),
    until: '.tab-sentence',
    names: [
      'cycle',
      'group',
      'hours',
      'of_hours',
      'bias_mw',
      'mae_mw',
      'rmse_mw',
      'mape_pct',
      'p5_mw',
      'p50_mw',
      'p95_mw',
      'skill_24h_pct',
      'skill_168h_pct',
    ],
  },
  {
    name: 'events',
    state: 'table',
    go: tab('events'),
    until: '.tab-sentence',
    names: ['start', 'end', 'residual_demand_max_mw', 'uncertain'],
  },
  { name: 'raw', state: 'table', go: tab('raw') },
  {
    name: 'the menu of more',
    state: 'table',
    go: async page => page.locator('.more-button').click(),
    until: '[role=menu]',
    closes: true,
  },
  {
    name: 'the menu of a column',
    state: 'table',
    go: async page => {
      await header(page).click({ button: 'right' });
    },
    until: '[role=menu]',
    closes: true,
  },
  {
    name: 'the menu of cells',
    state: 'table',
    go: async page => page.locator('[role=gridcell]:visible').nth(20).click({ button: 'right' }),
    until: '[role=menu]',
    closes: true,
  },
  {
    name: 'a selection',
    state: 'table',
    go: async page => {
      await page.locator('[role=gridcell]:visible').nth(2).click();
      await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight')(page);
    },
    until: 'footer :text("3 × 2")',
  },
  {
    name: 'a sort by two columns',
    state: 'table',
    go: async page => {
      await header(page).click();
      await press('ArrowRight', 'Shift+Enter')(page);
    },
  },
  {
    name: 'a filter with a mistake',
    state: 'table',
    go: async page => {
      await header(page).click({ button: 'right' });
      await page.getByRole('menuitem', { name: strings['Filter…'] ?? '' }).click();
      await page.keyboard.type('many');
    },
    until: '.filter [role=alert]',
  },
  { name: 'the find box', state: 'table', go: press('ControlOrMeta+f'), until: '.find-text:focus' },
  {
    name: 'the choice of columns',
    state: 'table',
    go: async page => {
      await page.locator('.more-button').click();
      await page.getByRole('menuitem', { name: strings['Choose Columns…'] ?? '' }).click();
    },
    until: '.picker',
    closes: true,
  },
];

describe('the page in the pseudo language', () => {
  const harness = createHarness();

  for (const { name, state, go, until, closes, names = [] } of interactions)
    it(`leaves no text untranslated or cut off, in ${name}, wide and narrow`, async () => {
      const page = await harness.acquire({ strings, context: { viewport: { width: 1280, height: 720 } } });
      await call(page, 'show', state === 'loading' || state === 'filling' ? 'table' : state);
      await call(page, 'show', state);
      await go?.(page);
      for (const width of [1280, 420]) {
        if (width === 420) await resize(page, { width, height: 720 });
        if (width === 420 && closes) await go?.(page);
        if (until) await page.locator(until).first().waitFor();
        await drawnTwice(page);
        assert.deepEqual(
          await call(page, 'listUntranslatedTexts', [
            ...names,
            ...listTexts(states.table()),
            ...listTexts(states[state]()),
          ]),
          [],
          `${width} pixels wide`,
        );
        assert.deepEqual(await call(page, 'listCutOffTexts'), [], `${width} pixels wide`);
      }
    });
});
