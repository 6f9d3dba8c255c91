import { Analyser, type AnalysisResult } from '../../core/analysis/analyse.ts';
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
import { chartNumbers, drawnNumbers, shownChart } from '../chart/shownChart.ts';
import { shownEvents } from '../events/shownEvents.ts';
import { shownScore } from '../forecast/shownScore.ts';
import { shownResult } from '../result/shownRows.ts';
import { readChartOptions } from '../chart/chartOptions.ts';
import { openTab } from '../result/tabs.ts';
import { shownSummary } from '../statistics/shownSummary.ts';
import { tableColumns } from '../table/tableColumns.ts';
import { say } from '../translate.ts';

/** A result; `received` has the rows as received if `frame` is a comparison. */
type ExportedResult = Pick<Result, 'frame'> & { readonly received?: Frame };

/** A result with the view that a panel has of it. The texts of `state` are translated, as sent to the page. */
export interface ShownPanel {
  readonly state: TableState;
  readonly view: View;
}

/** The table of the open tab. */
export interface ShownTable {
  /** The analysis that computes its rows. */
  readonly analysis: Analysis;
  readonly analysed: AnalysisResult;
  readonly frame: Frame;
  readonly order: Uint32Array | undefined;
  /** The visible columns in their displayed order. */
  readonly columns: readonly ShownColumn[];
  /** Set if the table has the numbers of a chart or of the statistics instead of rows: the chart's kind, or "statistics". */
  readonly chart?: string;
  /** Whether it differs from the rows as received. */
  readonly isChanged: boolean;
}

/** Creates the table that a panel displays; undefined if its tab has none. `frame` has the service's column names. */
export function shownTable({ state: inWords, view }: ShownPanel, frame: Frame, locale: string): ShownTable | undefined {
  const analyser = new Analyser({ locale, say });
  const state = { ...inWords, frame };
  const tab = openTab(frame, view);
  const shown = shownResult(analyser, state, { ...view, tab });
  if (tab === 'events' || tab === 'forecast' || tab === 'statistics') {
    const shows = {
      events: () => shownEvents(analyser, state, view, locale),
      forecast: () => shownScore(analyser, state, view, locale),
      statistics: () => shownSummary(analyser, state, view, shown, locale),
    };
    const { analysis } = shows[tab]()?.rows ?? {};
    const analysed = analysis && analyser.analyse(state, analysis);
    const columns = analysed && columnsOf(analysed.frame, inWords, viewOf(view, tab), 'computed', locale);
    if (!columns) return undefined;
    const ofTab = { analysis, analysed, frame: analysed.frame, order: analysed.order, columns, isChanged: true };
    return { ...ofTab, ...(tab === 'statistics' && { chart: tab }) };
  }
  const numbers = tab === 'chart' ? numbersOf(analyser, { state: inWords, view }, locale) : undefined;
  const { analysis, analysed, state: rows } = shown;
  if (numbers) return { ...numbers, analysis, analysed, isChanged: true };
  const kind = analysed.resampling ? 'resampled' : 'received';
  const columns = columnsOf(analysed.frame, rows, view, kind, locale);
  const own = columns.filter(({ isEnd }) => !isEnd);
  const isChanged =
    Object.keys(analysis).length > 0 ||
    own.length !== analysed.frame.columns.length ||
    own.some(({ name }, at) => analysed.frame.columns[at]?.name !== name);
  return { analysis, analysed, frame: analysed.frame, order: analysed.order, columns, isChanged };
}

/** The numbers of the chart if the view displays them as a table. */
function numbersOf(
  analyser: Analyser,
  { state, view }: ShownPanel,
  locale: string,
): Pick<ShownTable, 'frame' | 'order' | 'columns' | 'chart'> | undefined {
  if (!readChartOptions(view.chart, state.frame).asTable) return undefined;
  const shown = shownResult(analyser, state, view);
  const { model, options } = shownChart(shown, view, locale);
  const drawn = drawnNumbers(model, options);
  if (!drawn) return undefined;
  const { frame, order } = chartNumbers(analyser, shown.state, view, drawn);
  const columns = columnsOf(frame, shown.state, viewOf(view, 'chart'), 'computed', locale);
  return { frame, order, columns, chart: options.mode };
}

function viewOf(view: View, tab: ResultTab): View {
  return { ...view, arrangement: view.tables[tab]?.arrangement };
}

function columnsOf(...shown: Parameters<typeof tableColumns>): readonly ShownColumn[] {
  // A column with another source is the end of that column's intervals.
  return tableColumns(...shown).map(({ name, source = name }): ShownColumn =>
    source === name ? { name } : { name: source, isEnd: true },
  );
}

/**
 * Lists the tables that can be exported: the rows as received, the displayed table and the selection. `withEnds` adds the end of each
 * interval to the rows as received.
 */
export function exportTables(
  { frame, received: ofService = frame }: ExportedResult,
  shown: ShownTable | undefined,
  selection: ShownSelection | undefined,
  stepMs: number | undefined,
  withEnds: boolean,
): ExportTables {
  if (!frame || !ofService) return {};
  const received: ExportTable = { frame: ofService, stepMs, ...(withEnds && { columns: columnsWithEnds(ofService) }) };
  if (!shown) return { asReceived: received };
  const { frame: seen, order, columns, chart } = shown;
  const { resampling, events, scorecard, derived } = shown.analysed;
  const cut = (rows: Uint32Array | undefined, columns: readonly ShownColumn[]): ExportTable => ({
    frame: seen,
    stepMs,
    rows,
    columns: columns.flatMap(column => placeOf(seen, column)),
    ...(resampling && { resampled: describeResampling(resampling) }),
    ...(events && { events: describeEvents(events) }),
    ...(derived.length > 0 && { derived: Object.fromEntries(derived.map(({ name, formula }) => [name, formula])) }),
    ...(scorecard && { scorecard: describeScorecard(scorecard) }),
    ...(chart !== undefined && { chart }),
  });
  const onScreen = cut(order, columns);
  if (!selection) return { onScreen, asReceived: received };
  const [first, last] = selection.rows;
  const selected = order?.slice(first, last + 1) ?? rowsBetween(first, Math.min(last, seen.rowCount - 1));
  return { onScreen, asReceived: received, selection: cut(selected, selection.columns) };
}

function rowsBetween(first: number, last: number): Uint32Array {
  return Uint32Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/**
 * Returns the view that displays an exported file like the panel. It omits the analysis that the file's rows have already gone through.
 * Undefined if the rows are those of a chart, events or a scorecard.
 */
export function viewOfTable(
  view: SerializedView,
  scope: ExportScope,
  shown: ShownTable | undefined,
): SerializedView | undefined {
  if (scope === 'asReceived') return view;
  const { find, score } = shown?.analysis ?? {};
  if (shown?.chart ?? find ?? score) return undefined;
  const { derive: _derive, where: _where, resample: _resample, figures: _figures, ...analysis } = view.analysis ?? {};
  return { ...view, analysis };
}

/** Lists all columns, with the end of each interval after the time column. */
function columnsWithEnds(frame: Frame): ExportColumn[] {
  const time = findTimeColumn(frame);
  return frame.columns.flatMap((column, at): ExportColumn[] => (column === time ? [at, 'intervalEnd'] : [at]));
}

function placeOf({ columns }: Frame, { name, isEnd }: ShownColumn): ExportColumn | [] {
  if (isEnd) return 'intervalEnd';
  const at = columns.findIndex(column => column.name === name);
  return at < 0 ? [] : at;
}
