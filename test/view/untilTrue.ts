import type { Page, ViewportSize } from 'playwright-core';
import { until } from '../support/waiting.ts';

/**
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` compiles a text in the page, which the
 * page's Content Security Policy refuses whenever it is not true at once. Throws an Error in the end.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(
    expression,
    () => page.evaluate<boolean>(`Boolean(${expression})`),
    is => is,
  );
}

/** Waits until the page has been drawn twice: what follows a change of sizes is there then. */
export async function drawnTwice(page: Page): Promise<void> {
  await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** Gives the page another size, and waits until it has it and is laid out: a resize that came later would close a menu. */
export async function resize(page: Page, { width, height }: ViewportSize): Promise<void> {
  await page.setViewportSize({ width, height });
  await untilTrue(page, `innerWidth === ${width} && innerHeight === ${height}`);
  await drawnTwice(page);
}

/** Waits until the clipboard holds a text: the browser writes it after the key or the click. */
export async function untilCopied(page: Page, text: string): Promise<void> {
  await until(
    'the clipboard',
    async () => (await page.evaluate<string>('navigator.clipboard.readText()')).replaceAll('\r\n', '\n'),
    copied => copied === text,
  );
}
