import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RequestTrace } from '../../src/shared/result.ts';
import { useSharedPages } from './useHarness.ts';
import { call } from './harness.ts';

const hour = 3_600_000;
const start = Date.UTC(2023, 4, 1);
const request = (from: number, to: number, more: Partial<RequestTrace> = {}): RequestTrace => ({
  start: start + from * hour,
  end: start + to * hour,
  status: 200,
  attempt: 1,
  url: `https://grid.example/v1/system/state?start=${from}`,
  headers: [
    ['content-type', 'application/json'],
    ['x-ratelimit-remaining', '7'],
  ],
  sentAt: start + 200 * hour,
  firstByteMs: 41,
  totalMs: 1234,
  bytes: 56_789,
  ...more,
});

describe('the requests of a result', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const showRaw = async (on: Page, requests: readonly RequestTrace[], text = '{}'): Promise<void> => {
    await call(on, 'show', 'table');
    await on.locator('#tab-raw').click();
    const requestsSpent = requests.reduce((sum, { attempt }) => sum + attempt, 0);
    await call(on, 'respond', { text, requests, requestsSpent });
    await on.locator('.json, .tab .aside').first().waitFor();
  };
  const summary = () => page.locator('.requests > summary');

  it("shows each request's hours, duration and headers, and counts the tries that failed", async () => {
    await showRaw(page, [request(0, 24), request(24, 48, { attempt: 2 })]);
    assert.equal(await summary().innerText(), '3 requests: hours, timing and headers');
    await summary().click();
    const cells = await page.locator('.requests tbody tr').first().locator('th, td').allInnerTexts();
    assert.deepEqual(cells.slice(0, 6), [
      '01 May 2023 00:00 – 02 May 2023 00:00',
      '200',
      '09 May 2023 08:00:00',
      '41 ms',
      '1,234 ms',
      '56,789 bytes',
    ]);
    assert.match(await page.locator('.requests tbody tr').nth(1).innerText(), /try 2/);
    await page.locator('.requests td summary').first().click();
    assert.match(await page.locator('.requests dl').first().innerText(), /x-ratelimit-remaining:?\s*7/);
  });

  it('opens the list of requests by keyboard', async () => {
    await showRaw(page, [request(0, 24)]);
    await summary().focus();
    await page.keyboard.press('Enter');
    await page.locator('.requests tbody tr').waitFor({ state: 'visible' });
  });

  it('hides the list of requests when there was none', async () => {
    await showRaw(page, [], '');
    await page.getByText('All rows came from the archive').waitFor();
    assert.equal(await summary().count(), 0);
  });
});

describe('the view state that the page reports', () => {
  let page: Page;
  useSharedPages('panel', newPage => (page = newPage));

  const readView = async () => call(page, 'readTable');

  it('reports all rows in received order when nothing was changed', async () => {
    await call(page, 'show', 'table');
    const view = await readView();
    assert.ok(view);
    assert.equal(view.isChanged, false);
    assert.deepEqual(view.analysis, {});
    assert.equal(view.columns[0]?.name, 'ts');
    assert.equal(view.selection, undefined);
  });

  it('reports the sort, and the selected cells', async () => {
    await call(page, 'show', 'table');
    await page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first().click();
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"]:visible').click();
    await page.keyboard.press('Shift+ArrowDown');
    const view = await readView();
    assert.ok(view?.selection);
    assert.equal(view.isChanged, true);
    assert.deepEqual(view.analysis, { sort: [{ column: 'residual_demand_mw', descending: false }] });
    assert.deepEqual(view.selection.rows, [0, 1]);
    assert.equal(view.selection.columns.length, 1);
  });

  it('reports no rows when there is no table', async () => {
    await call(page, 'show', 'error');
    assert.equal(await readView(), undefined);
  });
});
