import { describeFormula } from '../../core/analysis/describeAnalysis.ts';
import { Analyzer, type AnalysisResult } from '../../core/analysis/analyze.ts';
import { describeResampling } from '../../core/bins/resampleFrame.ts';
import { describeEvents } from '../../core/events/eventFrame.ts';
import { describeScorecard } from '../../core/forecast/scorecard.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { ExportColumn, ExportScope, ExportTable, ExportTables } from '../../shared/exportOptions.ts';
import type { Frame } from '../../shared/frame.ts';
import type { ShownColumn, ShownSelection, TableState } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import type { View, ResultTab, SerializedView } from '../../shared/view.ts';
import { sortChartTable, tabulateChart, createDisplayedChart } from '../chart/displayedChart.ts';
import { computeEventsTab } from '../events/eventsTabContent.ts';
import { computeForecastTab } from '../forecast/forecastTabContent.ts';
import { computeDisplayedResult } from '../result/displayedRows.ts';
import { parseChartOptions } from '../chart/chartOptions.ts';
import { getOpenTab } from '../result/tabs.ts';
import { computeStatisticsTab } from '../statistics/statisticsTabContent.ts';
import { listTableColumns } from '../table/tableColumns.ts';
import { translate } from '../translate.ts';

/** A result; `received` has the rows as received if `frame` is a comparison. */
type ExportedResult = Pick<Result, 'frame'> & { readonly received?: Frame };

/** A result with the view that a panel has of it. The texts of `state` are translated, as sent to the page. */
export interface DisplayedPanel {
  readonly state: TableState;
  readonly view: View;
}

/** The rows and columns of a displayed table. */
interface DisplayedTable {
  readonly frame: Frame;
  readonly order: Uint32Array | undefined;
  /** The visible columns in their displayed order. */
  readonly columns: readonly ShownColumn[];
  /** The kind of chart, or "statistics", if the table contains the numbers of a chart or of the statistics instead of rows. */
  readonly chart?: string;
}

/** The table of the open tab. */
export interface TabTableData extends DisplayedTable {
  /** The analysis that computes its rows. */
  readonly analysis: Analysis;
  readonly analyzed: AnalysisResult;
  /** Whether it differs from the rows as received. */
  readonly isChanged: boolean;
}

/** Creates the table that a panel displays. Returns undefined if the open tab does not have a table. `frame` has the service's column names. */
export function createTabTable(
  { state: translatedState, view }: DisplayedPanel,
  frame: Frame,
  locale: string,
): TabTableData | undefined {
  const analyzer = new Analyzer({ locale, translate });
  const state = { ...translatedState, frame };
  const tab = getOpenTab(frame, view);
  const displayed = computeDisplayedResult(analyzer, state, { ...view, tab });
  if (tab === 'events' || tab === 'forecast' || tab === 'statistics') {
    const tabComputations = {
      events: () => computeEventsTab(analyzer, state, view, locale),
      forecast: () => computeForecastTab(analyzer, state, view, locale),
      statistics: () => computeStatisticsTab(analyzer, state, view, displayed, locale),
    };
    const { analysis } = tabComputations[tab]()?.rows ?? {};
    const analyzed = analysis && analyzer.analyze(state, analysis);
    const columns =
      analyzed && listVisibleColumns(analyzed.frame, translatedState, getTabView(view, tab), 'computed', locale);
    if (!columns) return undefined;
    const tabTable = { analysis, analyzed, frame: analyzed.frame, order: analyzed.order, columns, isChanged: true };
    return { ...tabTable, ...(tab === 'statistics' && { chart: tab }) };
  }
  const chartTable = tab === 'chart' ? createChartTable(analyzer, { state: translatedState, view }, locale) : undefined;
  const { analysis, analyzed, state: rows } = displayed;
  if (chartTable) return { ...chartTable, analysis, analyzed, isChanged: true };
  const kind = analyzed.resampling ? 'resampled' : 'received';
  const columns = listVisibleColumns(analyzed.frame, rows, view, kind, locale);
  const dataColumns = columns.filter(({ isEnd }) => !isEnd);
  const isChanged =
    Object.keys(analysis).length > 0 ||
    dataColumns.length !== analyzed.frame.columns.length ||
    dataColumns.some(({ name }, index) => analyzed.frame.columns[index]?.name !== name);
  return { analysis, analyzed, frame: analyzed.frame, order: analyzed.order, columns, isChanged };
}

