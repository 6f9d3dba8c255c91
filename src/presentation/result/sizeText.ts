import { t } from '@vscode/l10n';
import { countFormatter } from '../columns/numberTexts.ts';

/** "168 rows · 17 columns", or "45 of 168 rows · 17 columns" if a filter hides some. Numbers have the locale's separators. */
export function sizeText(rows: number, all: number, columns: number, locale: string): string {
  const write = countFormatter(locale);
  const whole = rows === 1 ? t('1 row') : t('{0} rows', write(rows));
  const rowText = rows === all ? whole : t('{0} of {1} rows', write(rows), write(all));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', write(columns));
  return `${rowText} · ${columnText}`;
}
