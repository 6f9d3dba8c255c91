import type { ExportOptions } from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import { excelColumns, excelHeadingOf, headingOf, uniqueNames, type WrittenTable } from '../export/exportTable.ts';
import type { DataFile } from './dataFile.ts';
import { dayColumn, usualValues } from './recognise.ts';

/**
 * What an export writes, as a program has to know it to read it; undefined for what no program here reads: Markdown, and a
 * table without a heading.
 */
export function exportedData(table: WrittenTable, options: ExportOptions): Omit<DataFile, 'path'> | undefined {
  const { format, zone } = options;
  if (format === 'markdown') return undefined;
  const { time, columns: written } = table;
  const inSheet = format === 'xlsx' ? excelColumns(written, zone) : undefined;
  const columns = inSheet?.map(({ column }) => column) ?? written;
  const names = format === 'xlsx' ? inSheet && excelHeadingOf(inSheet, options) : namesIn(columns, format, options);
  if (!names) return undefined;
  // Of instants that stand there twice the later ones are in UTC.
  const nameOf = (wanted: (column: Column) => boolean): string | undefined => names[columns.findLastIndex(wanted)];
  const zoneOfDates = inSheet?.findLast(({ column }) => column === time)?.zone.timeZone;
  const isDelimited = format === 'csv' || format === 'tsv';
  return {
    form: format,
    timeColumn: nameOf(column => column === time),
    valueColumn: usualValues.map(usual => nameOf(({ name }) => name === usual)).find(name => name !== undefined),
    timeZone: zone.timeZone,
    ...(columns.some(({ name }) => name === dayColumn) && { isDaily: true }),
    ...(zoneOfDates !== undefined && zoneOfDates !== zone.timeZone && { zoneOfDates }),
    ...(format === 'csv' && { dialect: options.dialect }),
    ...(isDelimited && { hasComments: options.provenance === 'comment' }),
  };
}

/** The names of columns as the file has them; undefined for none. */
function namesIn(
  columns: readonly Column[],
  format: Exclude<ExportOptions['format'], 'xlsx'>,
  options: ExportOptions,
): readonly string[] | undefined {
  switch (format) {
    case 'csv':
    case 'tsv':
    case 'markdown':
      return headingOf(columns, options);
    case 'json':
    case 'ndjson':
      return columns.map(({ name }) => name);
    case 'parquet':
    case 'arrow':
      return uniqueNames(columns.map(({ name }) => name));
  }
}
