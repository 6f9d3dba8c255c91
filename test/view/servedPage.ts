import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route, ViewportSize } from 'playwright-core';
import { panelHtml } from '../../src/host/panel/panelHtml.ts';
import { root } from '../../scripts/paths.ts';
import { bundle } from './bundle.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';
import { untilTrue } from './untilTrue.ts';

const origin = 'https://view.invalid';
const codicons = join(root, 'node_modules/@vscode/codicons/dist');

/** Where a part of the panel stands: what it is alone in. */
const partBody =
  '<div id="app"><main><h1 class="for-ears">System state</h1><div class="content" id="content"></div></main></div>';

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
  /** Size of the window unless a test wants another. */
  readonly viewport?: ViewportSize;
}

/** How a page is opened. */
export interface ServedOptions {
  readonly theme?: ThemeName | undefined;
  readonly viewport?: ViewportSize | undefined;
  readonly context?: BrowserContextOptions | undefined;
  /** Scripts that run before the page's own, free of its policy. */
  readonly first?: readonly string[];
}

/** Pages built from source, in the document and under the policy of the real webview; all are in the browser of all tests. */
export class ServedPage {
  private readonly browser: Browser;
  private readonly parts: PageParts;
  private readonly script: string;
  private readonly contexts = new Set<BrowserContext>();

  private constructor(browser: Browser, parts: PageParts, script: string) {
    this.browser = browser;
    this.parts = parts;
    this.script = script;
  }

  static async start(parts: PageParts): Promise<ServedPage> {
    const script = await bundle(parts.script);
    return new ServedPage(await sharedBrowser(), parts, script);
  }

  /** A page that is up, in a context of its own. */
  async open({ theme = 'dark', viewport, context = {}, first = [] }: ServedOptions = {}): Promise<Page> {
    const size = viewport ?? this.parts.viewport ?? { width: 1100, height: 600 };
    const browserContext = await this.browser.newContext({ viewport: size, ...context });
    this.contexts.add(browserContext);
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const page = await browserContext.newPage();
    await page.route('**/*', route => this.serve(route, theme));
    for (const content of first) await page.addInitScript({ content });
    await page.goto(`${origin}/`);
    await untilTrue(page, this.parts.ready);
    return page;
  }

  /** Breaches of the policy, and errors. */
  troubles(page: Page): Promise<readonly string[]> {
    return page.evaluate(this.parts.troubles);
  }

  async stop(): Promise<void> {
    for (const context of this.contexts) await context.close();
  }

  private serve(route: Route, theme: ThemeName): Promise<void> {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ body: this.html(theme), contentType: 'text/html' });
    if (pathname === '/page.js') return route.fulfill({ body: this.script, contentType: 'text/javascript' });
    if (pathname === '/theme.css') return route.fulfill({ body: themeCss(theme), contentType: 'text/css' });
    const path = join(pathname.startsWith('/codicon.') ? codicons : join(root, 'media'), pathname);
    return route.fulfill(existsSync(path) ? { path } : { status: 404 });
  }

  private html(theme: ThemeName): string {
    const document = panelHtml({
      cspSource: origin,
      nonce: 'dGVzdC1ub25jZQ',
      scriptUri: `${origin}/page.js`,
      styleUris: ['theme.css', ...this.parts.styles].map(file => `${origin}/${file}`),
      codiconsUri: `${origin}/codicon.css`,
      language: 'en',
      title: 'Result',
    });
    return document
      .replace('<body>', `<body class="${themes[theme].bodyClass}">`)
      .replace('<div id="app"></div>', this.parts.body ?? partBody);
  }
}

function themeCss(theme: ThemeName): string {
  const tokens = Object.entries(themes[theme].tokens).map(([name, value]) => `${name}: ${value};`);
  return `:root { ${tokens.join(' ')} }`;
}
