import type { Page } from 'playwright-core';
import { until } from '../e2e/harness/waiting.ts';

const patienceMs = 30_000;

/**
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` compiles a text in the page, which the
 * page's Content Security Policy refuses whenever it is not true at once. Throws an Error after `limitMs`.
 */
export async function untilTrue(page: Page, expression: string, limitMs: number = patienceMs): Promise<void> {
  await until(
    expression,
    () => page.evaluate<boolean>(`Boolean(${expression})`),
    is => is,
    limitMs,
  );
}

/** Waits until the page has been drawn twice: what follows a change of sizes is there then. */
export async function drawnTwice(page: Page): Promise<void> {
  await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}
