import { render } from 'lit';
import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone } from '../../../src/shared/protocol.ts';
import { Analyser } from '../../../src/core/analysis/analyse.ts';
import { shownResult } from '../../../src/presentation/result/shownRows.ts';
import { say } from '../../../src/presentation/translate.ts';
import { initialView, isRecord, type View } from '../../../src/shared/view.ts';
import type { SummaryFigure } from '../../../src/shared/summaryFigures.ts';
import type { TableState } from '../../../src/shared/protocol.ts';
import { StatisticsTab } from '../../../src/webview/result/statisticsTab.ts';
import type { TabParts } from '../../../src/webview/result/tabParts.ts';
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
  readonly filters?: View['filters'];
  readonly chosen?: string;
  readonly figures?: readonly SummaryFigure[];
  readonly numbers?: View['numbers'];
  /** The interval asked for, in milliseconds. */
  readonly step?: number;
  readonly zone?: DisplayZone;
}

function stateOf({ zone = sast, step }: StatisticsShown, frame: Frame): TableState {
  const [time] = frame.columns;
  return {
    view: 'table',
    title: 'System state',
    tools: { actions: [] },
    header: [],
    origin: { connection: 'Test', mark: '', dates: '' },
    zones: [zone],
    leastCoverage: 0.9,
    interval: '1h',
    start: time?.kind === 'time' ? (time.values[0] ?? 0) : 0,
    coverage: undefined,
    compared: [],
    frame,
    zone,
    step,
  };
}

function readColumns(chart: unknown): unknown {
  return isRecord(chart) ? chart['columns'] : undefined;
}

/** The statistics alone. */
export function mountStatistics(place: HTMLElement) {
  const announced: string[] = [];
  const chosen: string[] = [];
  const opened: { readonly tab: string; readonly columns: unknown }[] = [];
  let view: View = { ...initialView, tab: 'statistics' };
  let shown: StatisticsShown = { frame: 'week' };
  let frame: Frame = frames.week();
  const nothing = (): void => undefined;
  // What was rendered before stays with its place.
  const root = document.createElement('div');
  root.className = 'tab';
  place.replaceChildren(root);
  const draw = (): void => void render(tab.template(), root);
  const update = (): void => {
    const state = stateOf(shown, frame);
    tab.compute(state, shownResult(parts.analyser, state, view));
    draw();
    tab.show();
  };
  const parts: TabParts = {
    host: {
      locale: 'en',
      ownZone: undefined,
      announce: text => announced.push(text),
      failed: error => {
        throw error;
      },
      render: draw,
      act: nothing,
      setZone: nothing,
      requestRaw: nothing,
      tabOpened: nothing,
      pointed: nothing,
      saveFile: nothing,
      copy: nothing,
      saveView: nothing,
      savePlace: nothing,
    },
    analyser: new Analyser({ locale: 'en', say }),
    view: () => view,
    change: change => {
      if (change.chosen !== undefined) chosen.push(change.chosen);
      view = { ...view, ...change };
      update();
    },
    open: tab => opened.push({ tab, columns: readColumns(view.chart) }),
    pointed: nothing,
    zoom: nothing,
    editColumn: nothing,
    removeColumn: nothing,
    canFilter: () => false,
    rows: () => 'computed',
    reset: nothing,
  };
  const tab = new StatisticsTab(parts);
  return {
    show: (next: StatisticsShown) => {
      const {
        frame: name,
        filters = {},
        chosen: column,
        figures = initialView.figures,
        numbers = initialView.numbers,
      } = next;
      shown = next;
      frame = frames[name]();
      view = { ...view, filters, figures, numbers, chosen: column };
      update();
    },
    announced: () => announced,
    chosen: () => chosen,
    opened: () => opened,
  };
}
