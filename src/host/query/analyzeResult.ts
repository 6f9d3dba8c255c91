import { applyAnalysis, type AnalyzedResult } from '../../core/analysis/analyzeResult.ts';
import { formatEnglish } from '../../core/bins/binSums.ts';
import type { Query } from '../../core/query/query.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { customTariffs, getQueryZone } from '../settings.ts';

/** Applies an analysis for a program or a language model: texts are English, times are in the zone of the query. */
export function analyzeResult(result: Result, analysis: Analysis, query: Query): AnalyzedResult {
  const { tariffs } = customTariffs();
  const context = { locale: 'en', translate: formatEnglish, zone: getQueryZone(query), ...(tariffs && { tariffs }) };
  return applyAnalysis(result, analysis, context);
}
