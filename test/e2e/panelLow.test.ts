import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { sendJson, startCannedService, type CannedService } from '../support/cannedService.ts';
import { askedOf, gridRecords } from './gridHours.ts';
import { pictureFailures } from './harness/failures.ts';
import type { Theme } from './harness/themes.ts';
import { until } from './harness/waiting.ts';
import type { Workbench } from './harness/workbench.ts';
import { ResultPage } from './resultPage.ts';
import { addConnection, headerOf, runSystemState, sharedWorkbench, tableOf } from './support.ts';

const titleOf = (range: string): string => `System state · ${range} · hourly`;
const week = '2023-05-08..2023-05-14';
const tabs = ['chart', 'statistics', 'raw', 'table'] as const;
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe('a small panel and its accessibility', () => {
  let workbench: Workbench;
  let service: CannedService;
  let page: ResultPage;
  /** Answers that are held back until they are let go. */
  const held: (() => void)[] = [];
  let isHolding = false;

  before(async () => {
    service = await startCannedService(({ query }, response) => {
      const send = (): void => sendJson(response, 200, { data: gridRecords(askedOf(query)) });
      if (isHolding) held.push(send);
      else send();
    });
    workbench = await sharedWorkbench('Low');
    await addConnection(workbench, service.baseUrl, 'sb_test_low', 'Low');
    await tableOf(workbench, titleOf('last 24 hours'));
    await runSystemState(workbench, week);
    page = new ResultPage(await tableOf(workbench, titleOf(week)));
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  });
  pictureFailures(() => workbench);
  after(async () => {
    await workbench.dispose();
    await service.close();
  });

  const heightOf = (selector: string) =>
    page.frame.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().height`);
  const size = (width: number, height: number) => workbench.page.setViewportSize({ width, height });

  for (const theme of ['dark', 'hcLight'] as const satisfies readonly Theme[])
    it(`gives rows and plot their share of the panel at 200 % zoom, in the theme ${theme}`, async () => {
      await workbench.setTheme(theme);
      const background = await page.frame.evaluate<string>(
        "getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background')",
      );
      assert.notEqual(background.trim(), '');
      await size(640, 400);
      for (const tab of tabs) {
        await page.tab(tab);
        await page.frame
          .locator(`#result-${tab} :is([role=gridcell], canvas, .statistics table, .json pre):visible`)
          .first()
          .waitFor();
        await until(
          `one line each over ${tab}`,
          async () => Math.max(await heightOf('.toolbar'), await heightOf('.bar')),
          height => height <= 32,
        );
        if (tab === 'chart')
          await until(
            'room for the plot',
            () => heightOf('.chart-area'),
            height => height >= 100,
          );
      }
      await size(1280, 800);
    });

  it('puts the compared time behind the first values in a narrow panel, and announces it for each row', async () => {
    await page.more('Compare With…');
    await workbench.quickInput.waitItem('previous period');
    await workbench.quickInput.pick('previous period');
    await page.header('Residual demand, previous period').waitFor();
    await until(
      'the wide order',
      () => page.headers(),
      ([first, second]) => first === 'Hour (UTC)' && second === 'Hour, previous period (UTC)',
    );
    await size(470, 800);
    await until(
      'the narrow order',
      () => page.headers(),
      ([, second]) => second === 'Residual demand',
    );
    await until(
      'the tooltip',
      async () => {
        await page.cell(1, 0).hover();
        return (await page.cell(1, 0).getAttribute('title')) ?? '';
      },
      text => text.endsWith('\nHour, previous period: 01 May 2023 01:00 UTC'),
    );
    await size(1280, 800);
    await until(
      'the wide order',
      () => page.headers(),
      ([, second]) => second === 'Hour, previous period (UTC)',
    );
    await page.more('End Comparison');
    await until(
      'the end',
      () => headerOf(page.frame),
      text => !text.includes('compared'),
    );
  });

  it('passes axe-core in every view', async () => {
    await page.frame.evaluate(await readFile(axePath, 'utf8'));
    for (const tab of tabs) {
      await page.tab(tab);
      await page.frame
        .locator(`#result-${tab} :is([role=gridcell], canvas, .statistics table, .json pre, .aside):visible`)
        .first()
        .waitFor();
      const found = await page.frame.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))',
      );
      assert.deepEqual(found, [], tab);
    }
  });

  it('animates nothing when reduced motion is preferred', async () => {
    isHolding = true;
    await page.frame.locator('[data-action=nextPeriod]').click();
    await page.frame.getByRole('progressbar').waitFor();
    const moving = await page.frame.evaluate<string[]>(
      "document.getAnimations({ subtree: true }).filter(one => one.playState === 'running').map(one => one.animationName ?? 'transition')",
    );
    const inside = await page.frame.evaluate<string>(
      "getComputedStyle(document.querySelector('vscode-progress-bar').shadowRoot.querySelector('.indicator')).animationName",
    );
    assert.deepEqual([moving, inside], [[], 'none']);
    isHolding = false;
    for (const send of held.splice(0)) send();
  });
});
