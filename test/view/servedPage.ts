import type { Browser, BrowserContextOptions, Page, ViewportSize } from 'playwright-core';
import { panelHtml } from '../../src/host/panel/panelHtml.ts';
import { patienceMs } from '../support/waiting.ts';
import { bundle } from './bundle.ts';
import { PageServer } from './pageServer.ts';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { themeScript, type ThemeName } from './themes.ts';
import { resize, untilTrue } from './untilTrue.ts';

const usualTheme: ThemeName = 'dark';

const nonce = 'dGVzdC1ub25jZQ';

/**
 * Pages that were given back, by the options of their contexts, for the next test that wants such a one: a new window takes
 * Chromium longer than most tests take.
 */
const idle = new Map<string, Page[]>();

/** Where a part of the panel stands: what it is alone in. */
const partBody =
  '<div id="app"><main><h1 class="visually-hidden">System state</h1><div class="content" id="content"></div></main></div>';

/** What a page is made of. */
export interface PageParts {
  /** Its script's source, a path from the project's folder. */
  readonly script: string;
  /** Its stylesheets in `media`, in order. */
  readonly styles: readonly string[];
  /** The HTML of its body; without it, a place for one part of the panel. */
  readonly body?: string;
  /** Expression that holds in the page once it is up. */
  readonly ready: string;
  /** Expression for what went wrong in the page, an array of sentences. */
  readonly troubles: string;
  /** Expression that makes the page as it is when it has just been opened, for `emptied`. */
  readonly empty?: string;
  /** Size of the window unless a test wants another. */
  readonly viewport?: ViewportSize;
}

/** How a page is opened. */
export interface ServedOptions {
  readonly theme?: ThemeName | undefined;
  readonly viewport?: ViewportSize | undefined;
  readonly context?: BrowserContextOptions | undefined;
  /** Scripts that run before the page's own. */
  readonly first?: readonly string[];
}

/** Pages built from source, in the document and under the policy of the real webview; all are in the one browser of this process. */
export class ServedPage {
  private readonly browser: Browser;
  private readonly server: PageServer;
  private readonly parts: PageParts;
  private readonly script: string;
  private readonly opened = new Map<Page, string>();
  /** Pages of `emptied`, by what they are opened with: all, and those that were given back. */
  private readonly kinds = new Map<Page, string>();
  private readonly kept = new Map<string, Page[]>();

  private constructor(browser: Browser, server: PageServer, parts: PageParts, script: string) {
    this.browser = browser;
    this.server = server;
    this.parts = parts;
    this.script = script;
  }

  static async start(parts: PageParts): Promise<ServedPage> {
    const script = await bundle(parts.script);
    return new ServedPage(await sharedBrowser(), await PageServer.shared(), parts, script);
  }

  /** A page that is up, in a window of its own, with nothing in its storage. */
  async open(wanted: ServedOptions = {}): Promise<Page> {
    const { theme = usualTheme, first = [] } = wanted;
    const options = withoutSize(wanted.context);
    const kind = JSON.stringify(options);
    const page = idle.get(kind)?.pop() ?? (await this.newPage(options));
    const size = this.sizeFor(wanted);
    this.opened.set(page, kind);
    await page.setViewportSize(size);
    await page.goto(this.server.addDocument(this.html(theme, first)));
    await untilTrue(page, this.parts.ready);
    // Neither another size nor the icons change the layout later.
    await untilTrue(page, `innerWidth === ${size.width} && innerHeight === ${size.height}`);
    await page.evaluate("document.fonts.load('16px codicon').then(() => new Promise(requestAnimationFrame))");
    return page;
  }

  /**
   * A page in which tests before have looked at other things, emptied: its code is compiled by then, which takes longer than most tests.
   * Not for a test of how a page begins; and a test that changes more than what is shown, such as a prototype, takes a page from `open`.
   */
  async emptied(options: ServedOptions = {}): Promise<Page> {
    const { theme = usualTheme, first = [] } = options;
    const kind = JSON.stringify({ context: withoutSize(options.context), first });
    const page = this.kept.get(kind)?.pop() ?? (await this.open(options));
    this.kinds.set(page, kind);
    const [size, now] = [this.sizeFor(options), page.viewportSize()];
    if (now?.width !== size.width || now.height !== size.height) await resize(page, size);
    await page.evaluate(themeScript(theme));
    await page.evaluate(this.parts.empty ?? '');
    return page;
  }

  /** Gives a page back, whose test has passed: no key or button is held, and the next test has its window. */
  async close(page: Page): Promise<void> {
    const opened = this.opened.get(page);
    if (opened === undefined) throw new Error('This page was not opened here, or is closed.');
    await page.mouse.move(-1, -1);
    const kind = this.kinds.get(page);
    if (kind === undefined) {
      this.opened.delete(page);
      addTo(idle, opened, page);
    } else addTo(this.kept, kind, page);
  }

  /** Breaches of the policy, and errors. */
  troubles(page: Page): Promise<readonly string[]> {
    return page.evaluate(this.parts.troubles);
  }

  /** Closes the windows of the pages that were not given back. */
  async stop(): Promise<void> {
    this.kinds.clear();
    for (const page of [...this.kept.values()].flat()) await this.close(page);
    this.kept.clear();
    for (const page of this.opened.keys()) await page.context().close();
  }

  private async newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext(options);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.server.origin });
    context.setDefaultTimeout(patienceMs);
    return context.newPage();
  }

  private sizeFor({ context, viewport }: ServedOptions): ViewportSize {
    return context?.viewport ?? viewport ?? this.parts.viewport ?? { width: 1100, height: 600 };
  }

  private html(theme: ThemeName, first: readonly string[]): string {
    const { origin } = this.server;
    const document = panelHtml({
      cspSource: origin,
      nonce,
      scriptUris: [emptiesStorage, themeScript(theme), ...first, this.script].map(script =>
        this.server.addCached(script, 'text/javascript'),
      ),
      styleUris: this.parts.styles.map(file => `${origin}/media/${file}`),
      codiconsUri: `${origin}/codicons/codicon.css`,
      language: 'en',
      title: 'Result',
    });
    return document.replace('<div id="app"></div>', this.parts.body ?? partBody);
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
