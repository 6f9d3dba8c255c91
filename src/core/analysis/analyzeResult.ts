import type { Analysis } from '../../shared/analysis.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { Result } from '../../shared/result.ts';
import { isCycle } from '../../shared/resampling.ts';
import { getIntervalMs } from '../query/catalogue.ts';
import { createAnalyzedFrame, analyze, type AnalysisContext } from './analyze.ts';
import { describeAnalysis } from './describeAnalysis.ts';
import type { ResultRows } from './resultRows.ts';
import { getZoneOfBins } from './rowIntervals.ts';

/** A result after an analysis. */
export interface AnalyzedResult {
  /** Has the rows of the analysis, and the coverage of the received rows. */
  readonly result: Result;
  /** Descriptions of the rows, one per stage. */
  readonly descriptions: readonly string[];
  /** The time zone of rows that the analysis made of days or longer periods; undefined for other rows. */
  readonly dayZone?: DisplayZone | undefined;
  /** Why stages were skipped, each as one sentence. */
  readonly problems: readonly string[];
}

/** Applies an analysis to a result. A result without rows stays as it is. */
export function applyAnalysis(
  result: Result,
  analysis: Analysis,
  { zone, tariffs, ...context }: AnalysisContext & Pick<ResultRows, 'zone' | 'tariffs'>,
): AnalyzedResult {
  const { frame, coverage, history, provenance } = result;
  if (!frame) return { result, descriptions: [], problems: [] };
  const { interval, start } = provenance;
  const rows = {
    frame,
    interval,
    intervalMs: getIntervalMs(interval),
    start,
    coverage,
    zone,
    ...(tariffs && { tariffs }),
    ...(history && { history: history.frame }),
  };
  const analyzed = analyze(rows, analysis, context);
  const analyzedRows = createAnalyzedFrame(analyzed, analysis);
  return {
    result: { ...result, frame: analyzedRows },
    descriptions: describeAnalysis(analysis, analyzed),
    dayZone: findDayZone(analysis, rows),
    problems: analyzed.problems,
  };
}

function findDayZone({ resample, find }: Analysis, rows: ResultRows): DisplayZone | undefined {
  const bins = resample ?? (find?.rule.kind === 'unusual' ? find.rule.by : 'row');
  return bins === 'row' || bins === '3h' || isCycle(bins) ? undefined : getZoneOfBins(bins, rows);
}
