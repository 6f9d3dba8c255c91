import { ServedPage } from './servedPage.ts';

/** A browser with the statistics alone. */
export const StatisticsHarness = {
  start: () =>
    ServedPage.start({
      script: 'test/view/page/statisticsPage.ts',
      styles: ['panel.css', 'statistics.css'],
      ready: 'window.statistics !== undefined',
      troubles: 'window.statistics.troubles()',
      empty: 'window.statistics.empty()',
      viewport: { width: 1280, height: 720 },
    }),
};
export type StatisticsHarness = ServedPage;
