import type { BrowserContextOptions, Page } from 'playwright-core';
import { escaped } from '../e2e/harness/pageElement.ts';
import { until } from '../support/waiting.ts';
import { axeInEachTheme } from './addAxe.ts';
import { bundle } from './bundle.ts';
import type { FakeHostApi } from './page/fakeHostApi.ts';
import { pageCaller } from './pageCaller.ts';
import { ServedPage, type ServedOptions } from './servedPage.ts';
import type { ThemeName } from './themes.ts';

/** How a page is opened. */
export interface PageOptions {
  readonly theme?: ThemeName;
  readonly locale?: string;
  readonly strings?: Record<string, string>;
  readonly context?: BrowserContextOptions;
}

/** A browser with the whole page of the panel, and a host that is not real. */
export class Harness {
  private readonly served: ServedPage;
  private readonly fakeHost: string;

  private constructor(served: ServedPage, fakeHost: string) {
    this.served = served;
    this.fakeHost = fakeHost;
  }

  static async start(): Promise<Harness> {
    const fakeHost = await bundle('test/view/page/fakeHost.ts');
    const served = await ServedPage.start({
      script: 'src/webview/main.ts',
      styles: ['webview.css'],
      body: '<div id="app"></div>',
      ready: 'window.host.isReady()',
      troubles: 'window.host.troubles()',
      empty: 'window.host.empty()',
    });
    return new Harness(served, fakeHost);
  }

  /** A page that is up and has said `ready`. */
  open(options?: PageOptions): Promise<Page> {
    return this.served.open(this.optionsFor(options));
  }

  /** As of `ServedPage`: without a result, and it has said `ready` long ago. */
  emptied(options?: PageOptions): Promise<Page> {
    return this.served.emptied(this.optionsFor(options));
  }

  troubles(page: Page): Promise<readonly string[]> {
    return this.served.troubles(page);
  }

  close(page: Page): Promise<void> {
    return this.served.close(page);
  }

  stop(): Promise<void> {
    return this.served.stop();
  }

  private optionsFor({ theme, locale = 'en', strings, context }: PageOptions = {}): ServedOptions {
    const settings = `Object.assign(window, ${JSON.stringify({ locale, strings })});`;
    return { theme, context, first: [settings, this.fakeHost] };
  }
}

/** Calls the fake host in the page. */
export const call = pageCaller<FakeHostApi>('host');

/** What axe-core finds wrong with the page, in each theme. */
export function axeOn(page: Page): Promise<readonly string[]> {
  return axeInEachTheme(page, rules => call(page, 'axe', rules));
}

/**
 * Presses + in the chart until it shows at most so many percent of its range, each time half as many: one that the page is too busy for
 * goes nowhere.
 */
export async function zoomIn(page: Page, percent: number): Promise<void> {
  const width = "parseFloat(document.querySelector('.chart-brush-window').style.width)";
  await until(
    'the zoomed chart',
    async () => {
      const shown = await page.evaluate<number>(width);
      if (!(shown <= percent)) await page.locator('.chart-plot').press('+');
      return shown;
    },
    shown => shown <= percent,
  );
}

/** Waits until the footer has the text; a number at its start is whole: `8 rows` is not that of `168 rows`. */
export async function waitForFooter(page: Page, text: string | RegExp): Promise<void> {
  const pattern = typeof text === 'string' ? new RegExp(`(?<![\\d.,])${escaped(text)}`) : text;
  await page.locator('footer', { hasText: pattern }).waitFor();
}
