import { listResamplingChoices, type AnalysisResult, type Analyser } from '../../core/analysis/analyse.ts';
import { binLengthsMs } from '../../core/analysis/rowIntervals.ts';
import { listComparedPairs } from '../../core/compare/compareFrames.ts';
import type { SummaryInput } from '../../core/statistics/summaryFrame.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { isCycle } from '../../shared/resampling.ts';
import { intervalState } from '../../shared/result.ts';
import { toAnalysis, type View } from '../../shared/view.ts';
import { titleOfBins } from '../columns/binNames.ts';
import { stepNote } from '../coverage/coverageWords.ts';
import { inWords } from '../translate.ts';

/** The rows that a table displays. */
export interface ShownRows {
  /** The frame of the result, with a row for each missing interval if those are displayed. */
  readonly frame: Frame;
  /** The length of the requested interval, in milliseconds, where it is known. */
  readonly step: number | undefined;
  /** Frame rows in display order; undefined for all rows in the order of the frame. */
  readonly order: Uint32Array | undefined;
  readonly rowCount: number;
  /** The number of received rows; the others stand for missing intervals. */
  readonly received: number;
  /** The number of missing intervals that exceed the table's limit. */
  readonly leftOut: number;
  /** Explains why a row has no values. */
  readonly note: ((row: number) => string | undefined) | undefined;
}

/** The rows of a result for its table, its chart and its statistics. */
export interface ShownResult {
  /** The analysis that computes the rows of the table. */
  readonly analysis: Analysis;
  readonly analysed: AnalysisResult;
  /** The result with its received and derived columns, or with its resampled rows. The columns are translated. */
  readonly state: TableState;
  readonly rows: ShownRows;
  /**
   * Computes the rows of the chart: with all figures, whichever the table displays, and of the whole time range even if the table is limited
   * to the chart's window. `rows` are in the order of the data; undefined for all.
   */
  readonly charted: () => Charted;
  /** Computes the rows that the statistics summarise, with untranslated columns. */
  readonly counted: () => SummaryInput;
}

export interface Charted {
  readonly state: TableState;
  readonly rows: Uint32Array | undefined;
}

/** Computes the rows that a view displays of a result in the tabs without a table of their own. */
export function shownResult(analyser: Analyser, received: TableState, view: View): ShownResult {
  const { rowsWithDerived } = analyser.derive(received, view.derived);
  const resample = listResamplingChoices(rowsWithDerived).find(choice => choice === view.resample);
  const missingRows = view.missingRows && resample === undefined;
  // In the split tab the table is always limited to the chart's window.
  const linked = view.linked || view.tab === 'split';
  const analysis = toAnalysis({ ...view, resample, missingRows, linked });
  const analysed = analyser.analyse(received, analysis);
  const { missing: _missing, sort: _sort, within, ...filtered } = analysis;
  const state = {
    ...received,
    ...(analysed.resampling ? resampledParts(received, analysed) : { frame: rowsWithDerived.frame }),
  };
  return {
    analysis,
    analysed,
    state,
    rows: shownRows(analysed.resampling ? { ...analysed, frame: state.frame } : analysed, state.step),
    charted: () => {
      const { figures: _figures, ...all } = filtered;
      const whole = analyser.analyse(received, all);
      const isSame = whole.frame === analysed.frame || !whole.resampling;
      return { state: isSame ? state : { ...received, ...resampledParts(received, whole) }, rows: whole.order };
    },
    counted: () => {
      const { frame, order } = analyser.analyse(received, { ...filtered, ...(within && { within }) });
      return { frame, rows: order, intervalMs: state.step };
    },
  };
}

/** The parts of the state that resampling changes. */
function resampledParts(
  received: TableState,
  { frame: made, resampling }: AnalysisResult,
): Pick<TableState, 'title' | 'frame' | 'step' | 'coverage' | 'compared'> {
  const frame = inWords(made);
  const { by = 'day' } = resampling ?? {};
  return {
    title: resampling ? titleOfBins(received, resampling) : received.title,
    frame,
    step: isCycle(by) ? undefined : binLengthsMs[by],
    coverage: undefined,
    compared: listComparedPairs(frame),
  };
}

/** Creates the rows of a table from analysed rows. `step` is the length of a row in milliseconds. */
export function shownRows(
  { frame, order, missing }: Pick<AnalysisResult, 'frame' | 'order' | 'missing'>,
  step?: number,
): ShownRows {
  const { rowStates, omitted = 0 } = missing ?? {};
  const rowCount = order?.length ?? frame.rowCount;
  const note = rowStates && ((row: number) => stepNote(rowStates[row] ?? intervalState.present));
  return {
    frame,
    step,
    order,
    rowCount,
    received: rowStates ? countReceived(rowStates, order) : rowCount,
    leftOut: omitted,
    note,
  };
}

function countReceived(notes: Uint8Array, order: Uint32Array | undefined): number {
  let count = 0;
  for (let row = 0; row < (order?.length ?? notes.length); row++)
    count += Number(notes[order?.[row] ?? row] === intervalState.present);
  return count;
}
