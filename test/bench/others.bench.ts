import type { Page } from 'playwright-core';
import { onChart, call, Harness } from '../view/harness.ts';
import { expectedValue } from '../view/page/frames.ts';
import type { Bench, Figure } from './bench.ts';
import { busyTimer } from './busyTime.ts';
import { against, median } from './median.ts';
import { installLibraries, openLibrary, type Library } from './others/libraryPage.ts';

const rowCount = 1_000_000;
const turns = 3;
const jumps = 120;
/** What the keys of our chart show by turns: half as much five times, then twice as much. */
const shares = [2, 4, 8, 16, 32, 16, 8, 4, 2, 1].map(part => 1 / part);

/** A grid on a page: what scrolls, the cell of the first row in a column, and the code that sorts. */
interface GridPage {
  readonly page: Page;
  readonly scroller: string;
  readonly cell: (column: number) => string;
  readonly sort: (column: number, direction: number) => string;
}

/** One figure of each product a turn, ours under `own`. */
type Times = Record<'own', number[]> & Record<string, number[]>;

/**
 * The panel's table and chart beside what others would build them with: the same data, the same browser, by turns. The other grids have as
 * many rows and columns in view as ours; each library is set up as its documentation advises (others/setUp.js).
 */
export const bench: Bench = async () => {
  const missing = await installLibraries();
  if (missing === undefined) return [...(await gridFigures()), ...(await chartFigures())];
  console.log(`  skipped, because ${missing}.`);
  return [];
};

/**
 * What ours took, against each of the others. uPlot is not a bound: it draws three lines, where our chart also draws their ranges, the strip
 * with the whole result below, and says what the window comes to.
 */
function besides(what: string, times: Times): Figure[] {
  return [
    { what, value: median(times.own), unit: 'ms' },
    ...Object.entries(times)
      .filter(([name]) => name !== 'own')
      .map(([name, theirs]) => ({
        what: `… against ${name}`,
        value: against(times.own, theirs),
        unit: '×',
        ...(name !== 'uPlot' && { atMost: 1 }),
      })),
  ];
}

async function gridFigures(): Promise<Figure[]> {
  const grids = await openGrids();
  const [gaps, drawn, sorts]: [Times, Times, Times] = [{ own: [] }, { own: [] }, { own: [] }];
  for (let turn = 0; turn < turns; turn++)
    for (const [name, { page, scroller }] of Object.entries(grids)) {
      // A page in the background draws no frames.
      await page.bringToFront();
      const [gap, share] = await page.evaluate<[number, number]>(scrollThrough(scroller));
      (gaps[name] ??= []).push(gap);
      (drawn[name] ??= []).push(share);
    }
  for (const column of [1, 2])
    for (const direction of [1, -1, 0])
      for (const [name, { page, cell, sort }] of Object.entries(grids)) {
        await page.bringToFront();
        const first = firstValue(column, direction);
        const took = await page.evaluate<number>(untilShown(sort(column, direction), cell(column), first));
        if (direction !== 0) (sorts[name] ??= []).push(took);
      }
  for (const { page } of Object.values(grids)) await page.context().close();
  return [
    ...besides(`scroll 1,000,000 × 20, 95th percentile of ${jumps} frames`, gaps),
    ...Object.entries(drawn).map(([name, parts]) => {
      return { what: `… frames with the rows of their place, ${name}`, value: 100 * median(parts), unit: '%' };
    }),
    ...besides('sort 1,000,000 × 20, from the command to the first frame', sorts),
  ];
}

