import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import type { ScoreGrouping } from '../../shared/scorecard.ts';
import { countFormatter } from '../columns/numberTexts.ts';

/** Describes how many hours are scored, from the first row of a scorecard: "8,748 of 8,760 hours have both values; 12 left out." */
export function countsText({ columns }: Frame, locale: string): string {
  const first = (name: string): number => {
    const column = columns.find(one => one.name === name);
    return column?.kind === 'number' ? (column.values[0] ?? 0) : 0;
  };
  const [hours, ofHours] = [first('hours'), first('of_hours')];
  const write = countFormatter(locale);
  return hours < ofHours
    ? t('{0} of {1} hours have both values; {2} omitted.', write(hours), write(ofHours), write(ofHours - hours))
    : t('{0} of {1} hours have both values.', write(hours), write(ofHours));
}

/** Defines the figures and cites their sources. */
export function definitionText(by: ScoreGrouping): string {
  const error = t('Error = actual − forecast: positive where the forecast was too low.');
  if (by === 'worst') return `${t('The ten hours with the largest errors.')} ${error}`;
  const figures = t(
    'Bias is the mean error, MAE the mean absolute error, RMSE the root mean square error, MAPE the mean absolute error as a percentage of the actual (hours with 0 are omitted). P5 has 5 % of the errors below it, P95 has 5 % above it. Skill is the reduction of the MAE compared with using the actual 24 h or 168 h before as the forecast; none if the result does not go back that far.',
  );
  const bands = by === 'band' ? `${t('Five bands with equally many hours each.')} ` : '';
  const sources = t(
    'Sources: Hyndman and Athanasopoulos, Forecasting: Principles and Practice (2021), 5.8; skill of the MAE after Murphy (1988); quantiles of type 7 (Hyndman and Fan, 1996).',
  );
  return `${bands}${error} ${figures} ${sources}`;
}
