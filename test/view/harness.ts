import type { BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { createPanelHtml } from '../../src/host/panel/panelHtml.ts';
import type { SerializedView } from '../../src/shared/view.ts';
import { escaped } from '../e2e/harness/pageElement.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { openTab } from '../support/openTab.ts';
import { patienceMs, until } from '../support/waiting.ts';
import { axeInEachTheme } from './addAxe.ts';
import { bundle } from './bundle.ts';
import type { ResultTab } from '../../src/shared/view.ts';
import type { ComponentName, Mounted } from './page/page.ts';
import type { StateName } from './page/states.ts';
import { PageServer } from './pageServer.ts';
import { themeScript, type ThemeName } from './themes.ts';
import { resize, untilTrue } from './untilTrue.ts';

/** A view with all digits, for tests that read numbers to the last one. */
export const allDigits: SerializedView = { display: { numbers: 'digits' } };

const usualTheme: ThemeName = 'dark';

const nonce = 'dGVzdC1ub25jZQ';

/**
 * Pages that were given back, by the options of their contexts, for the next test that wants such a one: a new window takes
 * Chromium longer than most tests take.
 */
const idle = new Map<string, Page[]>();

/** How a page is opened. */
export interface PageOptions {
  readonly theme?: ThemeName | undefined;
  readonly locale?: string;
  readonly strings?: Record<string, string>;
  readonly namesExport?: boolean;
  readonly context?: BrowserContextOptions;
}

/**
 * Pages with the panel, or a part of it, built from source, in the document and under the policy of the real webview; all are in the one
 * browser of this process.
 */
export class Harness {
  private readonly component: ComponentName;
  private readonly viewport: ViewportSize;
  private readonly opened = new Map<Page, string>();
  /** Pages of `emptied`, by what they are opened with: all, and those that were given back. */
  private readonly kinds = new Map<Page, string>();
  private readonly kept = new Map<string, Page[]>();
  /** Pages that were not given back. */
  readonly inUse = new Set<Page>();

  constructor(component: ComponentName = 'panel', viewport: ViewportSize = { width: 1100, height: 600 }) {
    this.component = component;
    this.viewport = viewport;
  }

  /** A page that is up, in a window of its own, with nothing in its storage. */
  async open(wanted: PageOptions = {}): Promise<Page> {
    const options = withoutSize(wanted.context);
    const kind = JSON.stringify(options);
    const page = idle.get(kind)?.pop() ?? (await this.newPage(options));
    const size = this.sizeFor(wanted);
    this.opened.set(page, kind);
    this.inUse.add(page);
    await page.setViewportSize(size);
    const server = await PageServer.shared();
    await page.goto(server.addDocument(this.html(wanted, server, await bundle('test/view/page/page.ts'))));
    await page.evaluate('window.ready');
    // Neither another size nor the icons change the layout later.
    await untilTrue(page, `innerWidth === ${size.width} && innerHeight === ${size.height}`);
    await page.evaluate("document.fonts.load('16px codicon').then(() => new Promise(requestAnimationFrame))");
    return page;
  }

  /**
   * A page in which tests before have looked at other things, emptied: its code is compiled by then, which takes longer than most tests.
   * Not for a test of how a page begins; and a test that changes more than what is shown, such as a prototype, takes a page from `open`.
   */
  async emptied(options: PageOptions = {}): Promise<Page> {
    const { theme = usualTheme, context, ...settings } = options;
    const kind = JSON.stringify({ context: withoutSize(context), settings });
    const page = this.kept.get(kind)?.pop() ?? (await this.open(options));
    this.kinds.set(page, kind);
    this.inUse.add(page);
    const [size, now] = [this.sizeFor(options), page.viewportSize()];
    if (now?.width !== size.width || now.height !== size.height) await resize(page, size);
    await page.evaluate(themeScript(theme));
    await page.evaluate(`window.mount('${this.component}')`);
    return page;
  }

  /** Gives a page back, whose test has passed: no key or button is held, and the next test has its window. */
  async close(page: Page): Promise<void> {
    const opened = this.opened.get(page);
    if (opened === undefined) throw new Error('This page was not opened here, or is closed.');
    this.inUse.delete(page);
    await page.mouse.move(-1, -1);
    const kind = this.kinds.get(page);
    if (kind === undefined) {
      this.opened.delete(page);
      addTo(idle, opened, page);
    } else addTo(this.kept, kind, page);
  }

  /** Breaches of the policy, and errors. */
  troubles(page: Page): Promise<readonly string[]> {
    return page.evaluate('window.mounted.troubles()');
  }

  /** Closes the windows of the pages that were not given back. */
  async stop(): Promise<void> {
    this.kinds.clear();
    for (const page of [...this.kept.values()].flat()) await this.close(page);
    this.kept.clear();
    for (const page of this.opened.keys()) await page.context().close();
  }

  private async newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await (await sharedBrowser()).newContext(options);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: (await PageServer.shared()).origin,
    });
    context.setDefaultTimeout(patienceMs);
    return context.newPage();
  }

  private sizeFor({ context }: PageOptions): ViewportSize {
    return context?.viewport ?? this.viewport;
  }

  private html(
    { theme = usualTheme, locale = 'en', strings, namesExport }: PageOptions,
    server: PageServer,
    script: string,
  ): string {
    const { origin } = server;
    const settings = `window.settings = ${JSON.stringify({ component: this.component, locale, strings, namesExport })}`;
    return createPanelHtml({
      cspSource: origin,
      nonce,
      scriptUris: [emptiesStorage, themeScript(theme), settings, script].map(text =>
        server.addCached(text, 'text/javascript'),
      ),
      styleUris: [`${origin}/media/webview.css`],
      codiconsUri: `${origin}/codicons/codicon.css`,
      language: 'en',
      title: 'Result',
    });
  }
}

