import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addConnection, emptiedWorkbench, runSystemState, sandboxWithKey, tableOf } from '../e2e/support.ts';
import { itemMenu } from '../e2e/savedSupport.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';

const runs = 9;
const years = '2014-01..2023-12';
const modes = ['lines', 'mix', 'heatmap'];
const names = modes.map(mode => `By ${mode}`);

/** A folder of three charts of the last month of ten archived years, in a real VS Code, beside one of them. */
export const bench: Bench = async () => {
  await packExtension();
  const sandbox = await sandboxWithKey();
  const workbench = await emptiedWorkbench('Grid');
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
    await tableOf(workbench, `System state · ${years} · hourly`);
    // Each page says so itself: to search the frames of the window for it takes longer than to draw.
    let drawn: (() => void) | undefined;
    const context = workbench.page.context();
    await context.exposeBinding('chartIsDrawn', () => drawn?.());
    await context.addInitScript(`
      const timer = setInterval(() => {
        if (!document.querySelector('.chart-plot canvas')) return;
        clearInterval(timer);
        window.chartIsDrawn();
      }, 10);`);
    /** Milliseconds from the press on an entry of a line's menu until so many charts are drawn. */
    const opened = async (line: string, label: string, charts: number): Promise<number> => {
      await workbench.closeEditors();
      const allDrawn = new Promise<void>(resolve => {
        let left = charts;
        drawn = () => --left === 0 && resolve();
      });
      await itemMenu(workbench, line, label);
      const pressed = performance.now();
      await allDrawn;
      return performance.now() - pressed;
    };
    const board: number[] = [];
    const alone: number[] = [];
    // By turns, so that a busy moment does not meet one of them alone.
    for (let run = 0; run < runs; run++) {
      board.push(await opened('Board', 'Open As Board', names.length));
      await workbench.treeRow('Board').click();
      alone.push(await opened('By mix', 'Run', 1));
      await workbench.treeRow('Board').click();
    }
    return [
      { what: 'a board of three, from ten archived years', value: median(board), unit: 'ms', atMost: 1_000 },
      { what: '… against one of its queries alone', value: median(board) / median(alone), unit: '×', atMost: 3 },
    ];
  } finally {
    await workbench.dispose();
    await sandbox.close();
  }
};
