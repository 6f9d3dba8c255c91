import type { Page } from 'playwright-core';
import { call, type Harness } from '../view/harness.ts';
import { menuItem } from '../view/menus.ts';
import type { StateName } from '../view/page/states.ts';
import { median } from './median.ts';

const runs = 5;
const scrollCount = 240;

/** Creates a script that returns the milliseconds until the first frame after `action` is drawn. */
const timeScript = (action: string) => `(async () => {
  const task = () => new Promise(done => setTimeout(done));
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await task();
  const start = performance.now();
  ${action};
  await task();
  await frame();
  await task();
  return performance.now() - start;
})()`;

/** A script that resolves when the page is idle. The next measurement then starts without pending work. */
const waitForIdle = 'new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done())))';

/**
 * Measures from the message with the rows to the end of the first frame that displays them. Each run opens a new page, which first
 * displays the loading state, as in real use.
 */
export async function measureFirstPaint(harness: Harness, state: StateName): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const page = await harness.open();
    await call(page, 'show', 'loading');
    times.push(await call(page, 'show', state));
    if ((await call(page, 'cellText', 0, 1)) === null) throw new Error(`${state}: no rows in the first frame`);
    await page.context().close();
  }
  return median(times);
}

/**
 * Measures the 95th percentile of the time between frames while the scrollbar jumps to positions across all rows. For comparison, measures
 * a page with only an empty box of the same height. The runs alternate, so that other load affects both equally.
 */
export async function measureScrolling(harness: Harness, state: StateName): Promise<{ table: number; empty: number }> {
  const page = await harness.open();
  await call(page, 'show', state);
  const boxHeight = await page.evaluate<number>("document.querySelector('.grid-scroller').scrollHeight");
  const blank = await page.context().newPage();
  await blank.setContent(`<div style="height: 600px; overflow: auto"><div style="height: ${boxHeight}px"></div></div>`);
  const [table, empty]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    // A page in the background does not draw.
    await page.bringToFront();
    table.push((await call(page, 'scrollThrough', scrollCount))[0]);
    await blank.bringToFront();
    empty.push(await blank.evaluate<number>(blankScrollScript));
  }
  await page.context().close();
  return { table: median(table), empty: median(empty) };
}

const blankScrollScript = `(async () => {
  const scroller = document.querySelector('div');
  const gaps = [];
  const scrollRange = scroller.scrollHeight - scroller.clientHeight;
  let last = performance.now();
  for (let step = 0; step < ${scrollCount}; step++) {
    scroller.scrollTop = (scrollRange * ((step * 37) % ${scrollCount})) / ${scrollCount};
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - last);
    last = performance.now();
  }
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)];
})()`;

/** The milliseconds until the page has finished, and the milliseconds of its longest task. `longest` is 0 if no task takes over 50 ms. */
interface WorkTimes {
  readonly total: number;
  readonly longest: number;
}

/** Creates a script that measures the work of the page until the expression `isDone` is true. */
const workScript = (isDone: string) => `(async () => {
  let longest = 0;
  const start = performance.now();
  new PerformanceObserver(list => list.getEntries().forEach(({ startTime, duration }) => {
    if (startTime >= start) longest = Math.max(longest, duration);
  })).observe({ type: 'longtask' });
  while (!(${isDone})) await new Promise(requestAnimationFrame);
  return { total: performance.now() - start, longest };
})()`;

/** Measures from showing the column summaries until all visible ones are computed. */
export async function measureSummaries(harness: Harness, state: StateName): Promise<WorkTimes> {
  const page = await harness.open();
  await call(page, 'view', { display: { summaries: false } });
  await call(page, 'show', state);
  await page.locator('.more-button').click();
  await (await menuItem(page, 'Show Column Summaries')).click();
  const gaps = '.grid-heading:not([hidden]) .grid-gaps';
  const isDone = `[...document.querySelectorAll('${gaps}')].every(({ textContent }) => textContent)`;
  const work = await page.evaluate<WorkTimes>(workScript(isDone));
  await page.context().close();
  return work;
}

/** Measures from selecting all cells until the figures of the selection appear. */
export async function measureSelecting(harness: Harness, state: StateName): Promise<WorkTimes> {
  const page = await harness.open();
  await call(page, 'show', state);
  await page.locator('.grid-cell').first().click();
  await page.evaluate(waitForIdle);
  await page.keyboard.press('Control+a');
  const work = await page.evaluate<WorkTimes>(workScript("document.body.textContent.includes('selected: ')"));
  await page.context().close();
  return work;
}

/** Measures a mouse move in the chart next to the sorted table. The table marks the row at that time. */
export async function measureCrosshairMove(harness: Harness, state: StateName): Promise<number> {
  const page = await harness.open();
  await call(page, 'view', { display: { summaries: false } });
  await call(page, 'show', state);
  await page.locator('#tab-split').click();
  await page.locator('.chart-summary li').first().waitFor({ state: 'attached' });
  await page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first().click();
  await page.locator('[aria-sort=ascending]').waitFor();
  const moveTimes = await page.evaluate<number[]>(`(() => {
    const area = document.querySelector('.chart-area');
    const { left, top, width } = area.getBoundingClientRect();
    return Array.from({ length: 40 }, (_, move) => {
      const start = performance.now();
      const clientX = left + (width * (move + 1)) / 50;
      area.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY: top + 20, bubbles: true }));
      return performance.now() - start;
    });
  })()`);
  await page.context().close();
  // The first move is excluded, since it creates an index of the sort order.
  return median(moveTimes.slice(1));
}

/** Measures from the host's message to the first frame with times in the other zone. */
export async function measureZoneSwitch(page: Page): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++)
    for (const timeZone of ['Africa/Johannesburg', 'UTC']) {
      const message = { method: 'zone', params: { zone: { timeZone, label: timeZone }, header: [] } };
      times.push(await page.evaluate<number>(timeScript(`window.postMessage(${JSON.stringify(message)}, '*')`)));
    }
  return median(times);
}

/** Measures from the click on a tab to its first frame. Returns the time of the first click and the median of later ones. */
export async function measureTabSwitch(page: Page, tab: string): Promise<{ first: number; later: number }> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    times.push(await page.evaluate<number>(timeScript(clickScript(tab))));
    await page.evaluate(waitForIdle);
    await page.evaluate(timeScript(clickScript('table')));
  }
  return { first: times[0] ?? NaN, later: median(times.slice(1)) };
}

function clickScript(tab: string): string {
  return `document.querySelector('#tab-${tab}').click()`;
}

/** Returns the additional memory, in bytes, that the page uses after displaying the state and these tabs. It includes buffers. */
export async function measurePageBytes(
  harness: Harness,
  state: StateName,
  tabs: readonly string[] = [],
): Promise<number> {
  const page = await harness.open();
  const bytesBefore = await measureUsedBytes(page);
  await call(page, 'show', state);
  await page.evaluate(waitForIdle);
  for (const tab of tabs) {
    await page.evaluate(clickScript(tab));
    // The statistics are computed in slices.
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
    await page.evaluate(waitForIdle);
  }
  const bytesAfter = await measureUsedBytes(page);
  await page.context().close();
  return bytesAfter - bytesBefore;
}

async function measureUsedBytes(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.enable');
  for (let run = 0; run < 3; run++) await devTools.send('HeapProfiler.collectGarbage');
  const usage = await devTools.send('Runtime.getHeapUsage');
  await devTools.detach();
  return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
}
