import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { stepOf } from '../query/catalogue.ts';
import { analysedFrame, analyse, type AnalysisContext } from './analyse.ts';
import { analysisTexts } from './analysisText.ts';
import type { ResultRows } from './resultRows.ts';

/** What an analysis makes of a result. */
export interface AnalysedResult {
  /** Its rows are those that are made; its coverage is that of the rows received. */
  readonly result: Result;
  /** What the rows are, a text for each step. */
  readonly texts: readonly string[];
  /** Why steps were left out, each as one sentence. */
  readonly problems: readonly string[];
}

/** Makes an analysis of a result. A result without rows stays as it is. */
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
