import { t } from '@vscode/l10n';

/** "168 rows · 17 columns", with the locale's separators. */
export function sizeText(rows: number, columns: number, locale: string): string {
  const write = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
  const rowText = rows === 1 ? t('1 row') : t('{0} rows', write.format(rows));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', write.format(columns));
  return `${rowText} · ${columnText}`;
}
