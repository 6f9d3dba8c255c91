import type { Page } from 'playwright-core';
import { onChart, call, Harness } from '../view/harness.ts';
import { expectedValue } from '../view/page/frames.ts';
import type { Bench, Figure } from './bench.ts';
import { busyTimer } from './busyTime.ts';
import { medianRatio, median } from './median.ts';
import { installLibraries, openLibrary, type Library } from './libraries/libraryPage.ts';

const rowCount = 1_000_000;
const rounds = 3;
const jumps = 120;
/** The visible shares of the chart while zooming by keys: halved five times, then doubled. */
const shares = [2, 4, 8, 16, 32, 16, 8, 4, 2, 1].map(part => 1 / part);

/** A grid on a page: the selectors of its scroller and of a cell in the first row, and the code that sorts. */
interface GridPage {
  readonly page: Page;
  readonly scroller: string;
  readonly cell: (column: number) => string;
  readonly sort: (column: number, direction: number) => string;
}

/** The figures of each product, one for each round; ours are under `extension`. */
type Times = Record<'extension', number[]> & Record<string, number[]>;

/**
 * Compares the panel's table and chart with popular libraries: the same data and browser, in alternating rounds. The other grids show as
 * many rows and columns as ours, and each library is set up as its documentation recommends (libraries/setUp.js).
 */
export const bench: Bench = async () => {
  const reason = await installLibraries();
  if (reason === undefined) return [...(await measureGrids()), ...(await measureCharts())];
  console.log(`  skipped, because ${reason}.`);
  return [];
};

/**
 * Compares our times with the libraries'. uPlot sets no bound: it draws three lines only, while our chart also draws their ranges, the overview
 * strip and a summary of the visible range.
 */
function compareProducts(label: string, times: Times): Figure[] {
  return [
    { label, value: median(times.extension), unit: 'ms' },
    ...Object.entries(times)
      .filter(([name]) => name !== 'extension')
      .map(([name, libraryTimes]) => ({
        label: `… against ${name}`,
        value: medianRatio(times.extension, libraryTimes),
        unit: '×',
        ...(name !== 'uPlot' && { atMost: 1 }),
      })),
  ];
}

async function measureGrids(): Promise<Figure[]> {
  const grids = await openGrids();
  const [gaps, drawnShares, sorts]: [Times, Times, Times] = [{ extension: [] }, { extension: [] }, { extension: [] }];
  for (let round = 0; round < rounds; round++)
    for (const [name, { page, scroller }] of Object.entries(grids)) {
      // A page in the background does not draw.
      await page.bringToFront();
      const [frameGap, share] = await page.evaluate<[number, number]>(scrollScript(scroller));
      (gaps[name] ??= []).push(frameGap);
      (drawnShares[name] ??= []).push(share);
    }
  for (const column of [1, 2])
    for (const direction of [1, -1, 0])
      for (const [name, { page, cell, sort }] of Object.entries(grids)) {
        await page.bringToFront();
        const expectedValue = expectedFirstValue(column, direction);
        const elapsedMs = await page.evaluate<number>(sortScript(sort(column, direction), cell(column), expectedValue));
        if (direction !== 0) (sorts[name] ??= []).push(elapsedMs);
      }
  for (const { page } of Object.values(grids)) await page.context().close();
  return [
    ...compareProducts(`scroll 1,000,000 × 20, 95th percentile of ${jumps} frames`, gaps),
    ...Object.entries(drawnShares).map(([name, parts]) => {
      return { label: `… frames with the rows of the scroll position, ${name}`, value: 100 * median(parts), unit: '%' };
    }),
    ...compareProducts('sort 1,000,000 × 20, from the command to the first frame', sorts),
  ];
}

async function openGrids(): Promise<Readonly<Record<string, GridPage>>> {
  const gridPage = await new Harness().open();
  gridPage.setDefaultTimeout(0);
  await call(gridPage, 'show', 'million');
  const height = await gridPage.evaluate<number>("document.querySelector('.grid-scroller').clientHeight");
  const rowHeight = await gridPage.evaluate<number>("document.querySelector('.grid-row').offsetHeight");
  const open = async (library: Library): Promise<Page> => {
    const page = await openLibrary(library, { width: 1100, height });
    await page.evaluate(`window.createWidget.${library}({ rowHeight: ${rowHeight}, width: 110 })`);
    return page;
  };
  const sort = (column: number, direction: number): string => `window.sort(${column}, ${direction})`;
  return {
    extension: {
      page: gridPage,
      scroller: '.grid-scroller',
      cell: column => `[aria-rowindex="2"]:not([hidden]) [aria-colindex="${column + 1}"]:not([hidden])`,
      // Each click changes the order: ascending, descending, unsorted.
      sort: column =>
        `document.querySelector('[aria-rowindex="1"] [aria-colindex="${column + 1}"] .grid-sort').click()`,
    },
    'ag-grid': {
      page: await open('agGrid'),
      scroller: '.ag-grid-viewport',
      cell: column => `[row-index="0"] [aria-colindex="${column + 1}"]`,
      sort,
    },
    SlickGrid: {
      page: await open('slickGrid'),
      scroller: '.slick-viewport',
      cell: column => `[data-row="0"] .l${column}`,
      sort,
    },
  };
}

