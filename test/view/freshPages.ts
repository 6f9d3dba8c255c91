import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

interface PageSource {
  open(): Promise<Page>;
  troubles(page: Page): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/**
 * Gives each test of the suite that calls this a page of its own, through `use`, and holds it to having had no troubles.
 * The harness it answers with is there once the tests run.
 */
export function freshPages<Source extends PageSource>(
  kind: { start(): Promise<Source> },
  use: (page: Page) => unknown,
): () => Source {
  let source: Source;
  let page: Page;
  before(async () => {
    source = await kind.start();
  });
  after(() => source.stop());
  beforeEach(async () => {
    page = await source.open();
    await use(page);
  });
  afterEach(async () => {
    assert.deepEqual(await source.troubles(page), []);
    await page.context().close();
  });
  return () => source;
}
