import { t } from '@vscode/l10n';
import { createCountFormatter } from '../columns/numberColumnFormat.ts';

/** Formats the size of a result as "168 rows · 17 columns", or "45 of 168 rows · 17 columns" if a filter hides some. Numbers have the locale's separators. */
export function formatTableSize(rows: number, totalRows: number, columns: number, locale: string): string {
  const formatCount = createCountFormatter(locale);
  const rowCountText = rows === 1 ? t('1 row') : t('{0} rows', formatCount(rows));
  const rowText = rows === totalRows ? rowCountText : t('{0} of {1} rows', formatCount(rows), formatCount(totalRows));
  const columnText = columns === 1 ? t('1 column') : t('{0} columns', formatCount(columns));
  return `${rowText} · ${columnText}`;
}
