import type { BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { createPanelHtml } from '../../src/host/panel/panelHtml.ts';
import type { SerializedView } from '../../src/shared/view.ts';
import { escapeRegExp } from '../e2e/harness/pageElement.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { openTab } from '../support/openTab.ts';
import { waitTimeoutMs, until } from '../support/until.ts';
import { axeInEachTheme } from './addAxe.ts';
import { bundle } from './bundle.ts';
import type { ResultTab } from '../../src/shared/view.ts';
import type { ComponentName, Mounted } from './page/page.ts';
import type { StateName } from './page/states.ts';
import { PageServer } from './pageServer.ts';
import { themeScript, type ThemeName } from './themes.ts';
import { resize, untilTrue } from './untilTrue.ts';

/** A view with all digits, for tests that compare exact numbers. */
export const allDigits: SerializedView = { display: { numbers: 'digits' } };

const defaultTheme: ThemeName = 'dark';

const nonce = 'dGVzdC1ub25jZQ';

/**
 * Idle pages by their context options. They are reused, because Chromium takes longer to open a page than most tests take.
 */
const idlePages = new Map<string, Page[]>();

export interface PageOptions {
  readonly theme?: ThemeName | undefined;
  readonly locale?: string;
  readonly strings?: Record<string, string>;
  readonly namesExport?: boolean;
  readonly context?: BrowserContextOptions;
}

/**
 * Opens pages with the panel or one of its components, built from source, with the document and the Content Security Policy of the real
 * webview. All pages share the browser of this process.
 */
export class Harness {
  private readonly component: ComponentName;
  private readonly viewport: ViewportSize;
  private readonly openedPages = new Map<Page, string>();
  /** The options of each page of `acquire`, and the idle ones among them by their options. */
  private readonly acquiredPages = new Map<Page, string>();
  private readonly reusablePages = new Map<string, Page[]>();
  /** Pages that were not closed yet. */
  readonly inUse = new Set<Page>();

  constructor(component: ComponentName = 'panel', viewport: ViewportSize = { width: 1100, height: 600 }) {
    this.component = component;
    this.viewport = viewport;
  }

  /** Opens a page with empty storage, and waits until it has started. */
  async open(pageOptions: PageOptions = {}): Promise<Page> {
    const options = omitViewport(pageOptions.context);
    const kind = JSON.stringify(options);
    const page = idlePages.get(kind)?.pop() ?? (await this.newPage(options));
    const size = this.sizeFor(pageOptions);
    this.openedPages.set(page, kind);
    this.inUse.add(page);
    await page.setViewportSize(size);
    const server = await PageServer.shared();
    await page.goto(server.addDocument(this.html(pageOptions, server, await bundle('test/view/page/page.ts'))));
    await page.evaluate('window.ready');
    // Waits for the size and the icon font, so that the layout does not change later.
    await untilTrue(page, `innerWidth === ${size.width} && innerHeight === ${size.height}`);
    await page.evaluate("document.fonts.load('16px codicon').then(() => new Promise(requestAnimationFrame))");
    return page;
  }

  /**
   * Resets a page of an earlier test, whose code is already compiled; compiling takes longer than most tests. Tests of the start of a page,
   * and tests that change globals such as prototypes, must use `open`.
   */
  async acquire(options: PageOptions = {}): Promise<Page> {
    const { theme = defaultTheme, context, ...settings } = options;
    const kind = JSON.stringify({ context: omitViewport(context), settings });
    const page = this.reusablePages.get(kind)?.pop() ?? (await this.open(options));
    this.acquiredPages.set(page, kind);
    this.inUse.add(page);
    const size = this.sizeFor(options);
    const now = page.viewportSize();
    if (now?.width !== size.width || now.height !== size.height) await resize(page, size);
    await page.evaluate(themeScript(theme));
    await page.evaluate(`window.mount('${this.component}')`);
    return page;
  }

  /** Releases the page of a passed test for reuse. No key or button may be pressed. */
  async close(page: Page): Promise<void> {
    const openedPages = this.openedPages.get(page);
    if (openedPages === undefined) throw new Error('This page was not opened here, or is closed.');
    this.inUse.delete(page);
    await page.mouse.move(-1, -1);
    const kind = this.acquiredPages.get(page);
    if (kind === undefined) {
      this.openedPages.delete(page);
      addPage(idlePages, openedPages, page);
    } else addPage(this.reusablePages, kind, page);
  }

  /** Returns Content Security Policy violations and errors. */
  troubles(page: Page): Promise<readonly string[]> {
    return page.evaluate('window.mounted.errors()');
  }

  /** Closes the pages that were not released. */
  async stop(): Promise<void> {
    this.acquiredPages.clear();
    for (const page of [...this.reusablePages.values()].flat()) await this.close(page);
    this.reusablePages.clear();
    for (const page of this.openedPages.keys()) await page.context().close();
  }

  private async newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await (await sharedBrowser()).newContext(options);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: (await PageServer.shared()).origin,
    });
    context.setDefaultTimeout(waitTimeoutMs);
    return context.newPage();
  }

  private sizeFor({ context }: PageOptions): ViewportSize {
    return context?.viewport ?? this.viewport;
  }

  private html(
    { theme = defaultTheme, locale = 'en', strings, namesExport }: PageOptions,
    server: PageServer,
    script: string,
  ): string {
    const { origin } = server;
    const settings = `window.settings = ${JSON.stringify({ component: this.component, locale, strings, namesExport })}`;
    return createPanelHtml({
      cspSource: origin,
      nonce,
      scriptUris: [clearStorageScript, themeScript(theme), settings, script].map(text =>
        server.addCached(text, 'text/javascript'),
      ),
      styleUris: [`${origin}/media/webview.css`],
      codiconsUri: `${origin}/codicons/codicon.css`,
      language: 'en',
      title: 'Result',
    });
  }
}

