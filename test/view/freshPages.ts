import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { addTo } from '../e2e/harness/failures.ts';

interface PageSource {
  open(): Promise<Page>;
  troubles(page: Page): Promise<readonly string[]>;
  close(page: Page): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Gives each test of the suite that calls this a page of its own, through `use`, and holds all to having had no troubles: in the end, as
 * a hook that fails before would end the suite. The harness it answers with is there once the tests run.
 */
export function freshPages<Source extends PageSource>(
  kind: { start(): Promise<Source> },
  use: (page: Page) => unknown,
  open = (source: Source) => source.open(),
): () => Source {
  let source: Source;
  let page: Page;
  const troubles: string[] = [];
  before(async () => {
    source = await kind.start();
  });
  after(async () => {
    await source.stop();
    assert.deepEqual(troubles, []);
  });
  beforeEach(async () => {
    page = await open(source);
    await use(page);
  });
  afterEach(async function () {
    const { err } = this.currentTest ?? {};
    if (err)
      addTo(
        err,
        `page: ${(await page.locator('body').innerText().catch(String)).replaceAll(/\s+/g, ' ').slice(0, 500)}`,
      );
    const found = await source.troubles(page);
    troubles.push(...found.map(trouble => `${this.currentTest?.title}: ${trouble}`));
    // What a failed test leaves, such as a button that is held, is nobody's page any more: `stop` closes it.
    if (this.currentTest?.isPassed() && found.length === 0) await source.close(page);
  });
  return () => source;
}

/** The same with pages that are emptied: most tests need no others. */
export function emptiedPages<Source extends PageSource & { emptied(): Promise<Page> }>(
  kind: { start(): Promise<Source> },
  use: (page: Page) => unknown,
): () => Source {
  return freshPages(kind, use, source => source.emptied());
}

/** One page for all tests of a suite, prepared by `use`: for what takes longer to make than to look at. It goes with the suite. */
export function onePage<Source extends PageSource>(
  kind: { start(): Promise<Source> },
  use: (page: Page) => unknown,
): void {
  let source: Source;
  let page: Page;
  before(async () => {
    source = await kind.start();
    page = await source.open();
    await use(page);
  });
  after(async () => {
    const troubles = await source.troubles(page);
    await source.stop();
    assert.deepEqual(troubles, []);
  });
}
