import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { startWorkbench } from '../e2e/harness/start.ts';
import { until } from '../support/waiting.ts';
import type { Workbench } from '../e2e/harness/workbench.ts';
import { addConnection, runSystemState, tableOf } from '../e2e/support.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { hourMs, hoursBody } from './hoursBody.ts';

/**
 * Milliseconds from the last byte of an answer to its first painted rows, one a run, and what its typed arrays alone take from the
 * extension host to a page in the same turn.
 */
export type ServerTimes = Readonly<Record<'year' | 'tenYears', readonly { shown: number; crossed: number }[]>>;

const runs = 5;
const patience = 60_000;

/**
 * Asks a real VS Code for 8,760 and 87,600 hours of 17 columns by turns, each run for other years, so that none is kept.
 * The service holds its answer back until the page is up; the clock starts at the `finish` of the response, when the
 * system has its last byte, and stops in the first task after the frame in which the page had a row. Both read `Date.now()`
 * of this machine. In between: receiving, reading, VS Code's way to the page, and drawing. The page gets the first 200 rows of
 * a long table before the others. The first run of each is a warm-up.
 */
export async function measureServer(vsix?: string): Promise<ServerTimes> {
  let release: (() => void) | undefined;
  let finished = 0;
  const service = await startCannedService(({ query }, response) => {
    const [start, end] = [Date.parse(query.get('start') ?? ''), Date.parse(query.get('end') ?? '')];
    const rows = Math.round((end - start) / hourMs);
    if (rows < 1000) {
      sendJson(response, 200, hoursBody(rows, start));
      return;
    }
    const body = Buffer.from(hoursBody(rows, start));
    release = () => {
      response.once('finish', () => (finished = Date.now()));
      sendBytes(response, body);
    };
  });
  const file = join(temporaryFolder(), 'crossings');
  writeFileSync(file, '');
  const crossings = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const workbench = await startWorkbench({
    ...(vsix !== undefined && { vsix }),
    companions: [join(import.meta.dirname, 'crossingExtension')],
    env: { GRID_DATA_CROSSING: file },
  });
  try {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Bench');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    const ask = async (range: string): Promise<number> => {
      release = undefined;
      const painted = await askAndWatch(workbench, range, () => release);
      await workbench.closeEditors();
      return painted - finished;
    };
    const cross = async (years: string): Promise<number> => {
      const before = crossings().length;
      await workbench.runCommand(`Crossing: Post ${years}`);
      const all = await until(
        'a crossing',
        async () => Promise.resolve(crossings()),
        now => now.length > before,
      );
      return Number(all.at(-1));
    };
    const turns = [];
    for (let run = 0; run <= runs; run++)
      turns.push({
        year: { shown: await ask(`${2015 + run}-01-01..${2015 + run}-12-31`), crossed: await cross('a Year') },
        tenYears: {
          shown: await ask(`${1900 + 10 * run}-01-01..${1909 + 10 * run}-12-29`),
          crossed: await cross('Ten Years'),
        },
      });
    const measured = turns.slice(1);
    return { year: measured.map(({ year }) => year), tenYears: measured.map(({ tenYears }) => tenYears) };
  } finally {
    await workbench.dispose();
    await service.close();
  }
}

function sendBytes(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
}

/** When the first rows of the answer were painted. */
async function askAndWatch(
  workbench: Workbench,
  range: string,
  answer: () => (() => void) | undefined,
): Promise<number> {
  const title = `System state · ${range} · hourly`;
  await runSystemState(workbench, range);
  await workbench.waitTab(title);
  const frame = await workbench.resultFrame(title);
  await frame.locator('.message, main').first().waitFor({ timeout: patience });
  const waiting = Date.now() + patience;
  while (!answer()) {
    if (Date.now() > waiting) throw new Error('The question did not come.');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await watch(frame);
  answer()?.();
  return frame.evaluate<number>('window.painted');
}

/** Notes in the page when rows were first painted. */
async function watch(frame: Frame): Promise<void> {
  await frame.evaluate(`{
    window.painted = new Promise(resolve => {
      const look = () => {
        const cell = document.querySelector('.grid-row:not([hidden]) [role=gridcell]:not([hidden])');
        if (cell?.textContent) setTimeout(() => resolve(Date.now()));
        else requestAnimationFrame(look);
      };
      look();
    });
    // Or else this would wait for it.
    undefined;
  }`);
}
