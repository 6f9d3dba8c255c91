import { listResamplingChoices, type AnalysisResult, type Analyzer } from '../../core/analysis/analyze.ts';
import { binLengthsMs } from '../../core/analysis/rowIntervals.ts';
import { listComparedPairs } from '../../core/compare/compareFrames.ts';
import type { SummaryInput } from '../../core/statistics/summaryFrame.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { isCycle } from '../../shared/resampling.ts';
import { intervalState } from '../../shared/result.ts';
import { toAnalysis, type View } from '../../shared/view.ts';
import { formatBinsTitle } from '../columns/binNames.ts';
import { describeIntervalState } from '../coverage/coverageFormatter.ts';
import { translateFrame } from '../translate.ts';

/** The rows that a table displays. */
export interface DisplayedRows {
  /** The frame of the result. If missing intervals are displayed, each of them has a row. */
  readonly frame: Frame;
  /** The length of the requested interval in milliseconds, if it is known. */
  readonly intervalMs: number | undefined;
  /** Frame rows in display order; undefined for all rows in the order of the frame. */
  readonly order: Uint32Array | undefined;
  readonly rowCount: number;
  /** The number of received rows. All other rows are placeholders for missing intervals. */
  readonly receivedCount: number;
  /** The number of missing intervals that exceed the table's limit. */
  readonly omittedCount: number;
  /** Explains why a row has no values. */
  readonly getNote: ((row: number) => string | undefined) | undefined;
}

/** The rows of a result for its table, its chart and its statistics. */
export interface DisplayedResult {
  /** The analysis that computes the rows of the table. */
  readonly analysis: Analysis;
  readonly analyzed: AnalysisResult;
  /** The result with its received and derived columns, or with its resampled rows. The columns are translated. */
  readonly state: TableState;
  readonly rows: DisplayedRows;
  /**
   * Computes the rows of the chart: with all figures, whichever the table displays, and of the whole time range even if the table is limited
   * to the chart's window. `rows` are in the order of the data; undefined for all.
   */
  readonly computeChartRows: () => ChartRows;
  /** Computes the rows that the statistics summarize, with untranslated columns. */
  readonly computeStatisticsRows: () => SummaryInput;
}

export interface ChartRows {
  readonly state: TableState;
  readonly rows: Uint32Array | undefined;
}

/** Computes the rows that a view displays of a result in the tabs without a table of their own. */
export function computeDisplayedResult(analyzer: Analyzer, received: TableState, view: View): DisplayedResult {
  const { rowsWithDerived } = analyzer.derive(received, view.derived);
  const resample = listResamplingChoices(rowsWithDerived).find(choice => choice === view.resample);
  const missingRows = view.missingRows && resample === undefined;
  // In the split tab the table is always limited to the chart's window.
  const linked = view.linked || view.tab === 'split';
  const analysis = toAnalysis({ ...view, resample, missingRows, linked });
  const analyzed = analyzer.analyze(received, analysis);
  const { missing: _missing, sort: _sort, within, ...filtered } = analysis;
  const state = {
    ...received,
    ...(analyzed.resampling ? getResampledState(received, analyzed) : { frame: rowsWithDerived.frame }),
  };
  return {
    analysis,
    analyzed,
    state,
    rows: createDisplayedRows(analyzed.resampling ? { ...analyzed, frame: state.frame } : analyzed, state.intervalMs),
    computeChartRows: () => {
      const { figures: _figures, ...analysisWithAllFigures } = filtered;
      const wholeResult = analyzer.analyze(received, analysisWithAllFigures);
      const hasSameFrame = wholeResult.frame === analyzed.frame || !wholeResult.resampling;
      return {
        state: hasSameFrame ? state : { ...received, ...getResampledState(received, wholeResult) },
        rows: wholeResult.order,
      };
    },
    computeStatisticsRows: () => {
      const { frame, order } = analyzer.analyze(received, { ...filtered, ...(within && { within }) });
      return { frame, rows: order, intervalMs: state.intervalMs };
    },
  };
}

/** The parts of the state that resampling changes. */
type ResampledState = Pick<TableState, 'title' | 'frame' | 'intervalMs' | 'coverage' | 'compared'>;

function getResampledState(received: TableState, { frame: resampled, resampling }: AnalysisResult): ResampledState {
  const frame = translateFrame(resampled);
  const { by = 'day' } = resampling ?? {};
  return {
    title: resampling ? formatBinsTitle(received, resampling) : received.title,
    frame,
    intervalMs: isCycle(by) ? undefined : binLengthsMs[by],
    coverage: undefined,
    compared: listComparedPairs(frame),
  };
}

/** Creates the rows of a table from analyzed rows. `intervalMs` is the length of a row. */
export function createDisplayedRows(
  { frame, order, missing }: Pick<AnalysisResult, 'frame' | 'order' | 'missing'>,
  intervalMs?: number,
): DisplayedRows {
  const { rowStates, omitted = 0 } = missing ?? {};
  const rowCount = order?.length ?? frame.rowCount;
  const getNote = rowStates && ((row: number) => describeIntervalState(rowStates[row] ?? intervalState.present));
  return {
    frame,
    intervalMs,
    order,
    rowCount,
    receivedCount: rowStates ? countReceived(rowStates, order) : rowCount,
    omittedCount: omitted,
    getNote,
  };
}

function countReceived(rowStates: Uint8Array, order: Uint32Array | undefined): number {
  let count = 0;
  for (let row = 0; row < (order?.length ?? rowStates.length); row++)
    count += Number(rowStates[order?.[row] ?? row] === intervalState.present);
  return count;
}
