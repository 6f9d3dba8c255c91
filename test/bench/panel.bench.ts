import { decode } from '../../src/core/decode/decode.ts';
import { decodeResponseBody } from '../../src/service/client/readResponse.ts';
import { call, Harness } from '../view/harness.ts';
import type { StateName } from '../view/page/states.ts';
import type { Bench, Figure } from './bench.ts';
import { createHoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';
import {
  measureCrosshairMove,
  measureFirstPaint,
  measureScrolling,
  measureSelecting,
  measureSummaries,
  measureTabSwitch,
  measureZoneSwitch,
} from './panelPage.ts';
import { measureServer, type ServerTimes } from './panelServer.ts';

const start = Date.UTC(2015, 0, 1);
const yearRows = 8760;
const tenYearsRows = 87_600;
const switchMs = 100;

/**
 * Measures the time from a response to its display, as medians of several runs: of the page in a browser (panelPage.ts) and of a
 * real VS Code (panelServer.ts).
 */
export const bench: Bench = async () => {
  return [...measureDecoding(), ...(await measurePage()), ...(await measureVsCode())];
};

/** Measures decoding bytes to rows on this thread, compared with JSON.parse of the same text in the same run. */
function measureDecoding(): Figure[] {
  return [yearRows, tenYearsRows].flatMap(rows => {
    const bytes = Buffer.from(createHoursBody(rows, start));
    const text = bytes.toString();
    const [decodeTimes, parseTimes]: [number[], number[]] = [[], []];
    for (let run = 0; run < 7; run++) {
      parseTimes.push(measureMs(() => JSON.parse(text)));
      decodeTimes.push(
        measureMs(() => {
          const body = decodeResponseBody(bytes, 'not-a-real-key');
          if (!body.ok || decode([body.value]).frame?.rowCount !== rows) throw new Error('The response was not read.');
        }),
      );
    }
    return [
      { label: `${rows} hours, bytes to rows`, value: median(decodeTimes), unit: 'ms' },
      { label: '… against JSON.parse alone', value: median(decodeTimes) / median(parseTimes), unit: '×' },
    ];
  });
}

function measureMs(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

async function measurePage(): Promise<Figure[]> {
  const harness = new Harness();
  try {
    return [
      { label: 'page, first rows of 8,760', value: await measureFirstPaint(harness, 'year'), unit: 'ms', atMost: 150 },
      {
        label: 'page, first rows of 87,600',
        value: await measureFirstPaint(harness, 'tenYears'),
        unit: 'ms',
        atMost: 400,
      },
      {
        label: 'page, first rows of 1,000,000',
        value: await measureFirstPaint(harness, 'million'),
        unit: 'ms',
        atMost: 1500,
      },
      ...(await measureTableScrolling(harness)),
      ...(await measureSwitches(harness, 'tenYears', '87,600')),
      ...(await measureSwitches(harness, 'million', '1,000,000')),
      ...(await measureWork(harness)),
    ];
  } finally {
    await harness.stop();
  }
}

async function measureTableScrolling(harness: Harness): Promise<Figure[]> {
  const { table, empty } = await measureScrolling(harness, 'million');
  return [
    { label: 'scroll 1,000,000 rows, 95th of 100 frames', value: table, unit: 'ms' },
    { label: '… an empty page', value: empty, unit: 'ms' },
    { label: '… against the empty page', value: table / empty, unit: '×', atMost: 1.2 },
  ];
}

async function measureWork(harness: Harness): Promise<Figure[]> {
  const summed = await measureSummaries(harness, 'million');
  const selected = await measureSelecting(harness, 'million');
  const fewRowsMs = await measureCrosshairMove(harness, 'table');
  const manyRowsMs = await measureCrosshairMove(harness, 'million');
  return [
    { label: 'summaries of the columns on screen, 1,000,000 rows', value: summed.total, unit: 'ms' },
    { label: '… the longest task of the page', value: summed.longest, unit: 'ms', atMost: 50 },
    { label: 'figures of all cells of 1,000,000 rows, selected', value: selected.total, unit: 'ms' },
    { label: '… the longest task of the page', value: selected.longest, unit: 'ms', atMost: 50 },
    { label: 'a crosshair move next to 1,000,000 sorted rows', value: manyRowsMs, unit: 'ms' },
    { label: '… against 168 rows', value: manyRowsMs / fewRowsMs, unit: '×', atMost: 5 },
  ];
}

async function measureSwitches(harness: Harness, state: StateName, rows: string): Promise<Figure[]> {
  const page = await harness.open();
  await call(page, 'show', state);
  const figures: Figure[] = [
    { label: `other zone, ${rows} rows`, value: await measureZoneSwitch(page), unit: 'ms', atMost: switchMs },
  ];
  for (const tab of ['chart', 'statistics', 'raw']) {
    const { first, later } = await measureTabSwitch(page, tab);
    figures.push({ label: `… to ${tab}, the first time`, value: first, unit: 'ms', atMost: switchMs });
    figures.push({ label: '… later', value: later, unit: 'ms', atMost: switchMs });
  }
  await page.context().close();
  return figures;
}

async function measureVsCode(): Promise<Figure[]> {
  await packExtension();
  const { year, tenYears } = await measureServer();
  return [
    ...compareWithCrossing('VS Code, last byte to first rows, 8,760', year, 150, 1.5),
    ...compareWithCrossing('VS Code, last byte to first rows, 87,600', tenYears, 400, 1),
  ];
}

function compareWithCrossing(
  label: string,
  runs: ServerTimes['year'],
  atMost: number,
  maxCrossingRatio: number,
): Figure[] {
  const displayTimes = runs.map(run => run.shown);
  const ratio = median(runs.map(run => run.shown / run.crossed));
  return [
    { label, value: median(displayTimes), unit: 'ms', atMost },
    { label: '… the fastest run', value: Math.min(...displayTimes), unit: 'ms' },
    { label: '… the crossing of its typed arrays alone', value: median(runs.map(run => run.crossed)), unit: 'ms' },
    { label: '… against the crossing', value: ratio, unit: '×', atMost: maxCrossingRatio },
  ];
}
