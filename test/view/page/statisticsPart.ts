import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone } from '../../../src/shared/protocol.ts';
import { StatisticsView } from '../../../src/webview/statistics/statisticsView.ts';
import { chartFrames } from './chartFrames.ts';
import { systemFrame, timeColumn } from './frames.ts';

const sast: DisplayZone = { timeZone: 'Africa/Johannesburg', label: 'SAST (UTC+2)' };
const dayMs = 86_400_000;

const frames = {
  week: () => systemFrame(168),
  autumn: autumnFrame,
  mix: chartFrames.whole,
  daily: () => ({
    ...systemFrame(30),
    columns: [timeColumn(30, Date.UTC(2026, 10, 1), dayMs), ...systemFrame(30).columns.slice(1)],
  }),
  gaps: (): Frame => {
    const { rowCount, columns } = systemFrame(48, 3);
    const [time, first, second] = columns;
    if (!time || first?.kind !== 'number' || second?.kind !== 'number') throw new Error('The frame has other columns.');
    const none = { ...first, gaps: new Uint8Array(rowCount).fill(1) };
    return { rowCount, columns: [time, none, { ...second, values: new Float64Array(rowCount).fill(42.5) }] };
  },
  texts: (): Frame => ({ rowCount: 3, columns: [timeColumn(3)] }),
  untimed: () => ({ rowCount: 168, columns: systemFrame(168, 4).columns.slice(1) }),
  million: () => systemFrame(1_000_000, 21),
};

/** Thirty days around the end of summer time in Europe, with sun by day and wind that is never the same. */
function autumnFrame(): Frame {
  const rows = 720;
  const noise = (row: number) => (Math.imul(row + 7, 2_654_435_761) >>> 8) / 2 ** 24;
  const wind = (row: number) => 900 + 700 * Math.sin(row / 31) + 500 * noise(row);
  const sun = (row: number) => Math.max(0, Math.sin((((row % 24) - 6) / 12) * Math.PI)) * (1200 + 800 * noise(row));
  const [, , , , , , , , windColumn, pvColumn] = systemFrame(rows).columns;
  if (windColumn?.kind !== 'number' || pvColumn?.kind !== 'number') throw new Error('The frame has other columns.');
  const rounded = (power: (row: number) => number) =>
    Float64Array.from({ length: rows }, (_, row) => Math.round(power(row) * 10) / 10);
  return {
    rowCount: rows,
    columns: [
      timeColumn(rows, Date.UTC(2026, 9, 10)),
      { ...windColumn, values: rounded(wind) },
      { ...pvColumn, values: rounded(sun) },
      ...systemFrame(rows).columns.slice(10),
    ],
  };
}

/** How a frame is shown. */
export interface StatisticsShown {
  readonly frame: keyof typeof frames;
  /** Only every n-th row, and how many filters are said to do it. */
  readonly every?: number;
  readonly filterCount?: number;
  readonly chosen?: string;
  /** The interval asked for, in milliseconds. */
  readonly step?: number;
  readonly zone?: DisplayZone;
}

function model({ frame: name, every, filterCount = 0, chosen: column, zone = sast, step }: StatisticsShown) {
  const frame = frames[name]();
  const rows = every && Uint32Array.from({ length: Math.ceil(frame.rowCount / every) }, (_, index) => index * every);
  return {
    frame,
    locale: 'en',
    zone,
    step,
    filterCount,
    ...(rows && { rows }),
    ...(column !== undefined && { chosen: column }),
  };
}

/** The statistics alone. */
export function mountStatistics(place: Element) {
  const announced: string[] = [];
  const chosen: string[] = [];
  const view = new StatisticsView({ announce: text => announced.push(text), chosen: column => chosen.push(column) });
  place.replaceChildren(view.element);
  return {
    show: (shown: StatisticsShown) => void view.show(model(shown)),
    announced: () => announced,
    chosen: () => chosen,
  };
}