/** Clears the storage that an earlier test has left, but not after a reload of the same address. */
const clearStorageScript = `if (sessionStorage.getItem('opened') !== location.pathname) {
  sessionStorage.clear();
  localStorage.clear();
  sessionStorage.setItem('opened', location.pathname);
}`;

function omitViewport(context: BrowserContextOptions = {}): BrowserContextOptions {
  const options = { ...context };
  delete options.viewport;
  return options;
}

function addPage(pages: Map<string, Page[]>, kind: string, page: Page): void {
  pages.set(kind, [...(pages.get(kind) ?? []), page]);
}

/** Resets a page of the panel, and shows a state in it, optionally in a tab. */
export async function showing(
  harness: Harness,
  state: StateName,
  tab?: ResultTab,
  viewport?: ViewportSize,
  view?: SerializedView,
): Promise<Page> {
  const page = await harness.acquire(viewport && { context: { viewport } });
  if (view) await call(page, 'view', view);
  await call(page, 'show', state);
  if (tab !== undefined) await openTab(page, tab);
  return page;
}

/** Creates a function that calls a test method of a component in the page. Arguments and results are JSON. */
function callOn<Name extends ComponentName>() {
  type Api = Mounted[Name];
  return <Method extends keyof Api & string>(
    page: Page,
    method: Method,
    ...args: Api[Method] extends (...given: infer Given) => unknown ? Given : never
  ): Promise<Api[Method] extends (...given: never[]) => infer Result ? Awaited<Result> : never> => {
    const texts = args.map(argument => {
      const json = JSON.stringify(argument) as string | undefined;
      // Passed as a string to parse, because `__proto__` in an object literal would set the prototype.
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

/** Returns the violations that axe-core finds in the page in each theme. `also` can check the page in each theme too. */
export function axeOn(page: Page, also?: (theme: ThemeName) => Promise<void>): Promise<readonly string[]> {
  return axeInEachTheme(page, async (rules, theme) => {
    await page.evaluate('window.mounted.themeChanged?.()');
    await also?.(theme);
    return call(page, 'axe', rules);
  });
}

/**
 * Presses + in the chart until it shows at most `percent` of its range. Each press halves the range, but a busy page may ignore one.
 */
export async function zoomIn(page: Page, percent: number): Promise<void> {
  const width = "parseFloat(document.querySelector('.chart-brush-window').style.width)";
  await until(
    'the zoomed chart',
    async () => {
      const visiblePercent = await page.evaluate<number>(width);
      if (!(visiblePercent <= percent)) await page.locator('.chart-plot').press('+');
      return visiblePercent;
    },
    visiblePercent => visiblePercent <= percent,
  );
}

/** Waits until the footer contains the text. A leading number must match as a whole: `8 rows` does not match `168 rows`. */
export async function waitForFooter(page: Page, text: string | RegExp): Promise<void> {
  const pattern = typeof text === 'string' ? new RegExp(`(?<![\\d.,])${escapeRegExp(text)}`) : text;
  await page.locator('footer', { hasText: pattern }).waitFor();
}
