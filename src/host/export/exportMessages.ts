import { t } from '@vscode/l10n';
import { exportFormatDescriptors } from '../../core/export/formats.ts';
import { excelLimits, type ExcelLimitError } from '../../service/export/excelLimits.ts';
import type { CsvDialect, ExportFormat, ExportScope, ExportTable } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ExportChoice, ExportDestination } from './exportChoice.ts';
import { displayLocale } from '../language.ts';
import { formatCount, formatRows } from '../messages/numbers.ts';

/** Describes the use of a format, and the locale that determines its dialect. */
export function describeFormat(format: ExportFormat, dialect: CsvDialect, locale: string | undefined): string {
  const { description, semicolonDescription } = exportFormatDescriptors[format];
  const text = t(dialect === 'semicolon' ? (semicolonDescription ?? description) : description);
  if (!semicolonDescription || locale === undefined) return text;
  const name = new Intl.DisplayNames(displayLocale(), { type: 'language' }).of(locale) ?? locale;
  return `${text} · ${t('for {0}', name)}`;
}

export function scopeName(scope: ExportScope): string {
  if (scope === 'onScreen') return t('As Displayed');
  return scope === 'asReceived' ? t('As Received') : t('Selection');
}

/** Describes the rows of a scope: “24 rows × 5 columns, times in SAST (UTC+2)”. */
export function describeExportScope(scope: ExportScope, table: ExportTable, zone: DisplayZone): string {
  const size = t(
    '{0} × {1}',
    formatRows(table.rows?.length ?? table.frame.rowCount),
    formatColumns(table.columns?.length ?? table.frame.columns.length),
  );
  return scope === 'asReceived'
    ? t('{0}, in the order and with the times of the service', size)
    : t('{0}, times in {1}', size, zone.label);
}

function formatColumns(value: number): string {
  return value === 1 ? t('1 column') : t('{0} columns', formatCount(value));
}

export function destinationName(destination: ExportDestination): string {
  if (destination === 'editor') return t('Editor Tab');
  return destination === 'file' ? t('File…') : t('Clipboard');
}

/** Formats a choice: “CSV · As on Screen · File…”. */
export function formatChoice({ format, scope, place: destination }: ExportChoice): string {
  return [exportFormatDescriptors[format].name, scopeName(scope), destinationName(destination)].join(' · ');
}

/** Describes an error of the file system; undefined for other errors. */
export function describeFileError(error: unknown, file: string): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return t('The disk is full, so {0} was not written. Free some space, or choose another folder.', file);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return t('Cannot write {0}. Choose another folder, or close the program that has the file open.', file);
    case 'ENOENT':
    case 'ENOTDIR':
      return t('The folder of {0} no longer exists. Choose another one.', file);
    case 'ENOTFILE':
      return t("'{0}' is not a regular file, or links to one that is gone. Choose another name.", file);
    case 'EISDIR':
      return t('{0} is a folder. Give the file another name.', file);
    default:
      return undefined;
  }
}

/** Explains that one folder cannot have the hours of two services. */
export function describeForeignHours(folder: string): string {
  return t("'{0}' contains hours of another service. Export each service to a separate folder.", folder);
}

/** Explains why a table does not fit into an Excel file, and what to do. */
export function describeExcelLimit({ limit, count: actual }: ExcelLimitError): string {
  switch (limit) {
    case 'rows':
      return t(
        'Excel allows {0} rows on a sheet, and this table has {1}. Export fewer rows, or choose CSV or Parquet.',
        formatCount(excelLimits.rows),
        formatCount(actual),
      );
    case 'columns':
      return t(
        'Excel allows {0} columns, but this table has {1}. Hide some and export the table as displayed, or choose CSV or Parquet.',
        formatCount(excelLimits.columns),
        formatCount(actual),
      );
    case 'text':
      return t(
        'Excel allows {0} characters in a cell, but a cell of this table has {1}. Hide its column and export the table as displayed, or choose CSV or Parquet.',
        formatCount(excelLimits.text),
        formatCount(actual),
      );
    case 'size':
      return t('This table is too large for an Excel file. Export fewer rows, or choose CSV or Parquet.');
  }
}
