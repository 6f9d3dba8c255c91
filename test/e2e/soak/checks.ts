import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { shownWebviews } from '../harness/frames.ts';
import { until } from '../../support/waiting.ts';
import type { Workbench } from '../harness/workbench.ts';

/** In bytes; what arrays hold is beside the heap, and newer than the types of the protocol. */
interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

/** What a page of ours shows: what it has to show, a sign that it waits, or neither. */
const pageState = `(() => {
  // One of VS Code's own, such as that of a notebook, has no table of ours to show.
  if (!document.querySelector('#app')) return 'shows';
  const shown = selector => [...document.querySelectorAll(selector)].some(one => one.checkVisibility());
  if (shown('.message.loading')) return 'waits';
  if (shown('[role=gridcell], [role=rowheader], .message :is(button, vscode-button), .message.empty, [role=img], canvas, svg, pre, table, ul, [role=tabpanel]')) return 'shows';
  return 'nothing but: ' + document.body.innerText.slice(0, 200);
})()`;

/** What an error may say: that the service failed or refused, or that of what somebody typed or chose nothing can be made. */
const explained =
  /The service |The key |Cannot reach|The response |No key for|was removed|Not found|The file |contains no readable queries|Cannot read|isn't |Invalid |Unknown |already |has ended/;

/** The longest that a query may wait: for a minute's budget, and through the tries after failures. */
const longestWaitMs = 240_000;

/** Throws where an error notification is one that nothing explains. */
export async function checkMessages({ page }: Workbench, seen: Map<string, number>): Promise<void> {
  const errors = page.locator('.notification-list-item:has(.codicon-error) .notification-list-item-message');
  for (const text of await errors.allInnerTexts()) {
    seen.set(text, (seen.get(text) ?? 0) + 1);
    if (!explained.test(text)) throw new Error(`An error that no fault explains: ${text}`);
  }
}

/** Throws where a page on screen does not answer or shows nothing; `toEnd`: also where its wait does not end. */
export async function checkPages({ page }: Workbench, toEnd: boolean): Promise<void> {
  const read = async (): Promise<string[]> =>
    Promise.all((await shownWebviews(page)).map(async ({ frame, title }) => `${title}: ${await stateOf(frame)}`));
  const isFine = (state: string): boolean => state.endsWith(': shows') || (!toEnd && state.endsWith(': waits'));
  await until('each page to show something', read, states => states.every(isFine), toEnd ? longestWaitMs : 20_000);
}

/** A page that hangs gives no answer at all. */
async function stateOf(frame: Frame): Promise<string> {
  let limit: NodeJS.Timeout | undefined;
  const silence = new Promise<string>(resolve => {
    limit = setTimeout(() => resolve('no answer within half a minute'), 30_000);
  });
  // One that is closed meanwhile is no longer there to be judged.
  const state = await Promise.race([frame.evaluate<string>(pageState).catch(() => 'shows'), silence]);
  clearTimeout(limit);
  return state;
}

/** Throws where a log has an error of the extension: its own log, and that of its host, where rejections that nobody handles are. */
export function checkLogs(userDataDir: string): void {
  const folder = join(userDataDir, 'logs');
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    /(grid-data.*Grid Data|remoteexthost)\.log$/.test(file),
  );
  for (const file of logs) {
    const entries = readFileSync(join(folder, file), 'utf8').split(/^(?=\d{4}-\d\d-\d\d )/m);
    const own = entries.filter(
      entry => entry.includes('[error]') && (file.includes('grid-data') || entry.includes('grid-data-inspector')),
    );
    if (own.length > 0) throw new Error(`An error in ${file}:\n${own.join('')}`);
  }
}

/** Megabytes of the JavaScript of a window and the pages in it, once garbage is collected. */
export async function pageMemoryOf({ page }: Workbench): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as HeapUsage;
  await session.detach();
  return (usedSize + backingStorageSize) / 1_048_576;
}

/** Megabytes of each extension host that lived long enough to tell: after its first minute, and now. */
export function memoryOf(file: string): { readonly first: number; readonly last: number }[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const readings = lines.map(line => JSON.parse(line) as { pid: number; held: number });
  return [...Map.groupBy(readings, ({ pid }) => pid).values()].flatMap(all => {
    const [first, last] = [all[6], all.at(-1)];
    return first && last ? [{ first: first.held / 1_048_576, last: last.held / 1_048_576 }] : [];
  });
}
