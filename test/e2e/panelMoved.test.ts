import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { startCannedService, type CannedService } from '../support/cannedService.ts';
import { answerHours } from './gridHours.ts';
import { endsAfter } from './harness/failures.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { chooseZone, addConnection, headerOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const title = 'System state · 2023-05 · hourly';

describe('moving, hiding and reloading a panel', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  let seen = 0;

  before(async () => {
    service = await startCannedService(answerHours);
    workbench = await sharedWorkbench('Moved');
    await addConnection(workbench, service.baseUrl, 'sb_test_moved', 'Moved');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    await runSystemState(workbench, '2023-05');
    page = new ResultPage(await tableOf(workbench, title));
    await chooseZone(page.frame, 'SAST');
    await page.columnMenu('Wind', 'Sort Descending');
    await page.columnMenu('Residual demand', 'Filter…');
    await page.frame.locator('input[data-filter=residual_demand_mw]').fill('>20500');
    await page.columnMenu('Thermal', 'Hide Column');
    await page.tab('chart');
    await page.chartWords('Shown:');
    await page.frame.locator('.chart-plot').focus();
    await page.press('+', '+');
    await page.chartWords('Shown: 1');
    await page.tab('table');
    await page.cell(0, 2).click();
    await page.press('PageDown', 'PageDown', 'PageDown', 'ArrowDown');
    seen = service.seen.length;
  });
  endsAfter(() => [workbench, service]);

  interface Looks {
    readonly sort: string | null;
    readonly filter: string;
    readonly columns: readonly string[];
    readonly footer: string;
    readonly row: string;
    readonly zoom: string;
  }

  /** How the person looks at the result: the chart is opened for its zoom, and the table again. */
  const looks = async (): Promise<Looks> => {
    const sort = await page.header('Wind').getAttribute('aria-sort');
    const filter = await page.frame.locator('input[data-filter=residual_demand_mw]').inputValue();
    const columns = await page.headers();
    const footer = await page.footer('rows');
    const row = await page.frame
      .locator('[role=row]:has([role=gridcell][tabindex="0"]) [aria-colindex="1"]')
      .innerText();
    await page.tab('chart');
    const zoom = (await page.chartWords('Shown:')).split('\n')[0] ?? '';
    await page.tab('table');
    await page.header('Wind').waitFor();
    return { sort, filter, columns, footer: footer.split(' · ')[0] ?? '', row, zoom };
  };

  /** Waits until the result, in whichever page it is by now, looks so. */
  const looksLike = async (expected: Looks, read = looks): Promise<void> => {
    const found = await until(
      'the same look',
      async () => {
        page = new ResultPage(await tableOf(workbench, title));
        // A page that goes while it is read is followed by another.
        return read().catch(() => undefined);
      },
      now => isDeepStrictEqual(now, expected),
    );
    assert.deepEqual(found, expected);
  };

  it('keeps position, sort, filter, columns, zoom and time zone in another editor group', async () => {
    const before = await looks();
    assert.equal(before.sort, 'descending');
    assert.match(before.zoom, /SAST/);
    assert.ok(!before.columns.includes('Thermal'));
    await workbench.runCommand('View: Move Editor into Next Group');
    await until(
      'two groups',
      () => workbench.page.locator('.editor-group-container').count(),
      count => count === 2,
    );
    // Half as wide: the columns beyond its edge are not drawn.
    await looksLike(before, async () => {
      const { columns, ...moved } = await looks();
      return { columns: [...columns, ...before.columns.slice(columns.length)], ...moved };
    });
  });

  it('restores a hidden panel as it was, in a new page', async () => {
    const before = await looks();
    await page.frame.evaluate('globalThis.isTheOldPage = true');
    await workbench.runCommand('File: New Untitled Text File');
    await workbench.editorFocused();
    await workbench.page.locator('.tabs-container .tab', { hasText: title }).click();
    page = new ResultPage(await tableOf(workbench, title));
    // Nothing is retained of a hidden page: what it shows it has from its kept state.
    assert.equal(await page.frame.evaluate('globalThis.isTheOldPage'), undefined);
    await looksLike(before);
  });

  it('restores a panel after a window reload as it was, without a request', async () => {
    const before = await looks();
    await workbench.reload();
    page = new ResultPage(await tableOf(workbench, title));
    await page.header('Hour (SAST)').waitFor();
    await looksLike(before);
    assert.match(await headerOf(page.frame), /744 rows · 0 requests, 744 hours from archive/);
    assert.equal(service.seen.length, seen);
  });
});