/** Empties the storage that the test before has left in a window; after a reload, with the address of before, it leaves it as it is. */
const emptiesStorage = `if (sessionStorage.getItem('opened') !== location.pathname) {
  sessionStorage.clear();
  localStorage.clear();
  sessionStorage.setItem('opened', location.pathname);
}`;

function withoutSize(context: BrowserContextOptions = {}): BrowserContextOptions {
  const options = { ...context };
  delete options.viewport;
  return options;
}

function addTo(pages: Map<string, Page[]>, kind: string, page: Page): void {
  pages.set(kind, [...(pages.get(kind) ?? []), page]);
}

/** An emptied page of the panel, which shows a state, in a tab if one is named. */
export async function showing(
  harness: Harness,
  state: StateName,
  tab?: ResultTab,
  viewport?: ViewportSize,
  view?: SerializedView,
): Promise<Page> {
  const page = await harness.emptied(viewport && { context: { viewport } });
  if (view) await call(page, 'view', view);
  await call(page, 'show', state);
  if (tab !== undefined) await openTab(page, tab);
  return page;
}

/** Calls what a component in the page offers to tests; arguments and results are JSON. */
function callOn<Name extends ComponentName>() {
  type Api = Mounted[Name];
  return <Method extends keyof Api & string>(
    page: Page,
    method: Method,
    ...args: Api[Method] extends (...given: infer Given) => unknown ? Given : never
  ): Promise<Api[Method] extends (...given: never[]) => infer Result ? Awaited<Result> : never> => {
    const texts = args.map(argument => {
      const json = JSON.stringify(argument) as string | undefined;
      // As a text that is parsed: `__proto__` in a literal would be no member.
      return json === undefined ? 'undefined' : `JSON.parse(${JSON.stringify(json)})`;
    });
    return page.evaluate(`window.mounted.${method}(${texts.join()})`);
  };
}

/** Calls the fake host of the panel. */
export const call = callOn<'panel'>();
export const onChart = callOn<'chart'>();
export const onGrid = callOn<'grid'>();
export const onStatistics = callOn<'statistics'>();
export const onStrip = callOn<'strip'>();

/** What axe-core finds wrong with the page, in each theme, for which a chart alone is drawn anew; `also` looks at it then. */
export function axeOn(page: Page, also?: (theme: ThemeName) => Promise<void>): Promise<readonly string[]> {
  return axeInEachTheme(page, async (rules, theme) => {
    await page.evaluate('window.mounted.themeChanged?.()');
    await also?.(theme);
    return call(page, 'axe', rules);
  });
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
