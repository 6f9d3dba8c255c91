import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium } from '../host/chromium.ts';
import type { ChartPageApi } from './page/chartPageApi.ts';
import { chartTokens } from './page/chartThemes.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const origin = 'https://view.invalid';
const nonce = 'dGVzdC1ub25jZQ';
const policy = `default-src 'none'; style-src ${origin}; font-src ${origin}; script-src 'nonce-${nonce}'`;

export interface ChartPageOptions {
  readonly theme?: ThemeName;
  readonly context?: BrowserContextOptions;
}

/** A browser with the chart alone, built from source, under the policy of the real webview. */
export class ChartHarness {
  private readonly browser: Browser;
  private readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly contentType: string }>;

  private constructor(browser: Browser, files: ChartHarness['files']) {
    this.browser = browser;
    this.files = files;
  }

  static async start(): Promise<ChartHarness> {
    const { outputFiles } = await esbuild.build({
      entryPoints: [`${root}test/view/page/chartPage.ts`],
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'chrome132', logLevel: 'warning' },
      tsconfig: `${root}src/webview/tsconfig.json`,
    });
    const script = Buffer.from(outputFiles[0]?.text ?? '');
    const files = new Map([['/page.js', { body: script, contentType: 'text/javascript' }]]);
    for (const name of ['panel.css', 'chart.css'])
      files.set(`/${name}`, { body: await readFile(`${root}media/${name}`), contentType: 'text/css' });
    for (const name of ['codicon.css', 'codicon.ttf'])
      files.set(`/${name}`, {
        body: await readFile(`${root}node_modules/@vscode/codicons/dist/${name}`),
        contentType: name.endsWith('css') ? 'text/css' : 'font/ttf',
      });
    const executablePath = findChromium();
    if (!executablePath) throw new Error('No Chromium found: set CHROME_PATH.');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    return new ChartHarness(browser, files);
  }

  async open({ theme = 'dark', context = {} }: ChartPageOptions = {}): Promise<Page> {
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
    await page.goto(`${origin}/`);
    await page.waitForFunction('window.chart !== undefined');
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Calls the chart's page. */
export function call<Name extends keyof ChartPageApi>(
  page: Page,
  name: Name,
  ...args: Parameters<ChartPageApi[Name]>
): Promise<Awaited<ReturnType<ChartPageApi[Name]>>> {
  return page.evaluate(`window.chart.${name}(...${JSON.stringify(args)})`);
}

function html(theme: ThemeName): string {
  const styles = ['theme', 'panel', 'chart', 'codicon'].map(
    name => `<link rel="stylesheet" href="${origin}/${name}.css">`,
  );
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Result</title>${styles.join('')}</head>
<body class="${themes[theme].bodyClass}"><div id="app"><main><h1 class="for-ears">System state</h1>
<div class="content" id="content"></div></main></div>
<script nonce="${nonce}" src="${origin}/page.js"></script></body></html>`;
}

function themeCss(theme: ThemeName): string {
  const tokens = Object.entries({ ...themes[theme].tokens, ...chartTokens[theme] });
  return `:root { ${tokens.map(([name, value]) => `${name}: ${value};`).join(' ')} }`;
}
