import type { ChartPageApi } from './page/chartPageApi.ts';
import { pageCaller } from './pageCaller.ts';
import { ServedPage } from './servedPage.ts';

/** A browser with the chart alone. */
export const ChartHarness = {
  start: () =>
    ServedPage.start({
      script: 'test/view/page/chartPage.ts',
      styles: ['panel.css', 'chart.css'],
      ready: 'window.chart !== undefined',
      troubles: 'window.chart.troubles()',
    }),
};
export type ChartHarness = ServedPage;

/** Calls the chart's page. */
export const call = pageCaller<ChartPageApi>('chart');