async function openGrids(): Promise<Readonly<Record<string, GridPage>>> {
  const own = await new Harness().open();
  own.setDefaultTimeout(0);
  await call(own, 'show', 'million');
  const height = await own.evaluate<number>("document.querySelector('.grid-scroller').clientHeight");
  const rowHeight = await own.evaluate<number>("document.querySelector('.grid-row').offsetHeight");
  const open = async (library: Library): Promise<Page> => {
    const page = await openLibrary(library, { width: 1100, height });
    await page.evaluate(`window.others.${library}({ rowHeight: ${rowHeight}, width: 110 })`);
    return page;
  };
  const sort = (column: number, direction: number): string => `window.sort(${column}, ${direction})`;
  return {
    own: {
      page: own,
      scroller: '.grid-scroller',
      cell: column => `[aria-rowindex="2"]:not([hidden]) [aria-colindex="${column + 1}"]:not([hidden])`,
      // One click after the other: ascending, descending, not at all.
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

/** The number in the first row of a table that is sorted by the column so; all numbers stand in the first 24 × 97 rows. */
function firstValue(column: number, direction: number): number {
  const values = Array.from({ length: 24 * 97 }, (_, row) => expectedValue(row, column - 1));
  if (direction === 0) return values[0] ?? NaN;
  return direction > 0 ? Math.min(...values) : Math.max(...values);
}

/**
 * Runs in a page: the 95th percentile of the time between frames while the scrollbar jumps through everything, and the share of these
 * frames with the right row in their middle, give or take a hundredth of all: a grid may put off what it has no time for.
 */
const scrollThrough = (scroller: string): string => `(async () => {
  const [scroller, gaps] = [document.querySelector('${scroller}'), []];
  const way = scroller.scrollHeight - scroller.clientHeight;
  const { x, y, width, height } = scroller.getBoundingClientRect();
  let drawn = 0;
  let last = performance.now();
  for (let step = 0; step < ${jumps}; step++) {
    const place = ((step * 37) % ${jumps}) / ${jumps};
    scroller.scrollTop = way * place;
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - last);
    last = performance.now();
    // What others do before the frame is drawn belongs to it.
    await new Promise(done => setTimeout(done));
    const row = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[aria-rowindex], [data-row]');
    const index = Number(row?.ariaRowIndex ?? row?.dataset.row ?? NaN);
    if (Math.abs(index / ${rowCount} - place) < 0.01) drawn++;
  }
  scroller.scrollTop = 0;
  return [gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.95)], drawn / ${jumps}];
})()`;

/** Runs in a page at rest: milliseconds from the command until the first frame with the number in the cell was drawn. */
const untilShown = (command: string, cell: string, value: number): string => `(async () => {
  const number = () => Number(document.querySelector('${cell}')?.textContent.replaceAll(',', ''));
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  if (number() === ${value}) throw new Error('sorted already');
  const began = performance.now();
  ${command};
  while (number() !== ${value}) await new Promise(requestAnimationFrame);
  await new Promise(done => setTimeout(done));
  return performance.now() - began;
})()`;

/** The main thread's busy time with a million hours of three columns; their making is not in it. */
async function chartFigures(): Promise<Figure[]> {
  const harness = new Harness('chart');
  const [first, zooms]: [Times, Times] = [{ own: [] }, { own: [] }];
  for (let turn = 0; turn < turns; turn++) {
    const own = await harness.open();
    await onChart(own, 'make', 'million');
    const busy = await busyTimer(own);
    const options = { columns: ['feeder_1', 'feeder_2', 'feeder_3'] };
    first.own.push(await busy(() => onChart(own, 'show', { frame: 'million', options })));
    zooms.own.push((await busy(() => onChart(own, 'zoomByKeys', shares.length))) / shares.length);
    const size = await own.evaluate<{ width: number; height: number }>(
      "(({ width, height }) => ({ width, height }))(document.querySelector('.chart-plot canvas').getBoundingClientRect())",
    );
    for (const [name, library] of [
      ['uPlot', 'uPlot'],
      ['ECharts', 'eCharts'],
    ] as const) {
      const page = await openLibrary(library, size);
      await page.evaluate(`window.others.${library}()`);
      const busyThere = await busyTimer(page);
      (first[name] ??= []).push(await busyThere(() => page.evaluate(eachDrawn('window.draw', [1]))));
      const zoomed = await busyThere(() => page.evaluate(eachDrawn('window.zoom', shares)));
      (zooms[name] ??= []).push(zoomed / shares.length);
      await page.context().close();
    }
    await own.context().close();
  }
  return [...besides('page busy with the first drawing of 1,000,000 × 3', first), ...besides('… with a zoom', zooms)];
}

/** Runs in a page: calls the function with each value, each drawn as in our chart's page. */
const eachDrawn = (name: string, values: readonly number[]): string => `(async () => {
  for (const value of ${JSON.stringify(values)}) {
    ${name}(value);
    await new Promise(requestAnimationFrame);
    await new Promise(done => setTimeout(done));
  }
})()`;
