import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../host/chromium.ts';
import { gridTokens } from './gridThemes.ts';
import type { GridPageApi } from './page/gridPageApi.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const resolve = createRequire(import.meta.url).resolve;
const origin = 'https://view.invalid';
const nonce = 'dGVzdC1ub25jZQ';
const policy = `default-src 'none'; style-src ${origin}; font-src ${origin}; script-src 'nonce-${nonce}'`;

export interface GridPageOptions {
  readonly theme?: ThemeName;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A browser with the table alone, built from source, under the policy of the real webview. */
export class GridHarness {
  private readonly browser: Browser;
  private readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly contentType: string }>;

  private constructor(browser: Browser, files: GridHarness['files']) {
    this.browser = browser;
    this.files = files;
  }

  static async start(): Promise<GridHarness> {
    const { outputFiles } = await esbuild.build({
      entryPoints: [`${root}test/view/page/gridPage.ts`],
      ...{ bundle: true, write: false, format: 'iife', platform: 'browser', target: 'chrome132', logLevel: 'warning' },
      tsconfig: `${root}src/webview/tsconfig.json`,
    });
    const codicons = `${root}node_modules/@vscode/codicons/dist`;
    const files = new Map([
      ['/page.js', { body: Buffer.from(outputFiles[0]?.text ?? ''), contentType: 'text/javascript' }],
      ['/panel.css', { body: await readFile(`${root}media/panel.css`), contentType: 'text/css' }],
      ['/grid.css', { body: await readFile(`${root}media/grid.css`), contentType: 'text/css' }],
      ['/codicon.css', { body: await readFile(`${codicons}/codicon.css`), contentType: 'text/css' }],
      ['/codicon.ttf', { body: await readFile(`${codicons}/codicon.ttf`), contentType: 'font/ttf' }],
    ]);
    const executablePath = findChromium();
    if (!executablePath) throw new Error('No Chromium found: set CHROME_PATH.');
    return new GridHarness(await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] }), files);
  }

  async open({ theme = 'dark', viewport = { width: 1100, height: 600 } }: GridPageOptions = {}): Promise<Page> {
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
    await page.waitForFunction('window.gridPage !== undefined');
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** Calls the page. */
export function onGrid<Name extends keyof GridPageApi>(
  page: Page,
  name: Name,
  ...args: Parameters<GridPageApi[Name]>
): Promise<Awaited<ReturnType<GridPageApi[Name]>>> {
  return page.evaluate(`window.gridPage.${name}(...${JSON.stringify(args)})`);
}

/** What axe-core finds wrong with the page. */
export async function axeOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`))',
  );
}

function html(theme: ThemeName): string {
  const styles = ['theme', 'panel', 'grid', 'codicon'];
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Result</title>
${styles.map(name => `<link rel="stylesheet" href="${origin}/${name}.css">`).join('')}</head>
<body class="${themes[theme].bodyClass}"><div id="app"><main><h1 class="for-ears">System state</h1>
<div class="content" id="content"></div></main></div>
<script nonce="${nonce}" src="${origin}/page.js"></script></body></html>`;
}

function themeCss(theme: ThemeName): string {
  const tokens = Object.entries({ ...themes[theme].tokens, ...gridTokens[theme] });
  return `:root { ${tokens.map(([name, value]) => `${name}: ${value};`).join(' ')} }`;
}
