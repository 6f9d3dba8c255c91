import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Brings axe-core into the page, whose `axe` runs it. */
export async function addAxe(page: Page): Promise<void> {
  await page.evaluate(await readFile(path, 'utf8'));
}
