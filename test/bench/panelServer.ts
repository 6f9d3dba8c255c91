import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { startWorkbench } from '../e2e/harness/start.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../e2e/harness/workbench.ts';
import { addConnection, runSystemState, waitForTable } from '../e2e/support.ts';
import { sendJson, startCannedService } from '../support/cannedService.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';
import { hourMs, createHoursBody } from './hoursBody.ts';

/**
 * The milliseconds from the last byte of a response to its first painted rows, and those of sending its typed arrays alone from the
 * extension host to a page, one pair for each run.
 */
export type ServerTimes = Readonly<Record<'year' | 'tenYears', readonly { shown: number; crossed: number }[]>>;

const runs = 5;
const timeoutMs = 60_000;

/**
 * Queries 8,760 and 87,600 hours of 17 columns in a real VS Code, for other years in each run, so that none is archived. The service
 * delays its response until the page has loaded. The time starts at the response's `finish` event, when the system has its last byte,
 * and ends in the first task after the frame with the first row; both use `Date.now()` of this machine. It includes receiving, decoding,
 * VS Code's messages and drawing. The page gets the first 200 rows of a long table before the others. The first run is a warm-up.
 */
export async function measureServer(vsix?: string): Promise<ServerTimes> {
  let sendResponse: (() => void) | undefined;
  let finishedAt = 0;
  const service = await startCannedService(({ query }, response) => {
    const start = Date.parse(query.get('start') ?? '');
    const end = Date.parse(query.get('end') ?? '');
    const rows = Math.round((end - start) / hourMs);
    if (rows < 1000) {
      sendJson(response, 200, createHoursBody(rows, start));
      return;
    }
    const body = Buffer.from(createHoursBody(rows, start));
    sendResponse = () => {
      response.once('finish', () => (finishedAt = Date.now()));
      sendBytes(response, body);
    };
  });
  const file = join(createTemporaryFolder(), 'crossings');
  writeFileSync(file, '');
  const readCrossings = (): string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const workbench = await startWorkbench({
    ...(vsix !== undefined && { vsix }),
    companions: [join(import.meta.dirname, 'crossingExtension')],
    env: { GRID_DATA_CROSSING: file },
  });
  try {
    await addConnection(workbench, service.baseUrl, 'not-a-real-key', 'Bench');
    await waitForTable(workbench, 'System state · last 24 hours · hourly');
    const measureQuery = async (range: string): Promise<number> => {
      sendResponse = undefined;
      const painted = await runAndWatch(workbench, range, () => sendResponse);
      await workbench.closeEditors();
      return painted - finishedAt;
    };
    const measureCrossing = async (years: string): Promise<number> => {
      const previousCount = readCrossings().length;
      await workbench.runCommand(`Crossing: Post ${years}`);
      const allCrossings = await until(
        'the time between host and page',
        async () => Promise.resolve(readCrossings()),
        current => current.length > previousCount,
      );
      return Number(allCrossings.at(-1));
    };
    const allRuns = [];
    for (let run = 0; run <= runs; run++)
      allRuns.push({
        year: {
          shown: await measureQuery(`${2015 + run}-01-01..${2015 + run}-12-31`),
          crossed: await measureCrossing('a Year'),
        },
        tenYears: {
          shown: await measureQuery(`${1900 + 10 * run}-01-01..${1909 + 10 * run}-12-29`),
          crossed: await measureCrossing('Ten Years'),
        },
      });
    const measured = allRuns.slice(1);
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

/** Runs the query and sends the response. Returns the time when its first rows were painted. */
async function runAndWatch(
  workbench: Workbench,
  range: string,
  getSender: () => (() => void) | undefined,
): Promise<number> {
  const title = `System state · ${range} · hourly`;
  await runSystemState(workbench, range);
  await workbench.waitTab(title);
  const frame = await workbench.resultFrame(title);
  await frame.locator('.message, main').first().waitFor({ timeout: timeoutMs });
  const deadline = Date.now() + timeoutMs;
  while (!getSender()) {
    if (Date.now() > deadline) throw new Error('No request arrived.');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await watchFirstPaint(frame);
  getSender()?.();
  return frame.evaluate<number>('window.painted');
}

/** Records in the page when rows are first painted. */
async function watchFirstPaint(frame: Frame): Promise<void> {
  await frame.evaluate(`{
    window.painted = new Promise(resolve => {
      const check = () => {
        const cell = document.querySelector('.grid-row:not([hidden]) [role=gridcell]:not([hidden])');
        if (cell?.textContent) setTimeout(() => resolve(Date.now()));
        else requestAnimationFrame(check);
      };
      check();
    });
    // Without this, evaluate would wait for the promise.
    undefined;
  }`);
}
