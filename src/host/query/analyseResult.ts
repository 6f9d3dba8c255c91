import { analysedResult, type AnalysedResult } from '../../core/analysis/analysedResult.ts';
import { inEnglish } from '../../core/bins/binSums.ts';
import type { Query } from '../../core/query/query.ts';
import type { Analysis } from '../../shared/analysis.ts';
import type { Result } from '../../shared/result.ts';
import { ownTariffs, zoneOf } from '../settings.ts';

/** Applies an analysis for a program or a language model: texts are English, times are in the zone of the query. */
export function analyseResult(result: Result, analysis: Analysis, query: Query): AnalysedResult {
  const { tariffs } = ownTariffs();
  const context = { locale: 'en', say: inEnglish, zone: zoneOf(query), ...(tariffs && { tariffs }) };
  return analysedResult(result, analysis, context);
}
