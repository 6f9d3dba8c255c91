import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../host/chromium.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const origin = 'https://view.invalid';
const nonce = 'dGVzdC1ub25jZQ';
const policy = `default-src 'none'; style-src ${origin}; script-src 'nonce-${nonce}'`;

/** VS Code's own chart colour, of the light and the dark themes. */
const chartTokens = { light: '#1a85ff', dark: '#3794ff', 'hc-dark': '#3794ff', 'hc-light': '#1a85ff' };

export interface StatisticsOptions {
  readonly theme?: ThemeName;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A browser with the statistics alone, built from source, under the policy of the real webview. */
export class StatisticsHarness {
  private readonly browser: Browser;
  private readonly files: ReadonlyMap<string, { readonly body: string; readonly contentType: string }>;

  private constructor(browser: Browser, files: StatisticsHarness['files']) {
    this.browser = browser;
    this.files = files;
  }

  static async start(): Promise<StatisticsHarness> {
    const { outputFiles } = await esbuild.build({
      entryPoints: [`${root}test/view/page/statisticsPage.ts`],
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'chrome132', logLevel: 'warning' },
      tsconfig: `${root}src/webview/tsconfig.json`,
    });
    const files = new Map([['/page.js', { body: outputFiles[0]?.text ?? '', contentType: 'text/javascript' }]]);
    for (const name of ['panel.css', 'statistics.css'])
      files.set(`/${name}`, { body: await readFile(`${root}media/${name}`, 'utf8'), contentType: 'text/css' });
    const executablePath = findChromium();
    if (!executablePath) throw new Error('No Chromium found: set CHROME_PATH.');
    return new StatisticsHarness(
      await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] }),
      files,
    );
  }

  async open({ theme = 'dark', viewport = { width: 1280, height: 720 } }: StatisticsOptions = {}): Promise<Page> {
    const page = await (await this.browser.newContext({ viewport })).newPage();
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
    await page.waitForFunction('window.statistics !== undefined');
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

function html(theme: ThemeName): string {
  const styles = ['theme', 'panel', 'statistics'].map(name => `<link rel="stylesheet" href="${origin}/${name}.css">`);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Result</title>${styles.join('')}</head>
<body class="${themes[theme].bodyClass}"><div id="app"><main><h1 class="for-ears">System state</h1>
<div class="content" id="content"></div></main></div>
<script nonce="${nonce}" src="${origin}/page.js"></script></body></html>`;
}

function themeCss(theme: ThemeName): string {
  const tokens = { ...themes[theme].tokens, '--vscode-charts-blue': chartTokens[theme] };
  return `:root { ${Object.entries(tokens)
    .map(([name, value]) => `${name}: ${value};`)
    .join(' ')} }`;
}
