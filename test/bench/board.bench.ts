import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/paths.ts';
import { runStep } from '../../scripts/steps.ts';
import { addConnection, emptiedWorkbench, runSystemState, sandboxWithKey, tableOf } from '../e2e/support.ts';
import { itemMenu } from '../e2e/savedSupport.ts';
import type { Bench } from './bench.ts';
import { median } from './median.ts';

const runs = 5;
const years = '2014-01..2023-12';
const modes = ['lines', 'mix', 'heatmap'];
const names = modes.map(mode => `By ${mode}`);

/** A folder of three charts of the last month of ten archived years, in a real VS Code, beside one of them. */
export const bench: Bench = async () => {
  await runStep({
    title: 'Packing the extension',
    command: process.execPath,
    args: [join('scripts', 'package', 'package.ts')],
    cwd: root,
    log: 'bench-package.log',
  });
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
    const drawn = async (name: string): Promise<void> => {
      const frame = await workbench.resultFrame(name);
      await frame.locator('.chart-plot canvas').waitFor();
    };
    /** Milliseconds from the click on a line to the last of the charts, the menu of VS Code included. */
    const opened = async (line: string, label: string, charts: readonly string[]): Promise<number> => {
      await workbench.closeEditors();
      const began = performance.now();
      await itemMenu(workbench, line, label);
      await Promise.all(charts.map(drawn));
      return performance.now() - began;
    };
    const board: number[] = [];
    const alone: number[] = [];
    // By turns, so that a busy moment does not meet one of them alone.
    for (let run = 0; run < runs; run++) {
      board.push(await opened('Board', 'Open as Board', names));
      await workbench.treeRow('Board').click();
      alone.push(await opened('By mix', 'Run Saved Query', ['By mix']));
      await workbench.treeRow('Board').click();
    }
    return [
      { what: 'a board of three, from ten archived years', value: median(board), unit: 'ms' },
      { what: '… against one of its queries alone', value: median(board) / median(alone), unit: '×', atMost: 3 },
    ];
  } finally {
    await workbench.dispose();
    await sandbox.close();
  }
};
