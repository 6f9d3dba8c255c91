import { t } from '@vscode/l10n';
import { formats } from '../../core/export/formats.ts';
import { excelMost, type ExcelLimitError } from '../../service/export/excelLimits.ts';
import type { CsvDialect, ExportFormat, ExportScope, ExportTable } from '../../shared/exportOptions.ts';
import type { DisplayZone } from '../../shared/protocol.ts';
import type { ExportChoice, ExportPlace } from './exportChoice.ts';
import { displayLocale } from '../language.ts';
import { count, rows } from '../messages/numbers.ts';

/** Describes the use of a format, and the locale that determines its dialect. */
export function formatText(format: ExportFormat, dialect: CsvDialect, locale: string | undefined): string {
  const { use, semicolonUse } = formats[format];
  const text = t(dialect === 'semicolon' ? (semicolonUse ?? use) : use);
  if (!semicolonUse || locale === undefined) return text;
  const name = new Intl.DisplayNames(displayLocale(), { type: 'language' }).of(locale) ?? locale;
  return `${text} · ${t('for {0}', name)}`;
}

export function scopeName(scope: ExportScope): string {
  if (scope === 'onScreen') return t('As on Screen');
  return scope === 'asReceived' ? t('As Received') : t('Selection');
}

/** Describes the rows of a scope: “24 rows × 5 columns, times in SAST (UTC+2)”. */
export function scopeText(scope: ExportScope, table: ExportTable, zone: DisplayZone): string {
  const size = t(
    '{0} × {1}',
    rows(table.rows?.length ?? table.frame.rowCount),
    columns(table.columns?.length ?? table.frame.columns.length),
  );
  return scope === 'asReceived'
    ? t('{0}, in the order and with the times of the service', size)
    : t('{0}, times in {1}', size, zone.label);
}

function columns(value: number): string {
  return value === 1 ? t('1 column') : t('{0} columns', count(value));
}

export function placeName(place: ExportPlace): string {
  if (place === 'editor') return t('Editor Tab');
  return place === 'file' ? t('File…') : t('Clipboard');
}

/** Formats a choice: “CSV · As on Screen · File…”. */
export function choiceText({ format, scope, place }: ExportChoice): string {
  return [formats[format].name, scopeName(scope), placeName(place)].join(' · ');
}

/** Describes an error of the file system; undefined for other errors. */
export function fileTrouble(error: unknown, file: string): string | undefined {
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
export function foreignHoursText(folder: string): string {
  return t("'{0}' contains hours of another service. Export each service to a folder of its own.", folder);
}

/** Explains why a table does not fit into an Excel file, and what to do. */
export function excelLimitText({ limit, count: found }: ExcelLimitError): string {
  switch (limit) {
    case 'rows':
      return t(
        'Excel allows {0} rows on a sheet, and this table has {1}. Export fewer rows, or choose CSV or Parquet.',
        count(excelMost.rows),
        count(found),
      );
    case 'columns':
      return t(
        'Excel allows {0} columns, and this table has {1}. Hide some and export what is on screen, or choose CSV or Parquet.',
        count(excelMost.columns),
        count(found),
      );
    case 'text':
      return t(
        'Excel allows {0} characters in a cell, and a cell of this table has {1}. Hide its column and export what is on screen, or choose CSV or Parquet.',
        count(excelMost.text),
        count(found),
      );
    case 'size':
      return t('This table is too large for an Excel file. Export fewer rows, or choose CSV or Parquet.');
  }
}
