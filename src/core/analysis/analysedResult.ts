import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { stepOf } from '../query/catalogue.ts';
import { analysedFrame, analyse, type AnalysisContext } from './analyse.ts';
import { analysisTexts } from './analysisText.ts';
import type { ResultRows } from './resultRows.ts';

/** A result after an analysis. */
export interface AnalysedResult {
  /** Has the rows of the analysis, and the coverage of the received rows. */
  readonly result: Result;
  /** Descriptions of the rows, one per stage. */
  readonly texts: readonly string[];
  /** Why stages were skipped, each as one sentence. */
  readonly problems: readonly string[];
}

/** Applies an analysis to a result. A result without rows stays as it is. */
export function analysedResult(
  result: Result,
  analysis: Analysis,
  { zone, tariffs, ...context }: AnalysisContext & Pick<ResultRows, 'zone' | 'tariffs'>,
): AnalysedResult {
  const { frame, coverage, history, provenance } = result;
  if (!frame) return { result, texts: [], problems: [] };
  const { interval, start } = provenance;
  const rows = {
    frame,
    interval,
    step: stepOf(interval),
    start,
    coverage,
    zone,
    ...(tariffs && { tariffs }),
    ...(history && { history: history.frame }),
  };
  const analysed = analyse(rows, analysis, context);
  const made = analysedFrame(analysed, analysis);
  return { result: { ...result, frame: made }, texts: analysisTexts(analysis, analysed), problems: analysed.problems };
}
