import type { Page } from 'playwright-core';
import { axeInEachTheme } from './addAxe.ts';
import type { GridPageApi } from './page/gridPageApi.ts';
import { pageCaller } from './pageCaller.ts';
import { ServedPage } from './servedPage.ts';

/** A browser with the table alone. */
export const GridHarness = {
  start: () =>
    ServedPage.start({
      script: 'test/view/page/gridPage.ts',
      styles: ['panel.css', 'grid.css'],
      ready: 'window.gridPage !== undefined',
      troubles: 'window.gridPage.breaches()',
      empty: 'window.gridPage.empty()',
    }),
};
export type GridHarness = ServedPage;

/** Calls the page. */
export const onGrid = pageCaller<GridPageApi>('gridPage');

/** What axe-core finds wrong with the page, in each theme. */
export function axeOn(page: Page): Promise<readonly string[]> {
  return axeInEachTheme(page, rules => onGrid(page, 'axe', rules));
}
