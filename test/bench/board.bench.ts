import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addConnection, getEmptyWorkbench, runSystemState, startSandboxWithKey, waitForTable } from '../e2e/support.ts';
import { chooseFromItemMenu } from '../e2e/savedSupport.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';

const runCount = 9;
const years = '2014-01..2023-12';
const modes = ['lines', 'mix', 'heatmap'];
const names = modes.map(mode => `By ${mode}`);

/** Measures how long a board of three charts takes to open in a real VS Code, compared with one chart. Ten years are archived, and the charts show the last month. */
export const bench: Bench = async () => {
  await packExtension();
  const sandbox = await startSandboxWithKey();
  const workbench = await getEmptyWorkbench('Grid');
  try {
    const settings = join(workbench.folder, '.vscode');
    mkdirSync(settings);
    const queries = modes.map((mode, index) => {
      const view = { tab: 'chart', chart: { mode } };
      return { name: names[index], dataset: 'systemState', range: '2023-12', view };
    });
    const file = { queries: [{ folder: 'Board', queries }] };
    writeFileSync(join(settings, 'grid-queries.json'), JSON.stringify(file));
    await addConnection(workbench, sandbox.baseUrl, sandbox.key, 'Grid');
    await runSystemState(workbench, years);
    await waitForTable(workbench, `System state · ${years} · hourly`);
    // Each page reports when its chart is drawn. Searching all frames of the window for the charts would take longer than drawing them.
    let onChartDrawn: (() => void) | undefined;
    const context = workbench.page.context();
    await context.exposeBinding('chartIsDrawn', () => onChartDrawn?.());
    await context.addInitScript(`
      const timer = setInterval(() => {
        if (!document.querySelector('.chart-plot canvas')) return;
        clearInterval(timer);
        window.chartIsDrawn();
      }, 10);`);
    /** Measures the milliseconds from the click on a menu item in the tree until the charts are drawn. */
    const measureOpening = async (itemName: string, label: string, charts: number): Promise<number> => {
      await workbench.closeEditors();
      const allDrawn = new Promise<void>(resolve => {
        let remaining = charts;
        onChartDrawn = () => --remaining === 0 && resolve();
      });
      await chooseFromItemMenu(workbench, itemName, label);
      const pressed = performance.now();
      await allDrawn;
      return performance.now() - pressed;
    };
    const boardTimes: number[] = [];
    const singleTimes: number[] = [];
    // Alternates between both, so that other load on the computer affects both.
    for (let run = 0; run < runCount; run++) {
      boardTimes.push(await measureOpening('Board', 'Open As Board', names.length));
      await workbench.treeRow('Board').click();
      singleTimes.push(await measureOpening('By mix', 'Run', 1));
      await workbench.treeRow('Board').click();
    }
    return [
      { label: 'a board of three, from ten archived years', value: median(boardTimes), unit: 'ms', atMost: 1_000 },
      {
        label: '… against one of its queries alone',
        value: median(boardTimes) / median(singleTimes),
        unit: '×',
        atMost: 3,
      },
    ];
  } finally {
    await workbench.dispose();
    await sandbox.close();
  }
};
