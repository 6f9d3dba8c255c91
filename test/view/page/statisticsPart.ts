import { render } from 'lit';
import type { Frame } from '../../../src/shared/frame.ts';
import type { DisplayZone } from '../../../src/shared/protocol.ts';
import { Analyzer } from '../../../src/core/analysis/analyze.ts';
import { computeDisplayedResult } from '../../../src/presentation/result/displayedRows.ts';
import { translate } from '../../../src/presentation/translate.ts';
import { initialView, isRecord, type View } from '../../../src/shared/view.ts';
import type { SummaryFigure } from '../../../src/shared/summaryFigures.ts';
import type { TableState } from '../../../src/shared/protocol.ts';
import { StatisticsTab } from '../../../src/webview/result/statisticsTab.ts';
import type { TabDeps } from '../../../src/webview/result/tabDeps.ts';
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
    const emptyColumn = { ...first, gaps: new Uint8Array(rowCount).fill(1) };
    return { rowCount, columns: [time, emptyColumn, { ...second, values: new Float64Array(rowCount).fill(42.5) }] };
  },
  texts: (): Frame => ({ rowCount: 3, columns: [timeColumn(3)] }),
  untimed: () => ({ rowCount: 168, columns: systemFrame(168, 4).columns.slice(1) }),
  million: () => systemFrame(1_000_000, 21),
};

/** Thirty days around the end of summer time in Europe, with PV by day and irregular wind. */
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

export interface StatisticsShown {
  readonly frame: keyof typeof frames;
  readonly filters?: View['filters'];
  readonly chosen?: string;
  readonly figures?: readonly SummaryFigure[];
  readonly numbers?: View['numbers'];
  /** The requested interval in milliseconds. */
  readonly step?: number;
  readonly zone?: DisplayZone;
}

function createState({ zone = sast, step: intervalMs }: StatisticsShown, frame: Frame): TableState {
  const [time] = frame.columns;
  return {
    view: 'table',
    title: 'System state',
    tools: { actions: [] },
    header: [],
    origin: { connection: 'Test', mark: '', dates: '' },
    zones: [zone],
    minCoverage: 0.9,
    interval: '1h',
    start: time?.kind === 'time' ? (time.values[0] ?? 0) : 0,
    coverage: undefined,
    compared: [],
    frame,
    zone,
    intervalMs,
  };
}

function readColumns(chart: unknown): unknown {
  return isRecord(chart) ? chart['columns'] : undefined;
}

/** Mounts the Statistics tab alone. */
export function mountStatistics(container: HTMLElement) {
  const announced: string[] = [];
  const chosen: string[] = [];
  const opened: { readonly tab: string; readonly columns: unknown }[] = [];
  let view: View = { ...initialView, tab: 'statistics' };
  let options: StatisticsShown = { frame: 'week' };
  let frame: Frame = frames.week();
  const noop = (): void => undefined;
  // A new element, because lit keeps its state on the element of an earlier mount.
  const root = document.createElement('div');
  root.className = 'tab';
  container.replaceChildren(root);
  const draw = (): void => void render(tab.template(), root);
  const update = (): void => {
    const state = createState(options, frame);
    tab.compute(state, computeDisplayedResult(deps.analyzer, state, view));
    draw();
    tab.show();
  };
  const deps: TabDeps = {
    host: {
      locale: 'en',
      localZone: undefined,
      announce: text => announced.push(text),
      onError: error => {
        throw error;
      },
      render: draw,
      act: noop,
      setZone: noop,
      requestRaw: noop,
      onTabOpened: noop,
      onPointed: noop,
      saveFile: noop,
      copy: noop,
      saveView: noop,
      savePosition: noop,
    },
    analyzer: new Analyzer({ locale: 'en', translate }),
    view: () => view,
    changeView: change => {
      if (change.selectedColumn !== undefined) chosen.push(change.selectedColumn);
      view = { ...view, ...change };
      update();
    },
    openTab: tab => opened.push({ tab, columns: readColumns(view.chart) }),
    onPointed: noop,
    zoomChart: noop,
    editColumn: noop,
    removeColumn: noop,
    canFilter: () => false,
    getRowKind: () => 'computed',
    resetView: noop,
  };
  const tab = new StatisticsTab(deps);
  return {
    show: (next: StatisticsShown) => {
      const {
        frame: name,
        filters = {},
        chosen: column,
        figures = initialView.figures,
        numbers = initialView.numbers,
      } = next;
      options = next;
      frame = frames[name]();
      view = { ...view, filters, figures, numbers, selectedColumn: column };
      update();
    },
    announced: () => announced,
    chosen: () => chosen,
    opened: () => opened,
  };
}
