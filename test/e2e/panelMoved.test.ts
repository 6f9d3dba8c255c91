import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { respondWithHours } from './gridHours.ts';
import { disposeAfter } from './harness/failures.ts';
import { until } from '../support/until.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseZone, addConnection, readHeader, runSystemState, getSharedWorkbench, waitForTable } from './support.ts';

const title = 'System state · 2023-05 · hourly';

describe('moving, hiding and reloading a panel', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  let requestCount = 0;

  before(async () => {
    service = await startCannedService(respondWithHours);
    workbench = await getSharedWorkbench('Moved');
    await addConnection(workbench, service.baseUrl, 'sb_test_moved', 'Moved');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05');
    page = new ResultPage(await waitForTable(workbench, title));
    await chooseZone(page.frame, 'SAST');
    await page.chooseFromColumnMenu('Wind', 'Sort Descending');
    await page.chooseFromColumnMenu('Residual demand', 'Filter…');
    await page.frame.locator('input[data-filter=residual_demand_mw]').fill('>20500');
    await page.chooseFromColumnMenu('Thermal', 'Hide Column');
    await page.openTab('chart');
    await page.waitForChartSummary('Shown:');
    await page.frame.locator('.chart-plot').focus();
    await page.press('+', '+');
    await page.waitForChartSummary('Shown: 1');
    await page.openTab('table');
    await page.findCell(0, 2).click();
    await page.press('PageDown', 'PageDown', 'PageDown', 'ArrowDown');
    requestCount = service.receivedRequests.length;
  });
  disposeAfter(() => [workbench, service]);

  interface ViewState {
    readonly sort: string | null;
    readonly filter: string;
    readonly columns: readonly string[];
    readonly footer: string;
    readonly row: string;
    readonly zoom: string;
  }

  /** Reads the state of the view. Opens the chart to read its zoom, then the table again. */
  const readViewState = async (): Promise<ViewState> => {
    const sort = await page.findHeader('Wind').getAttribute('aria-sort');
    const filter = await page.frame.locator('input[data-filter=residual_demand_mw]').inputValue();
    const columns = await page.readHeaders();
    const footer = await page.waitForFooter('rows');
    const row = await page.frame
      .locator('[role=row]:has([role=gridcell][tabindex="0"]) [aria-colindex="1"]')
      .innerText();
    await page.openTab('chart');
    const zoom = (await page.waitForChartSummary('Shown:')).split('\n')[0] ?? '';
    await page.openTab('table');
    await page.findHeader('Wind').waitFor();
    return { sort, filter, columns, footer: footer.split(' · ')[0] ?? '', row, zoom };
  };

  /** Waits until the result's view, which may be in a new page, has the expected state. */
  const waitForViewState = async (expected: ViewState, read = readViewState): Promise<void> => {
    const state = await until(
      'the same view',
      async () => {
        page = new ResultPage(await waitForTable(workbench, title));
        // If the page closes while it is read, the next attempt reads its successor.
        return read().catch(() => undefined);
      },
      state => isDeepStrictEqual(state, expected),
    );
    assert.deepEqual(state, expected);
  };

  it('keeps position, sort, filter, columns, zoom and time zone in another editor group', async () => {
    const previousState = await readViewState();
    assert.equal(previousState.sort, 'descending');
    assert.match(previousState.zoom, /SAST/);
    assert.ok(!previousState.columns.includes('Thermal'));
    await workbench.runCommand('View: Move Editor into Next Group');
    await until(
      'two editor groups',
      () => workbench.page.locator('.editor-group-container').count(),
      count => count === 2,
    );
    // The panel is half as wide now, and does not draw columns beyond its edge.
    await waitForViewState(previousState, async () => {
      const { columns, ...moved } = await readViewState();
      return { columns: [...columns, ...previousState.columns.slice(columns.length)], ...moved };
    });
  });

  it('restores a hidden panel as it was, in a new page', async () => {
    const previousState = await readViewState();
    await page.frame.evaluate('globalThis.isTheOldPage = true');
    await workbench.runCommand('File: New Untitled Text File');
    await workbench.waitForEditorFocus();
    await workbench.page.locator('.tabs-container .tab', { hasText: title }).click();
    page = new ResultPage(await waitForTable(workbench, title));
    // Hidden pages are discarded, so the new page restores its persisted state.
    assert.equal(await page.frame.evaluate('globalThis.isTheOldPage'), undefined);
    await waitForViewState(previousState);
  });

  it('restores a panel after a window reload as it was, without a request', async () => {
    const previousState = await readViewState();
    await workbench.reload();
    page = new ResultPage(await waitForTable(workbench, title));
    await page.findHeader('Hour (SAST)').waitFor();
    await waitForViewState(previousState);
    assert.match(await readHeader(page.frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal(service.receivedRequests.length, requestCount);
  });
});
