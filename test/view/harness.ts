import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FakeHostApi } from './page/fakeHostApi.ts';
import { gridTokens } from './gridThemes.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const origin = 'https://view.invalid';
const nonce = 'dGVzdC1ub25jZQ';
const policy = [
  "default-src 'none'",
  `img-src ${origin} data:`,
  `style-src ${origin}`,
  `font-src ${origin}`,
  `script-src 'nonce-${nonce}'`,
].join('; ');

/** How a page is opened. */
export interface PageOptions {
  readonly theme?: ThemeName;
  readonly locale?: string;
  readonly strings?: Record<string, string>;
  readonly context?: BrowserContextOptions;
}

/** A browser with the page built from source, served under the policy of the real webview. */
export class Harness {
  private readonly browser: Browser;
  private readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly contentType: string }>;
  private readonly fakeHost: string;

  private constructor(browser: Browser, files: Harness['files'], fakeHost: string) {
    this.browser = browser;
    this.files = files;
    this.fakeHost = fakeHost;
  }

  static async start(): Promise<Harness> {
    const [script, fakeHost] = await Promise.all([bundle('src/webview/main.ts'), bundle('test/view/page/fakeHost.ts')]);
    const files = new Map([
      ['/webview.js', { body: Buffer.from(script), contentType: 'text/javascript' }],
      ...(await stylesheets()),
      ['/codicon.css', { body: await codicon('codicon.css'), contentType: 'text/css' }],
      ['/codicon.ttf', { body: await codicon('codicon.ttf'), contentType: 'font/ttf' }],
    ]);
    const browser = await chromium.launch({ executablePath: chromePath(), args: ['--no-sandbox', '--disable-gpu'] });
    return new Harness(browser, files, fakeHost);
  }

  /** A page that is up and has said `ready`. */
  async open({ theme = 'dark', locale = 'en', strings, context = {} }: PageOptions = {}): Promise<Page> {
    const browserContext = await this.browser.newContext({ viewport: { width: 1100, height: 600 }, ...context });
    await browserContext.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const page = await browserContext.newPage();
    await page.route('**/*', route => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/')
        return route.fulfill({
          body: html(theme),
          contentType: 'text/html',
          headers: { 'content-security-policy': policy },
        });
      if (pathname === '/theme.css') return route.fulfill({ body: themeCss(theme), contentType: 'text/css' });
      const file = this.files.get(pathname);
      return file ? route.fulfill(file) : route.fulfill({ status: 404 });
    });
    const settings = { locale, strings };
    await page.addInitScript(`Object.assign(window, ${JSON.stringify(settings)});`);
    await page.addInitScript({ content: this.fakeHost });
    await page.goto(`${origin}/`);
    await page.waitForFunction("window.host.posted().some(({ type }) => type === 'ready')");
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Calls the fake host in the page. */
export function call<Name extends keyof FakeHostApi>(
  page: Page,
  name: Name,
  ...args: Parameters<FakeHostApi[Name]>
): Promise<Awaited<ReturnType<FakeHostApi[Name]>>> {
  return page.evaluate(`window.host.${name}(...${JSON.stringify(args)})`);
}

function html(theme: ThemeName): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Result</title>
<link rel="stylesheet" href="${origin}/theme.css">
${styles.map(file => `<link rel="stylesheet" href="${origin}/${file}">`).join('\n')}
<link rel="stylesheet" id="vscode-codicon-stylesheet" href="${origin}/codicon.css"></head>
<body class="${themes[theme].bodyClass}"><div id="app"></div><script nonce="${nonce}" src="${origin}/webview.js"></script></body></html>`;
}

function themeCss(theme: ThemeName): string {
  const tokens = Object.entries({ ...gridTokens[theme], ...themes[theme].tokens }).map(
    ([name, value]) => `${name}: ${value};`,
  );
  return `:root { ${tokens.join(' ')} }`;
}

/** As the panel links them: each part of the page has its own. */
const styles = ['panel.css', 'result.css', 'grid.css', 'chart.css', 'statistics.css', 'coverage.css'];

function stylesheets() {
  return Promise.all(
    styles.map(async file => {
      const body = await readFile(`${root}media/${file}`);
      return [`/${file}`, { body, contentType: 'text/css' }] as const;
    }),
  );
}

function codicon(file: string): Promise<Buffer> {
  return readFile(`${root}node_modules/@vscode/codicons/dist/${file}`);
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [root + entry],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'chrome132',
    tsconfig: `${root}src/webview/tsconfig.json`,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

function chromePath(): string {
  const candidates = [
    process.env['CHROME_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = candidates.find(path => path && existsSync(path));
  if (!found) throw new Error('No Chromium found: set CHROME_PATH.');
  return found;
}
