import { t } from '@vscode/l10n';

/** "The first 200 rows", while the others are on their way. */
export function headText(rows: number, locale: string): string {
  return t('The first {0} rows', new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).format(rows));
}

/** "168 rows · 17 columns", or "45 of 168 rows · 17 columns" where a filter hides some; with the locale's separators. */
export function sizeText(rows: number, all: number, columns: number, locale: string): string {
  const write = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  const whole = rows === 1 ? t('1 row') : t('{0} rows', write.format(rows));
  const rowText = rows === all ? whole : t('{0} of {1} rows', write.format(rows), write.format(all));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', write.format(columns));
  return `${rowText} · ${columnText}`;
}
