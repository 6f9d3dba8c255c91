import { columnFigures, pixelColumns } from '../../src/presentation/chart/decimate.ts';
import { onChart, Harness } from '../view/harness.ts';
import type { Bench, Figure } from './bench.ts';
import { busyTimer } from './busyTime.ts';
import { median } from './median.ts';

const points = 1_000_000;
const columns = 2000;
const rounds = 15;

/**
 * What it costs to draw a million points by columns of pixels, against reading them once; how many are left to draw; and how long
 * the page is busy with drawing them.
 */
export const bench: Bench = async () => {
  const x = Float64Array.from({ length: points }, (_, index) => index * 3_600_000);
  const values = Float64Array.from({ length: points }, (_, index) =>
    index % 97 === 0 ? NaN : (index * 7919) % 10_007,
  );
  const window = { start: 0, end: points * 3_600_000 };
  let kept = 0;
  // In turns, so that both meet the same machine.
  const turns = Array.from({ length: rounds }, () => ({
    plain: timed(() => greatest(values)),
    thinned: timed(() => {
      const drawn = pixelColumns(x, window, columns);
      return (kept = drawn ? columnFigures(values, drawn).mean.length : points);
    }),
  }));
  const plain = median(turns.map(turn => turn.plain));
  const thinned = median(turns.map(turn => turn.thinned));
  return [
    { what: 'draw 1,000,000 points by pixels', value: thinned, unit: 'ms' },
    { what: 'against one plain pass over them', value: thinned / plain, unit: 'times', atMost: 10 },
    { what: 'points left for 2,000 pixel columns', value: kept, unit: 'points', atMost: columns + 2 },
    ...(await pageFigures()),
  ];
};

async function pageFigures(): Promise<Figure[]> {
  const harness = new Harness('chart');
  const page = await harness.open();
  const busyMs = await busyTimer(page);
  const options = { columns: ['feeder_1', 'feeder_2', 'feeder_3'] };
  const first = await busyMs(() => onChart(page, 'show', { frame: 'million', options }));
  const zooms = await busyMs(() => onChart(page, 'zoomByKeys', 30));
  const zone = await busyMs(() => onChart(page, 'setZone', { timeZone: 'UTC', label: 'UTC' }));
  /** The median of other zones, for each of which the picture is worked out anew; the frame stays. */
  const busyWith = async (mode: string): Promise<{ readonly busy: number; readonly longest: number }> => {
    await onChart(page, 'show', { frame: 'decade', options: { mode } });
    // Only tasks of more than 50 ms are told.
    await page.evaluate(`window.longest = 0;
      new PerformanceObserver(list => list.getEntries().forEach(({ duration }) => (window.longest = Math.max(window.longest, duration))))
        .observe({ type: 'longtask' });`);
    const turns: number[] = [];
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney'])
      turns.push(await busyMs(() => onChart(page, 'setZone', { timeZone, label: timeZone })));
    return { busy: median(turns), longest: await page.evaluate<number>('window.longest') };
  };
  const heatmap = await busyWith('heatmap');
  const scatter = await busyWith('scatter');
  await harness.stop();
  return [
    { what: 'page busy with a heatmap of 100,000 hours', value: heatmap.busy, unit: 'ms', atMost: 150 },
    { what: '… the longest task', value: heatmap.longest, unit: 'ms', atMost: 50 },
    { what: '… with a scatter of 100,000 rows', value: scatter.busy, unit: 'ms', atMost: 150 },
    { what: '… the longest task', value: scatter.longest, unit: 'ms', atMost: 50 },
    { what: 'page busy with the first drawing of 1,000,000 × 3', value: first, unit: 'ms', atMost: 1_500 },
    { what: '… with a zoom', value: zooms / 30, unit: 'ms', atMost: 150 },
    { what: '… with another zone', value: zone, unit: 'ms', atMost: 300 },
  ];
}

/** The smallest and largest value, as any chart must find them. */
function greatest(values: Float64Array): number {
  let least = Infinity;
  let most = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}

function timed(act: () => number): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
