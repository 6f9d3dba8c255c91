import assert from 'node:assert/strict';
import type { Page, ViewportSize } from 'playwright-core';
import { insertIntoError } from '../e2e/harness/failures.ts';
import { Harness, type PageOptions } from './harness.ts';
import type { ComponentName } from './page/page.ts';

/**
 * Creates a harness for the calling suite. Pages of passed tests are reused. Page errors fail the suite at its end, because a hook that
 * fails earlier would skip the remaining tests.
 */
export function createHarness(component?: ComponentName, viewport?: ViewportSize): Harness {
  const harness = new Harness(component, viewport);
  const troubles: string[] = [];
  after(async () => {
    await harness.stop();
    assert.deepEqual(troubles, []);
  });
  afterEach(async function () {
    for (const page of harness.inUse) {
      const { err } = this.currentTest ?? {};
      const text = err && (await page.locator('body').innerText().catch(String)).replaceAll(/\s+/g, ' ');
      if (err) insertIntoError(err, `page: ${text?.slice(0, 500)}`);
      const pageErrors = await harness.troubles(page);
      troubles.push(...pageErrors.map(trouble => `${this.currentTest?.title}: ${trouble}`));
      // A failed test may leave state such as a pressed button, so its page is not reused; `stop` closes it.
      if (this.currentTest?.isPassed() && pageErrors.length === 0) await harness.close(page);
      else harness.inUse.delete(page);
    }
  });
  return harness;
}

/** Opens a new page for each test of the calling suite. */
export function useFreshPages(component: ComponentName, use: (page: Page) => unknown): void {
  const harness = createHarness(component);
  beforeEach(async () => use(await harness.open()));
}

/** Resets and reuses a page for each test of the calling suite, which suffices for most tests. */
export function useSharedPages(
  component: ComponentName,
  use: (page: Page) => unknown,
  viewport?: ViewportSize,
): Harness {
  const harness = createHarness(component, viewport);
  beforeEach(async () => use(await harness.acquire()));
  return harness;
}

/** Opens one page for all tests of the calling suite, for content that is slow to prepare. `use` prepares it. */
export function useOnePage(use: (page: Page) => unknown, options?: PageOptions): void {
  const harness = new Harness();
  let page: Page;
  before(async () => {
    page = await harness.open(options);
    await use(page);
  });
  after(async () => {
    const troubles = await harness.troubles(page);
    await harness.stop();
    assert.deepEqual(troubles, []);
  });
}
