import type { Page } from 'playwright-core';
import { call, type Harness } from '../view/harness.ts';
import { menuItem } from '../view/menus.ts';
import type { StateName } from '../view/page/states.ts';
import { median } from './median.ts';

const runs = 5;
const scrolled = 240;

/** Runs in the page: milliseconds until the first frame after `act` was drawn. */
const timed = (act: string) => `(async () => {
  const [task, frame] = [() => new Promise(done => setTimeout(done)), () => new Promise(requestAnimationFrame)];
  await frame();
  await task();
  const began = performance.now();
  ${act};
  await task();
  await frame();
  await task();
  return performance.now() - began;
})()`;

/** Runs in the page: resolves when it has nothing left to do and to draw, so that what is measured next begins from rest. */
const idle = 'new Promise(done => requestAnimationFrame(() => requestIdleCallback(() => done())))';

/**
 * From the message to the end of the first frame with its rows: each run in a page of its own, which says that it waits
 * for the answer, as a person's does, and has made ready by then what it makes ready while it waits.
 */
export async function firstPaint(harness: Harness, state: StateName): Promise<number> {
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
 * The 95th percentile of the time between frames while the scrollbar jumps through everything, in the table and in a page
 * with nothing but a box as high as the table's: by turns, since what else the machine does slows both.
 */
export async function scrolling(harness: Harness, state: StateName): Promise<{ table: number; empty: number }> {
  const page = await harness.open();
  await call(page, 'show', state);
  const box = await page.evaluate<number>("document.querySelector('.grid-scroller').scrollHeight");
  const blank = await page.context().newPage();
  await blank.setContent(`<div style="height: 600px; overflow: auto"><div style="height: ${box}px"></div></div>`);
  const [table, empty]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    // A page in the background draws no frames.
    await page.bringToFront();
    table.push((await call(page, 'scrollThrough', scrolled))[0]);
    await blank.bringToFront();
    empty.push(await blank.evaluate<number>(scrollBlank));
  }
  await page.context().close();
  return { table: median(table), empty: median(empty) };
}

const scrollBlank = `(async () => {
  const [scroller, gaps] = [document.querySelector('div'), []];
  const way = scroller.scrollHeight - scroller.clientHeight;
  let last = performance.now();
  for (let step = 0; step < ${scrolled}; step++) {
    scroller.scrollTop = (way * ((step * 37) % ${scrolled})) / ${scrolled};
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - last);
    last = performance.now();
  }
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)];
})()`;

/** Milliseconds until the page is done, and of its longest task until then; 0 for none over 50 ms. */
interface Work {
  readonly all: number;
  readonly longest: number;
}

/** Runs in the page: waits until an expression is true. */
const workUntil = (isDone: string) => `(async () => {
  let longest = 0;
  const began = performance.now();
  new PerformanceObserver(list => list.getEntries().forEach(({ startTime, duration }) => {
    if (startTime >= began) longest = Math.max(longest, duration);
  })).observe({ type: 'longtask' });
  while (!(${isDone})) await new Promise(requestAnimationFrame);
  return { all: performance.now() - began, longest };
})()`;

/** From when headers have room for summaries to the last one on screen. */
export async function summaries(harness: Harness, state: StateName): Promise<Work> {
  const page = await harness.open();
  await call(page, 'view', { display: { summaries: false } });
  await call(page, 'show', state);
  await page.locator('.more-button').click();
  await (await menuItem(page, 'Show Column Summaries')).click();
  const gaps = '.grid-heading:not([hidden]) .grid-gaps';
  const isDone = `[...document.querySelectorAll('${gaps}')].every(({ textContent }) => textContent)`;
  const work = await page.evaluate<Work>(workUntil(isDone));
  await page.context().close();
  return work;
}

/** From when all cells are selected to their figures. */
export async function selecting(harness: Harness, state: StateName): Promise<Work> {
  const page = await harness.open();
  await call(page, 'show', state);
  await page.locator('.grid-cell').first().click();
  await page.evaluate(idle);
  await page.keyboard.press('Control+a');
  const work = await page.evaluate<Work>(workUntil("document.body.textContent.includes('selected: ')"));
  await page.context().close();
  return work;
}

/** A move of the mouse in the chart beside the sorted table, whose row of that time is marked. */
export async function crosshairMove(harness: Harness, state: StateName): Promise<number> {
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
  // Without the first, which looks through the order once.
  return median(moves.slice(1));
}

/** From the host's message to the first frame with times in the other zone. */
export async function zoneSwitch(page: Page): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++)
    for (const timeZone of ['Africa/Johannesburg', 'UTC']) {
      const message = { method: 'zone', params: { zone: { timeZone, label: timeZone }, header: [] } };
      times.push(await page.evaluate<number>(timed(`window.postMessage(${JSON.stringify(message)}, '*')`)));
    }
  return median(times);
}

/** From the click on a tab to its first frame, coming from the table; the first time, and the median of later ones. */
export async function tabSwitch(page: Page, tab: string): Promise<{ first: number; later: number }> {
  const times: number[] = [];
  for (let run = 0; run <= runs; run++) {
    times.push(await page.evaluate<number>(timed(click(tab))));
    await page.evaluate(idle);
    await page.evaluate(timed(click('table')));
  }
  return { first: times[0] ?? NaN, later: median(times.slice(1)) };
}

function click(tab: string): string {
  return `document.querySelector('#tab-${tab}').click()`;
}

/** Bytes that the page holds more than before it was shown the state and these tabs of it, buffers included, after a collection. */
export async function pageBytes(harness: Harness, state: StateName, tabs: readonly string[] = []): Promise<number> {
  const page = await harness.open();
  const before = await held(page);
  await call(page, 'show', state);
  await page.evaluate(idle);
  for (const tab of tabs) {
    await page.evaluate(click(tab));
    // The statistics are worked out in slices.
    await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
    await page.evaluate(idle);
  }
  const after = await held(page);
  await page.context().close();
  return after - before;
}

async function held(page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.enable');
  for (let run = 0; run < 3; run++) await devTools.send('HeapProfiler.collectGarbage');
  const usage = await devTools.send('Runtime.getHeapUsage');
  await devTools.detach();
  return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
}
