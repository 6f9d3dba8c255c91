import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { listVisibleWebviews } from '../harness/frames.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../harness/workbench.ts';

/** Heap usage in bytes. Array buffers are counted separately, and are missing in the protocol's types. */
interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

/** A script that returns whether a page of the extension shows content, a loading message, or neither. */
const pageStateScript = `(() => {
  // Ignores VS Code's own pages, such as those of notebooks.
  if (!document.querySelector('#app')) return 'shows';
  const isVisible = selector => [...document.querySelectorAll(selector)].some(element => element.checkVisibility());
  if (isVisible('.message.loading')) return 'waits';
  if (isVisible('[role=gridcell], [role=rowheader], .message :is(button, vscode-button), .message.empty, [role=img], canvas, svg, pre, table, ul, [role=tabpanel]')) return 'shows';
  return 'nothing but: ' + document.body.innerText.slice(0, 200);
})()`;

/** Matches errors that the test expects: failures and rejections of the service, and invalid input. */
const expectedError =
  /The service |The key |Cannot reach|The response |No key for|was removed|Not found|The file |contains no readable queries|Cannot read|isn't |Invalid |Unknown |already |has ended/;

/** The maximum wait of a query, for the rate limit and for retries. */
const maxWaitMs = 240_000;

/** Throws if an error notification is unexpected. */
export async function checkMessages({ page }: Workbench, errorCounts: Map<string, number>): Promise<void> {
  const errors = page.locator('.notification-list-item:has(.codicon-error) .notification-list-item-message');
  for (const text of await errors.allInnerTexts()) {
    errorCounts.set(text, (errorCounts.get(text) ?? 0) + 1);
    if (!expectedError.test(text)) throw new Error(`Unexpected error: ${text}`);
  }
}

/** Throws if a visible page hangs or shows nothing. With `mustFinish`, also throws if it does not finish loading. */
export async function checkPages({ page }: Workbench, mustFinish: boolean): Promise<void> {
  const read = async (): Promise<string[]> =>
    Promise.all(
      (await listVisibleWebviews(page)).map(async ({ frame, title }) => `${title}: ${await readPageState(frame)}`),
    );
  const isResponsive = (state: string): boolean =>
    state.endsWith(': shows') || (!mustFinish && state.endsWith(': waits'));
  await until(
    'each page to show something',
    read,
    states => states.every(isResponsive),
    mustFinish ? maxWaitMs : 20_000,
  );
}

/** Returns the state of a page, also if it hangs. */
async function readPageState(frame: Frame): Promise<string> {
  let timeout: NodeJS.Timeout | undefined;
  const timedOut = new Promise<string>(resolve => {
    timeout = setTimeout(() => resolve('no response within 30 seconds'), 30_000);
  });
  // A page that closes meanwhile is not a failure.
  const state = await Promise.race([frame.evaluate<string>(pageStateScript).catch(() => 'shows'), timedOut]);
  clearTimeout(timeout);
  return state;
}

/** Throws if the extension's log has an error, or the extension host's log has an unhandled rejection of the extension. */
export function checkLogs(userDataDir: string): void {
  const folder = join(userDataDir, 'logs');
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    /(grid-data.*Grid Data|remoteexthost)\.log$/.test(file),
  );
  for (const file of logs) {
    const entries = readFileSync(join(folder, file), 'utf8').split(/^(?=\d{4}-\d\d-\d\d )/m);
    const errors = entries.filter(
      entry => entry.includes('[error]') && (file.includes('grid-data') || entry.includes('grid-data-inspector')),
    );
    if (errors.length > 0) throw new Error(`An error in ${file}:\n${errors.join('')}`);
  }
}

/** Measures the JavaScript memory of a window and its pages in megabytes, after a garbage collection. */
export async function measurePageMemory({ page }: Workbench): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as HeapUsage;
  await session.detach();
  return (usedSize + backingStorageSize) / 1_048_576;
}

/** Returns the memory of each extension host in megabytes, after its first minute and at the end. Skips hosts that ended earlier. */
export function readHostMemory(file: string): { readonly first: number; readonly last: number }[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const readings = lines.map(line => JSON.parse(line) as { pid: number; held: number });
  return [...Map.groupBy(readings, ({ pid }) => pid).values()].flatMap(hostReadings => {
    const first = hostReadings[6];
    const last = hostReadings.at(-1);
    return first && last ? [{ first: first.held / 1_048_576, last: last.held / 1_048_576 }] : [];
  });
}
