import type { Page, ViewportSize } from 'playwright-core';
import { axeInEachTheme } from './addAxe.ts';
import type { AnyPart, Parts } from './page/partsApi.ts';
import { pageCaller } from './pageCaller.ts';
import { ServedPage } from './servedPage.ts';
import type { ThemeName } from './themes.ts';

/** A browser with one part of the panel alone. */
export function partHarness(name: keyof Parts, viewport?: ViewportSize): { start(): Promise<ServedPage> } {
  return {
    start: () =>
      ServedPage.start({
        script: 'test/view/page/partPage.ts',
        styles: ['webview.css'],
        ready: `window.mount?.('${name}') === true`,
        troubles: 'window.part.troubles()',
        empty: `window.mount('${name}')`,
        ...(viewport && { viewport }),
      }),
  };
}

export const onChart = pageCaller<Parts['chart'] & AnyPart>('part');
export const onGrid = pageCaller<Parts['grid'] & AnyPart>('part');
export const onStatistics = pageCaller<Parts['statistics'] & AnyPart>('part');
export const onStrip = pageCaller<Parts['strip'] & AnyPart>('part');

/** What axe-core finds wrong with the page, in each theme, for which a chart is drawn anew; `also` looks at it then. */
export function axeOn(page: Page, also?: (theme: ThemeName) => Promise<void>): Promise<readonly string[]> {
  return axeInEachTheme(page, async (rules, theme) => {
    await page.evaluate('window.part.themeChanged?.()');
    await also?.(theme);
    return onGrid(page, 'axe', rules);
  });
}
