import type { ServerResponse } from 'node:http';
import type { Frame } from 'playwright-core';
import { startWorkbench } from '../e2e/harness/start.ts';
import type { Workbench } from '../e2e/harness/workbench.ts';
import { addConnection, runSystemState, tableOf } from '../e2e/support.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';
import { hourMs, hoursBody } from './hoursBody.ts';

/** Milliseconds from the last byte of an answer to its first painted rows, one a run. */
export interface ServerTimes {
  readonly year: readonly number[];
  readonly tenYears: readonly number[];
}

const runs = 5;
const patience = 60_000;

/**
 * Asks a real VS Code for 8,760 and 87,600 hours of 17 columns by turns, each run for other years, so that none is kept.
 * The service holds its answer back until the page is up; the clock starts at the `finish` of the response, when the
 * system has its last byte, and stops in the first task after the frame in which the page had a row. Both read `Date.now()`
 * of this machine. In between: receiving, reading, VS Code's way to the page, and drawing. The first rows may be the head
 * of the answer: 200 rows read before the rest, under a page that says that more are on their way. The first run of each
 * is a warm-up.
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
  const workbench = await startWorkbench(vsix === undefined ? {} : { vsix });
  try {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Bench');
    await tableOf(workbench, 'System state · last 24 hours · hourly');
    const ask = async (range: string): Promise<number> => {
      release = undefined;
      const painted = await askAndWatch(workbench, range, () => release);
      await workbench.closeEditors();
      return painted - finished;
    };
    const [year, tenYears]: [number[], number[]] = [[], []];
    for (let run = 0; run <= runs; run++) {
      year.push(await ask(`${2015 + run}-01-01..${2015 + run}-12-31`));
      tenYears.push(await ask(`${1900 + 10 * run}-01-01..${1909 + 10 * run}-12-29`));
    }
    return { year: year.slice(1), tenYears: tenYears.slice(1) };
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
