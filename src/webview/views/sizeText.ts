import { t } from '@vscode/l10n';

/** "168 rows · 17 columns", or "45 of 168 rows · 17 columns" where a filter hides some; with the locale's separators. */
export function sizeText(rows: number, all: number, columns: number, locale: string): string {
  const write = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  const whole = rows === 1 ? t('1 row') : t('{0} rows', write.format(rows));
  const rowText = rows === all ? whole : t('{0} of {1} rows', write.format(rows), write.format(all));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', write.format(columns));
  return `${rowText} · ${columnText}`;
}