/** Creates the table of the chart's numbers if the view displays one. */
function createChartTable(
  analyzer: Analyzer,
  { state, view }: DisplayedPanel,
  locale: string,
): DisplayedTable | undefined {
  if (!parseChartOptions(view.chart, state.frame).asTable) return undefined;
  const displayed = computeDisplayedResult(analyzer, state, view);
  const { model, options } = createDisplayedChart(displayed, view, locale);
  const chartFrame = tabulateChart(model, options);
  if (!chartFrame) return undefined;
  const { frame, order } = sortChartTable(analyzer, displayed.state, view, chartFrame);
  const columns = listVisibleColumns(frame, displayed.state, getTabView(view, 'chart'), 'computed', locale);
  return { frame, order, columns, chart: options.mode };
}

function getTabView(view: View, tab: ResultTab): View {
  return { ...view, arrangement: view.tables[tab]?.arrangement };
}

function listVisibleColumns(...args: Parameters<typeof listTableColumns>): readonly ShownColumn[] {
  // A column whose `source` is another column contains the ends of its intervals.
  return listTableColumns(...args).map(({ name, source = name }): ShownColumn =>
    source === name ? { name } : { name: source, isEnd: true },
  );
}

/**
 * Lists the tables that can be exported: the rows as received, the displayed table and the selection. `hasIntervalEnds` adds the end of each
 * interval to the rows as received.
 */
export function createExportTables(
  { frame, received: receivedFrame = frame }: ExportedResult,
  tabTable: TabTableData | undefined,
  selection: ShownSelection | undefined,
  intervalMs: number | undefined,
  hasIntervalEnds: boolean,
): ExportTables {
  if (!frame || !receivedFrame) return {};
  const received: ExportTable = {
    frame: receivedFrame,
    intervalMs,
    ...(hasIntervalEnds && { columns: listColumnsWithEnds(receivedFrame) }),
  };
  if (!tabTable) return { asReceived: received };
  const { frame: displayedFrame, order, columns, chart } = tabTable;
  const { resampling, events, scorecard, derived } = tabTable.analyzed;
  const createTable = (rows: Uint32Array | undefined, columns: readonly ShownColumn[]): ExportTable => ({
    frame: displayedFrame,
    intervalMs,
    rows,
    columns: columns.flatMap(column => findExportColumn(displayedFrame, column)),
    ...(resampling && { resampled: describeResampling(resampling) }),
    ...(events && { events: describeEvents(events) }),
    ...(derived.length > 0 && {
      derived: Object.fromEntries(derived.map(column => [column.name, describeFormula(column)])),
    }),
    ...(scorecard && { scorecard: describeScorecard(scorecard) }),
    ...(chart !== undefined && { chart }),
  });
  const onScreen = createTable(order, columns);
  if (!selection) return { onScreen, asReceived: received };
  const [first, last] = selection.rows;
  const selected = order?.slice(first, last + 1) ?? listRows(first, Math.min(last, displayedFrame.rowCount - 1));
  return { onScreen, asReceived: received, selection: createTable(selected, selection.columns) };
}

function listRows(first: number, last: number): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/**
 * Returns the view with which an exported file looks like the panel. It omits the analysis that has already been applied to the file's rows.
 * Returns undefined for the rows of a chart, of events or of a scorecard.
 */
export function createFileView(
  view: SerializedView,
  scope: ExportScope,
  tabTable: TabTableData | undefined,
): SerializedView | undefined {
  if (scope === 'asReceived') return view;
  const { find, score } = tabTable?.analysis ?? {};
  if (tabTable?.chart ?? find ?? score) return undefined;
  const { derive: _derive, where: _where, resample: _resample, figures: _figures, ...analysis } = view.analysis ?? {};
  return { ...view, analysis };
}

/** Lists all columns, with the end of each interval after the time column. */
function listColumnsWithEnds(frame: Frame): ExportColumn[] {
  const time = findTimeColumn(frame);
  return frame.columns.flatMap((column, index): ExportColumn[] => (column === time ? [index, 'intervalEnd'] : [index]));
}

function findExportColumn({ columns }: Frame, { name, isEnd }: ShownColumn): ExportColumn | [] {
  if (isEnd) return 'intervalEnd';
  const index = columns.findIndex(column => column.name === name);
  return index < 0 ? [] : index;
}
