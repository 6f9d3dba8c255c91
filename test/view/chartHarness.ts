import type { Page } from 'playwright-core';
import { axeInEachTheme } from './addAxe.ts';
import type { ChartPageApi } from './page/chartPageApi.ts';
import { pageCaller } from './pageCaller.ts';
import { ServedPage } from './servedPage.ts';
import type { ThemeName } from './themes.ts';

/** A browser with the chart alone. */
export const ChartHarness = {
  start: () =>
    ServedPage.start({
      script: 'test/view/page/chartPage.ts',
      styles: ['panel.css', 'chart.css'],
      ready: 'window.chart !== undefined',
      troubles: 'window.chart.troubles()',
      empty: 'window.chart.empty()',
    }),
};
export type ChartHarness = ServedPage;

/** Calls the chart's page. */
export const call = pageCaller<ChartPageApi>('chart');

/** What axe-core finds wrong with the page, in each theme, for which the chart is drawn anew; `also` looks at it then. */
export function axeOn(page: Page, also?: (theme: ThemeName) => Promise<void>): Promise<readonly string[]> {
  return axeInEachTheme(page, async (rules, theme) => {
    await call(page, 'themeChanged');
    await also?.(theme);
    return call(page, 'axe', rules);
  });
}
