import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { AxeRules } from './page/pageErrors.ts';
import { setTheme, themeNames, type ThemeName } from './themes.ts';

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Brings axe-core into the page, whose `axe` runs it. */
export async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(await readFile(path, 'utf8'));
}

/** Returns the violations that axe-core finds in the page, in one theme after the other. `run` calls the page's `axe`. */
export async function axeInEachTheme(
  page: Page,
  run: (rules: AxeRules, theme: ThemeName) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  await addAxe(page);
  const found: string[] = [];
  for (const [index, theme] of themeNames.entries()) {
    await setTheme(page, theme);
    const violations = await run(index === 0 ? 'all' : 'themed', theme);
    found.push(...violations.map(violation => `${theme}: ${violation}`));
  }
  return found;
}
