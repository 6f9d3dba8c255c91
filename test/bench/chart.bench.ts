import { computeColumnFigures, groupByPixelColumn } from '../../src/presentation/chart/decimate.ts';
import { onChart, Harness } from '../view/harness.ts';
import type { Bench, Figure } from './bench.ts';
import { busyTimer } from './busyTime.ts';
import { median } from './median.ts';

const points = 1_000_000;
const columns = 2000;
const rounds = 15;

/**
 * Measures reducing a million points to pixel columns compared with reading them once, how many points remain, and how long the
 * page is busy drawing them.
 */
export const bench: Bench = async () => {
  const x = Float64Array.from({ length: points }, (_, index) => index * 3_600_000);
  const values = Float64Array.from({ length: points }, (_, index) =>
    index % 97 === 0 ? NaN : (index * 7919) % 10_007,
  );
  const window = { start: 0, end: points * 3_600_000 };
  let remainingPoints = 0;
  // Alternates between both, so that other load affects them equally.
  const turns = Array.from({ length: rounds }, () => ({
    plain: timed(() => computeExtent(values)),
    thinned: timed(() => {
      const drawn = groupByPixelColumn(x, window, columns);
      return (remainingPoints = drawn ? computeColumnFigures(values, drawn).mean.length : points);
    }),
  }));
  const plainPass = median(turns.map(turn => turn.plain));
  const thinned = median(turns.map(turn => turn.thinned));
  return [
    { label: 'reducing 1,000,000 points to pixels', value: thinned, unit: 'ms' },
    { label: 'relative to one plain pass over them', value: thinned / plainPass, unit: 'times', atMost: 10 },
    { label: 'points remaining for 2,000 pixel columns', value: remainingPoints, unit: 'points', atMost: columns + 2 },
    ...(await pageFigures()),
  ];
};

async function pageFigures(): Promise<Figure[]> {
  const harness = new Harness('chart');
  const page = await harness.open();
  const busyMs = await busyTimer(page);
  const options = { columns: ['feeder_1', 'feeder_2', 'feeder_3'] };
  const firstMs = await busyMs(() => onChart(page, 'show', { frame: 'million', options }));
  const zooms = await busyMs(() => onChart(page, 'zoomByKeys', 30));
  const zone = await busyMs(() => onChart(page, 'setZone', { timeZone: 'UTC', label: 'UTC' }));
  /** Measures switching between time zones, each of which computes the picture again for the same frame. */
  const measureZones = async (mode: string): Promise<{ readonly busy: number; readonly longest: number }> => {
    await onChart(page, 'show', { frame: 'decade', options: { mode } });
    // Browsers report only tasks of more than 50 ms.
    await page.evaluate(`window.longest = 0;
      new PerformanceObserver(list => list.getEntries().forEach(({ duration }) => (window.longest = Math.max(window.longest, duration))))
        .observe({ type: 'longtask' });`);
    const turns: number[] = [];
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Australia/Sydney'])
      turns.push(await busyMs(() => onChart(page, 'setZone', { timeZone, label: timeZone })));
    return { busy: median(turns), longest: await page.evaluate<number>('window.longest') };
  };
  const heatmap = await measureZones('heatmap');
  const scatter = await measureZones('scatter');
  await harness.stop();
  return [
    { label: 'page busy with a heatmap of 100,000 hours', value: heatmap.busy, unit: 'ms', atMost: 150 },
    { label: '… the longest task', value: heatmap.longest, unit: 'ms', atMost: 50 },
    { label: '… with a scatter of 100,000 rows', value: scatter.busy, unit: 'ms', atMost: 150 },
    { label: '… the longest task', value: scatter.longest, unit: 'ms', atMost: 50 },
    { label: 'page busy with the first drawing of 1,000,000 × 3', value: firstMs, unit: 'ms', atMost: 1_500 },
    { label: '… with a zoom', value: zooms / 30, unit: 'ms', atMost: 150 },
    { label: '… with another zone', value: zone, unit: 'ms', atMost: 300 },
  ];
}

/** Returns the difference between the largest and smallest value, which every chart needs. */
function computeExtent(values: Float64Array): number {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return max - min;
}

function timed(act: () => number): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}
