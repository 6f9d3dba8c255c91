import { t } from '@vscode/l10n';
import { queriedDatasets } from '../../core/query/catalogue.ts';
import { suggestRange } from '../../core/range/exampleRange.ts';
import type { QueryProblem } from '../../core/query/query.ts';
import { formatCount } from './numbers.ts';

/** Explains why a range or query is invalid, with an example of a valid one. */
export function describeQueryProblem(problem: QueryProblem): string {
  switch (problem.problem) {
    case 'empty':
      return t('Enter a range such as May 2023, 2023-01-01..2023-01-31 or last 36 hours.');
    case 'notUnderstood': {
      const example = suggestRange(problem.part);
      return example === undefined
        ? t("'{0}' isn't a valid time range. Try 2023-05 or last 36 hours.", problem.part)
        : t("'{0}' isn't a valid time range. Try '{1}'.", problem.part, example);
    }
    case 'noSuchDate':
      return t("'{0}' does not exist in the calendar. Check the date, its weekday and the time.", problem.part);
    case 'yearMissing':
      return t("'{0}' has no year. Add one, as in May 2023.", problem.part);
    case 'startMissing':
      return t("'{0}' has no start. Add one, as in January to March 2023.", problem.part);
    case 'tooFine':
      return t("'{0}' has more than three decimals of a second. Type {1}.", problem.part, problem.example);
    case 'ambiguous':
      return t(
        "'{0}' could be {1}. Type the one you mean.",
        problem.part,
        problem.readings.reduce((several, reading) => t('{0} or {1}', several, reading)),
      );
    case 'endNotAfterStart':
      return t('The end is not after the start; put the earlier time first.');
    case 'tooLong':
      return t('The range is longer than {0} years; check the years.', problem.years);
    case 'inFuture':
      return t('The range has not begun yet. Enter one that begins in the past.');
    case 'tooManySteps':
      return t(
        'The range has more than {0} steps. Narrow it, or choose a longer interval.',
        formatCount(problem.steps),
      );
    case 'unknownDataset':
      return t("Unknown dataset '{0}'. Use {1}.", problem.part, queriedDatasets.map(({ id }) => id).join(', '));
    case 'badInterval':
      return t("'{0}' isn't a length of time. Type one such as 1h, 30m or 7d.", problem.part.slice(0, 40));
  }
}
