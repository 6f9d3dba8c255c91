import { t } from '@vscode/l10n';
import type { Frame } from '../../shared/frame.ts';
import type { ScoreGrouping } from '../../shared/scorecard.ts';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';

/** Describes how many hours are scored, from the first row of a scorecard: "8,748 of 8,760 hours have both values; 12 left out." */
export function describeScoredHours({ columns }: Frame, locale: string): string {
  const getFirstValue = (name: string): number => {
    const column = columns.find(candidate => candidate.name === name);
    return column?.kind === 'number' ? (column.values[0] ?? 0) : 0;
  };
  const hours = getFirstValue('hours');
  const totalHours = getFirstValue('of_hours');
  const formatCount = createCountFormatter(locale);
  return hours < totalHours
    ? t(
        '{0} of {1} hours have both values; {2} omitted.',
        formatCount(hours),
        formatCount(totalHours),
        formatCount(totalHours - hours),
      )
    : t('{0} of {1} hours have both values.', formatCount(hours), formatCount(totalHours));
}

/** Defines the figures and cites their sources. */
export function describeScoreFigures(by: ScoreGrouping): string {
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
