import assert from 'node:assert/strict';
import type { Page, ViewportSize } from 'playwright-core';
import { addTo } from '../e2e/harness/failures.ts';
import { Harness, type PageOptions } from './harness.ts';
import type { ComponentName } from './page/page.ts';

/**
 * A harness for the suite that calls this. The pages that a test opens are held to having had no troubles: in the end, as a hook that
 * fails before would end the suite. Once the test has passed they are given back.
 */
export function harnessOf(component?: ComponentName, viewport?: ViewportSize): Harness {
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
      if (err) addTo(err, `page: ${text?.slice(0, 500)}`);
      const found = await harness.troubles(page);
      troubles.push(...found.map(trouble => `${this.currentTest?.title}: ${trouble}`));
      // What a failed test leaves, such as a button that is held, is nobody's page any more: `stop` closes it.
      if (this.currentTest?.isPassed() && found.length === 0) await harness.close(page);
      else harness.inUse.delete(page);
    }
  });
  return harness;
}

/** The same, where each test has a page that is new. */
export function freshPages(component: ComponentName, use: (page: Page) => unknown): void {
  const harness = harnessOf(component);
  beforeEach(async () => use(await harness.open()));
}

/** The same with pages that are emptied: most tests need no others. */
export function emptiedPages(component: ComponentName, use: (page: Page) => unknown, viewport?: ViewportSize): Harness {
  const harness = harnessOf(component, viewport);
  beforeEach(async () => use(await harness.emptied()));
  return harness;
}

/** One page for all tests of a suite, prepared by `use`: for what takes longer to make than to look at. It goes with the suite. */
export function onePage(use: (page: Page) => unknown, options?: PageOptions): void {
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
