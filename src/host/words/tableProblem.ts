import * as vscode from 'vscode';
import { tableLimits, type TableProblem } from '../../shared/tableLimits.ts';
import { count } from './numbers.ts';

/** Why a response is shown as JSON alone, in one sentence. */
export function tableProblemText(problem: TableProblem = 'notRecords'): string {
  const { t } = vscode.l10n;
  switch (problem) {
    case 'notRecords':
      return t("The response isn't a table, so only its JSON is shown.");
    case 'tooManyColumns':
      return t('The response has more than {0} columns, so only its JSON is shown.', count(tableLimits.columns));
    case 'tooManyRows':
      return t('The response has more than {0} rows, so only its JSON is shown.', count(tableLimits.rows));
    case 'tooManyCells':
      return t('The response has more than {0} cells, so only its JSON is shown.', count(tableLimits.cells));
    case 'tooManyTexts':
      return t('The response has more than {0} different texts, so only its JSON is shown.', count(tableLimits.texts));
    case 'nameTooLong':
      return t(
        'The response has a field name of more than {0} characters, so only its JSON is shown.',
        count(tableLimits.nameLength),
      );
    case 'nestedTooDeep':
      return t(
        'The response is nested more than {0} levels deep, so only its JSON is shown.',
        count(tableLimits.nesting),
      );
    case 'tooLarge':
      return t('The response takes too much memory for a table, so only its JSON is shown.');
  }
}
