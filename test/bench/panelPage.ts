import type { Page } from 'playwright-core';
import { call, type Harness } from '../view/harness.ts';
import { menuItem } from '../view/menus.ts';
import type { StateName } from '../view/page/states.ts';
import { median } from './median.ts';

const runs = 5;
const scrollCount = 240;

/** A script that returns the milliseconds until the first frame after `act` is drawn. */
const timeScript = (act: string) => `(async () => {
  const task = () => new Promise(done => setTimeout(done));
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await task();
  const began = performance.now();
  ${act};
  await task();
  await frame();
  await task();
  return performance.now() - began;
})()`;

/** A script that resolves when the page is idle, so that the next measurement starts without pending work. */
const idle = 'new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done())))';

/**
 * Measures from the message to the end of the first frame with its rows. Each run has a new page, which has shown the loading state
 * before and prepared itself meanwhile, as in real use.
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
 * Measures the 95th percentile of the time between frames while the scrollbar jumps through all rows, in the table and in a page
 * with only an empty box of the same height. Alternates between both, so that other load affects them equally.
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

/** The milliseconds until the page has finished, and those of its longest task; 0 if none takes over 50 ms. */
interface WorkTimes {
  readonly total: number;
  readonly longest: number;
}

/** A script that measures the page's work until an expression is true. */
const workScript = (isDone: string) => `(async () => {
  let longest = 0;
  const began = performance.now();
  new PerformanceObserver(list => list.getEntries().forEach(({ startTime, duration }) => {
    if (startTime >= began) longest = Math.max(longest, duration);
  })).observe({ type: 'longtask' });
  while (!(${isDone})) await new Promise(requestAnimationFrame);
  return { all: performance.now() - began, longest };
})()`;

/** Measures from turning on column summaries until the last visible one is computed. */
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

/** Measures from selecting all cells until their figures appear. */
export async function measureSelecting(harness: Harness, state: StateName): Promise<WorkTimes> {
  const page = await harness.open();
  await call(page, 'show', state);
  await page.locator('.grid-cell').first().click();
  await page.evaluate(idle);
  await page.keyboard.press('Control+a');
  const work = await page.evaluate<WorkTimes>(workScript("document.body.textContent.includes('selected: ')"));
  await page.context().close();
  return work;
}

/** Measures a mouse move in the chart beside the sorted table, which marks the row of that time. */
export async function measureCrosshairMove(harness: Harness, state: StateName): Promise<number> {
  const page = await harness.open();
  await call(page, 'view', { display: { summaries: false } });
  await call(page, 'show', state);
  await page.locator('#tab-split').click();
  await page.locator('.chart-summary li').first().waitFor({ state: 'attached' });
  await page.locator('[role=columnheader]:visible', { hasText: 'Residual demand' }).first().click();
  await page.locator('[aria-sort=ascending]').waitFor();
  const moves = await page.evaluate<number[]>(`(() => {
    const area = document.querySelector('.chart-area');
    const { left, top, width } = area.getBoundingClientRect();
    return Array.from({ length: 40 }, (_, move) => {
      const began = performance.now();
      const clientX = left + (width * (move + 1)) / 50;
      area.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY: top + 20, bubbles: true }));
      return performance.now() - began;
    });
  })()`);
  await page.context().close();
  // The first move is left out, since it builds an index of the order.
  return median(moves.slice(1));
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

/** Measures from the click on a tab to its first frame, coming from the table: the first time, and the median of later ones. */
export async function measureTabSwitch(page: Page, tab: string): Promise<{ first: number; later: number }> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    times.push(await page.evaluate<number>(timeScript(clickScript(tab))));
    await page.evaluate(idle);
    await page.evaluate(timeScript(clickScript('table')));
  }
  return { first: times[0] ?? NaN, later: median(times.slice(1)) };
}

function clickScript(tab: string): string {
  return `document.querySelector('#tab-${tab}').click()`;
}

/** Returns the bytes, including buffers, that the page holds after displaying the state and these tabs, less those before. */
export async function measurePageBytes(
  harness: Harness,
  state: StateName,
  tabs: readonly string[] = [],
): Promise<number> {
  const page = await harness.open();
  const bytesBefore = await measureUsedBytes(page);
  await call(page, 'show', state);
  await page.evaluate(idle);
  for (const tab of tabs) {
    await page.evaluate(clickScript(tab));
    // The statistics are computed in slices.
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
    await page.evaluate(idle);
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