/** Returns the number in the first row of the sorted table; all distinct numbers occur in the first 24 × 97 rows. */
function expectedFirstValue(column: number, direction: number): number {
  const values = Array.from({ length: 24 * 97 }, (_, row) => expectedValue(row, column - 1));
  if (direction === 0) return values[0] ?? NaN;
  return direction > 0 ? Math.min(...values) : Math.max(...values);
}

/**
 * A script that returns the 95th percentile of the time between frames while the scrollbar jumps through all rows, and the share of frames
 * that show the right row in the middle, within one percent: a grid may postpone drawing rows.
 */
const scrollScript = (scroller: string): string => `(async () => {
  const scroller = document.querySelector('${scroller}');
  const gaps = [];
  const scrollRange = scroller.scrollHeight - scroller.clientHeight;
  const { x, y, width, height } = scroller.getBoundingClientRect();
  let drawn = 0;
  let previousMs = performance.now();
  for (let step = 0; step < ${jumps}; step++) {
    const share = ((step * 37) % ${jumps}) / ${jumps};
    scroller.scrollTop = scrollRange * share;
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - previousMs);
    previousMs = performance.now();
    // Includes work that the library does before the frame is painted.
    await new Promise(done => setTimeout(done));
    const row = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[aria-rowindex], [data-row]');
    const index = Number(row?.ariaRowIndex ?? row?.dataset.row ?? NaN);
    if (Math.abs(index / ${rowCount} - share) < 0.01) drawn++;
  }
  scroller.scrollTop = 0;
  return [gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)], drawn / ${jumps}];
})()`;

/** A script that returns the milliseconds from the command to the first frame that shows the number in the cell. */
const sortScript = (command: string, cell: string, value: number): string => `(async () => {
  const number = () => Number(document.querySelector('${cell}')?.textContent.replaceAll(',', ''));
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  if (number() === ${value}) throw new Error('The table is already sorted.');
  const began = performance.now();
  ${command};
  while (number() !== ${value}) await new Promise(requestAnimationFrame);
  await new Promise(done => setTimeout(done));
  return performance.now() - began;
})()`;

/** Measures the main thread's time for charts of a million hours and three columns, without creating the data. */
async function measureCharts(): Promise<Figure[]> {
  const harness = new Harness('chart');
  const [first, zooms]: [Times, Times] = [{ extension: [] }, { extension: [] }];
  for (let round = 0; round < rounds; round++) {
    const chartPage = await harness.open();
    await onChart(chartPage, 'make', 'million');
    const busy = await busyTimer(chartPage);
    const options = { columns: ['feeder_1', 'feeder_2', 'feeder_3'] };
    first.extension.push(await busy(() => onChart(chartPage, 'show', { frame: 'million', options })));
    zooms.extension.push((await busy(() => onChart(chartPage, 'zoomByKeys', shares.length))) / shares.length);
    const size = await chartPage.evaluate<{ width: number; height: number }>(
      "(({ width, height }) => ({ width, height }))(document.querySelector('.chart-plot canvas').getBoundingClientRect())",
    );
    for (const [name, library] of [
      ['uPlot', 'uPlot'],
      ['ECharts', 'eCharts'],
    ] as const) {
      const page = await openLibrary(library, size);
      await page.evaluate(`window.createWidget.${library}()`);
      const libraryBusy = await busyTimer(page);
      (first[name] ??= []).push(await libraryBusy(() => page.evaluate(drawScript('window.draw', [1]))));
      const zoomed = await libraryBusy(() => page.evaluate(drawScript('window.zoom', shares)));
      (zooms[name] ??= []).push(zoomed / shares.length);
      await page.context().close();
    }
    await chartPage.context().close();
  }
  return [
    ...compareProducts('page busy with the first drawing of 1,000,000 × 3', first),
    ...compareProducts('… with a zoom', zooms),
  ];
}

/** A script that calls the function with each value and waits for a frame after each, as in our chart's page. */
const drawScript = (name: string, values: readonly number[]): string => `(async () => {
  for (const value of ${JSON.stringify(values)}) {
    ${name}(value);
    await new Promise(requestAnimationFrame);
    await new Promise(done => setTimeout(done));
  }
})()`;
