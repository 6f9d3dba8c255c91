import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { runNpm } from '../../../scripts/install/installServer.ts';
import { cache, logs } from '../../../scripts/paths.ts';
import { sharedBrowser } from '../../host/sharedBrowser.ts';
import { bundle } from '../../view/bundle.ts';

const folder = join(cache, 'bench-libraries');
const stampFile = join(folder, '.complete');

/** The files of each library for a page without a bundler, according to its documentation. */
const files = {
  agGrid: ['ag-grid-community/dist/ag-grid-community.min.js'],
  slickGrid: [
    'slickgrid/dist/styles/css/slick.grid.css',
    'slickgrid/dist/styles/css/slick-alpine-theme.css',
    'sortablejs/Sortable.min.js',
    'slickgrid/dist/browser/slick.core.js',
    'slickgrid/dist/browser/slick.interactions.js',
    'slickgrid/dist/browser/slick.grid.js',
  ],
  uPlot: ['uplot/dist/uPlot.min.css', 'uplot/dist/uPlot.iife.min.js'],
  eCharts: ['echarts/dist/echarts.min.js'],
} as const;

export type Library = keyof typeof files;

/** Installs the locked versions of the libraries once. If that fails, such as without a network, returns the reason. */
export async function installLibraries(): Promise<string | undefined> {
  const lock = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return undefined;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, file), join(folder, file));
  try {
    await runNpm('bench-libraries', folder, ['ci', '--fetch-retries=0']);
  } catch {
    return `npm could not install the libraries (${join(logs, 'npm-bench-libraries.log')} has the details)`;
  }
  writeFileSync(stampFile, lock);
  return undefined;
}

/** Opens a page with the library, its set-up as `window.createWidget` (setUp.js), and an element of the given size. */
export async function openLibrary(
  library: Library,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Page> {
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1100, height: 600 } });
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  await page.setContent(
    `<!DOCTYPE html><body style="margin: 0"><div id="container" style="width: ${width}px; height: ${height}px"></div>`,
  );
  for (const file of files[library]) {
    const path = join(folder, 'node_modules', file);
    await (file.endsWith('.css') ? page.addStyleTag({ path }) : page.addScriptTag({ path }));
  }
  await page.addScriptTag({ content: await bundle('test/bench/libraries/setUp.js') });
  return page;
}
