import { resamplingChoices, type Analysed, type Analyser } from '../../core/analysis/analyse.ts';
import { binLengths } from '../../core/analysis/rowIntervals.ts';
import { comparedPairs } from '../../core/compare/compare.ts';
import type { Summarised } from '../../core/statistics/summaryFrame.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Frame } from '../../shared/frame.ts';
import type { TableState } from '../../shared/protocol.ts';
import { isCycle } from '../../shared/resampling.ts';
import { stepState } from '../../shared/result.ts';
import { analysisOf, type PanelView } from '../../shared/savedView.ts';
import { titleOfBins } from '../columns/binNames.ts';
import { stepNote } from '../coverage/coverageWords.ts';
import { inWords } from '../translate.ts';

/** Rows of a frame as a table shows them. */
export interface ShownRows {
  /** The frame of the result, or with a row for each missing step where these are shown. */
  readonly frame: Frame;
  /** The length of the requested interval, in milliseconds, where it is known. */
  readonly step: number | undefined;
  /** The data rows in the order shown; undefined for all as they are. */
  readonly order: Uint32Array | undefined;
  readonly rowCount: number;
  /** Those of them that were received; the others stand for a missing step. */
  readonly received: number;
  /** Missing steps to be shown for which the table has no room. */
  readonly leftOut: number;
  /** Why a row has no values. */
  readonly note: ((row: number) => string | undefined) | undefined;
}

/** The rows of a result as its table, its chart and its statistics show them. */
export interface ShownResult {
  /** What makes the rows of the table. */
  readonly analysis: Analysis;
  readonly analysed: Analysed;
  /** The result with the rows received and derived, or with those they are resampled to; its columns are named in the person's language. */
  readonly state: TableState;
  readonly rows: ShownRows;
  /**
   * What the chart draws: the same rows with all of their figures, whichever the table shows, and those of all times that the filters leave,
   * in the order of the data; undefined for all.
   */
  readonly charted: () => Charted;
  /** The rows that the statistics are of, as the analysis has made them: not in words yet. */
  readonly counted: () => Summarised;
}

export interface Charted {
  readonly state: TableState;
  readonly rows: Uint32Array | undefined;
}

/** The rows of a result as a person looks at them in any tab but those of computed rows. */
export function shownResult(analyser: Analyser, received: TableState, view: PanelView): ShownResult {
  const { whole } = analyser.derive(received, view.derived);
  const resample = resamplingChoices(whole).find(choice => choice === view.resample);
  const missingRows = view.missingRows && resample === undefined;
  // Beside the chart the table shows what the chart shows.
  const linked = view.linked || view.tab === 'split';
  const analysis = analysisOf({ ...view, resample, missingRows, linked });
  const analysed = analyser.analyse(received, analysis);
  const { missing: _missing, sort: _sort, within, ...filtered } = analysis;
  const state = { ...received, ...(analysed.resampling ? resampledParts(received, analysed) : { frame: whole.frame }) };
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
      return { frame, rows: order, step: state.step };
    },
  };
}

/** What a result is when its rows are longer ones. */
function resampledParts(
  received: TableState,
  { frame: made, resampling }: Analysed,
): Pick<TableState, 'title' | 'frame' | 'step' | 'coverage' | 'compared'> {
  const frame = inWords(made);
  const { by = 'day' } = resampling ?? {};
  return {
    title: resampling ? titleOfBins(received, resampling) : received.title,
    frame,
    step: isCycle(by) ? undefined : binLengths[by],
    coverage: undefined,
    compared: comparedPairs(frame),
  };
}

/** What a table shows of rows that were analysed. `step`: how long one lasts, in milliseconds. */
export function shownRows(
  { frame, order, missing }: Pick<Analysed, 'frame' | 'order' | 'missing'>,
  step?: number,
): ShownRows {
  const { notes, leftOut = 0 } = missing ?? {};
  const rowCount = order?.length ?? frame.rowCount;
  const note = notes && ((row: number) => stepNote(notes[row] ?? stepState.present));
  return { frame, step, order, rowCount, received: notes ? countReceived(notes, order) : rowCount, leftOut, note };
}

function countReceived(notes: Uint8Array, order: Uint32Array | undefined): number {
  let count = 0;
  for (let row = 0; row < (order?.length ?? notes.length); row++)
    count += Number(notes[order?.[row] ?? row] === stepState.present);
  return count;
}
