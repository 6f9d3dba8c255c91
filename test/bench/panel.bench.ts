import { decode } from '../../src/core/decode/decode.ts';
import { decodeBody } from '../../src/service/client/readResponse.ts';
import { call, Harness } from '../view/harness.ts';
import type { StateName } from '../view/page/states.ts';
import type { Bench, Figure } from './bench.ts';
import { hoursBody } from './hoursBody.ts';
import { median } from './median.ts';
import { packExtension } from './packExtension.ts';
import { crosshairMove, firstPaint, scrolling, selecting, summaries, tabSwitch, zoneSwitch } from './panelPage.ts';
import { measureServer, type ServerTimes } from './panelServer.ts';

const start = Date.UTC(2015, 0, 1);
const [yearRows, tenYearsRows] = [8760, 87_600];
const switchMs = 100;

/**
 * What stands between an answer and its reader. Medians of several runs; how each is taken stands at its function:
 * panelPage.ts (the page alone, in a browser), panelServer.ts (a real VS Code, whole).
 */
export const bench: Bench = async () => {
  return [...readFigures(), ...(await pageFigures()), ...(await serverFigures())];
};

/** Bytes to JSON and JSON to rows, on this thread alone, beside JSON.parse of the same text in the same run. */
function readFigures(): Figure[] {
  return [yearRows, tenYearsRows].flatMap(rows => {
    const bytes = Buffer.from(hoursBody(rows, start));
    const text = bytes.toString();
    const [read, bare]: [number[], number[]] = [[], []];
    for (let run = 0; run < 7; run++) {
      bare.push(timeOf(() => JSON.parse(text)));
      read.push(
        timeOf(() => {
          const body = decodeBody(bytes, 'not-a-real-key');
          if (!body.ok || decode([body.value]).frame?.rowCount !== rows) throw new Error('not read');
        }),
      );
    }
    return [
      { what: `${rows} hours, bytes to rows`, value: median(read), unit: 'ms' },
      { what: '… against JSON.parse alone', value: median(read) / median(bare), unit: '×' },
    ];
  });
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

async function pageFigures(): Promise<Figure[]> {
  const harness = new Harness();
  try {
    return [
      { what: 'page, first rows of 8,760', value: await firstPaint(harness, 'year'), unit: 'ms', atMost: 150 },
      { what: 'page, first rows of 87,600', value: await firstPaint(harness, 'tenYears'), unit: 'ms', atMost: 400 },
      { what: 'page, first rows of 1,000,000', value: await firstPaint(harness, 'million'), unit: 'ms', atMost: 1500 },
      ...(await scrollFigures(harness)),
      ...(await switchFigures(harness, 'tenYears', '87,600')),
      ...(await switchFigures(harness, 'million', '1,000,000')),
      ...(await workFigures(harness)),
    ];
  } finally {
    await harness.stop();
  }
}

async function scrollFigures(harness: Harness): Promise<Figure[]> {
  const { table, empty } = await scrolling(harness, 'million');
  return [
    { what: 'scroll 1,000,000 rows, 95th of 100 frames', value: table, unit: 'ms' },
    { what: '… an empty page', value: empty, unit: 'ms' },
    { what: '… against the empty page', value: table / empty, unit: '×', atMost: 1.2 },
  ];
}

async function workFigures(harness: Harness): Promise<Figure[]> {
  const [summed, selected] = [await summaries(harness, 'million'), await selecting(harness, 'million')];
  const [few, many] = [await crosshairMove(harness, 'table'), await crosshairMove(harness, 'million')];
  return [
    { what: 'summaries of the columns on screen, 1,000,000 rows', value: summed.all, unit: 'ms' },
    { what: '… the longest task of the page', value: summed.longest, unit: 'ms', atMost: 50 },
    { what: 'figures of all cells of 1,000,000 rows, selected', value: selected.all, unit: 'ms' },
    { what: '… the longest task of the page', value: selected.longest, unit: 'ms', atMost: 50 },
    { what: 'a move of the crosshair beside 1,000,000 sorted rows', value: many, unit: 'ms' },
    { what: '… against 168 rows', value: many / few, unit: '×', atMost: 5 },
  ];
}

async function switchFigures(harness: Harness, state: StateName, rows: string): Promise<Figure[]> {
  const page = await harness.open();
  await call(page, 'show', state);
  const figures: Figure[] = [
    { what: `other zone, ${rows} rows`, value: await zoneSwitch(page), unit: 'ms', atMost: switchMs },
  ];
  for (const tab of ['chart', 'statistics', 'raw']) {
    const { first, later } = await tabSwitch(page, tab);
    figures.push({ what: `… to ${tab}, the first time`, value: first, unit: 'ms', atMost: switchMs });
    figures.push({ what: '… later', value: later, unit: 'ms', atMost: switchMs });
  }
  await page.context().close();
  return figures;
}

async function serverFigures(): Promise<Figure[]> {
  await packExtension();
  const { year, tenYears } = await measureServer();
  return [
    ...beside('VS Code, last byte to first rows, 8,760', year, 150, 1.5),
    ...beside('VS Code, last byte to first rows, 87,600', tenYears, 400, 1),
  ];
}

function beside(what: string, turns: ServerTimes['year'], atMost: number, mostCrossings: number): Figure[] {
  const shown = turns.map(turn => turn.shown);
  const ratio = median(turns.map(turn => turn.shown / turn.crossed));
  return [
    { what, value: median(shown), unit: 'ms', atMost },
    { what: '… the fastest run', value: Math.min(...shown), unit: 'ms' },
    { what: '… the crossing of its typed arrays alone', value: median(turns.map(turn => turn.crossed)), unit: 'ms' },
    { what: '… against the crossing', value: ratio, unit: '×', atMost: mostCrossings },
  ];
}
