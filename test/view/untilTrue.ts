import type { Page, ViewportSize } from 'playwright-core';
import { until } from '../support/until.ts';

/**
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` evaluates a string in the page, which the
 * page's Content Security Policy blocks unless it is true at once. Throws an Error on timeout.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(
    expression,
    () => page.evaluate<boolean>(`Boolean(${expression})`),
    is => is,
  );
}

/** Waits for two frames, after which layout changes that follow a resize are complete. */
export async function drawnTwice(page: Page): Promise<void> {
  await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

/** Resizes the page, and waits for its layout, because a late resize event would close a menu. */
export async function resize(page: Page, { width, height }: ViewportSize): Promise<void> {
  await page.setViewportSize({ width, height });
  await untilTrue(page, `innerWidth === ${width} && innerHeight === ${height}`);
  await drawnTwice(page);
}

/** Waits until the clipboard has the text, which the browser writes some time after the key or the click. */
export async function untilCopied(page: Page, text: string): Promise<void> {
  await until(
    'the clipboard',
    async () => (await page.evaluate<string>('navigator.clipboard.readText()')).replaceAll('\r\n', '\n'),
    copied => copied === text,
  );
}
