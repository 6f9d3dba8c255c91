import type { ExportOptions } from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import {
  createExcelColumns,
  createExcelHeading,
  createHeading,
  uniqueNames,
  type TableToWrite,
} from '../export/exportTable.ts';
import { exportFormatDescriptors } from '../export/formats.ts';
import { dataForms, type DataFile, type DataForm } from './dataFile.ts';
import { demandField, stressField } from '../../shared/fields.ts';
import { parseInstant } from '../time/instant.ts';

/** Describes exported data for a snippet; undefined if no snippet can read it, as for Markdown or without a heading. */
export function describeExportedData(table: TableToWrite, options: ExportOptions): Omit<DataFile, 'path'> | undefined {
  const { format, zone } = options;
  const { columnNames: nameSource } = exportFormatDescriptors[format];
  const form = dataForms.find(dataForm => dataForm === format);
  if (!form || !nameSource) return undefined;
  const { time, columns: writtenColumns } = table;
  const sheetColumns = nameSource === 'sheetHeading' ? createExcelColumns(writtenColumns, zone) : undefined;
  const columns = sheetColumns?.map(({ column }) => column) ?? writtenColumns;
  const fields = columns.map(({ name }) => name);
  const names = {
    heading: () => createHeading(columns, options),
    fields: () => fields,
    uniqueFields: () => uniqueNames(fields),
    sheetHeading: () => sheetColumns && createExcelHeading(sheetColumns, options),
  }[nameSource]();
  if (!names) return undefined;
  // If a sheet has two time columns, the later one is in UTC.
  const findName = (matches: (column: Column) => boolean): string | undefined => names[columns.findLastIndex(matches)];
  const datesTimeZone = sheetColumns?.findLast(({ column }) => column === time)?.zone.timeZone;
  const isDelimited = format === 'csv' || format === 'tsv';
  return {
    form,
    columns: names,
    timeColumn: findName(column => column === time),
    valueColumn: defaultValueColumns
      .map(field => findName(({ name }) => name === field))
      .find(name => name !== undefined),
    timeZone: zone.timeZone,
    ...(columns.some(({ name }) => name === dayColumn) && { isDaily: true }),
    ...(datesTimeZone !== undefined && datesTimeZone !== zone.timeZone && { datesTimeZone }),
    ...(format === 'csv' && { dialect: options.dialect }),
    ...(isDelimited && { hasComments: options.provenance === 'comment' }),
  };
}

/** The form of a file by its extension, in lower case and without the dot. */
export const formsByExtension: Readonly<Record<string, DataForm>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  arrow: 'arrow',
  feather: 'arrow',
  xlsx: 'xlsx',
};

/** The columns to display first, the most popular first. */
const defaultValueColumns = [demandField, stressField];

/** A column that only days have. */
const dayColumn = 'of_hours';

type DetectedFormat = Pick<
  DataFile,
  'timeColumn' | 'hasZoneInHeading' | 'valueColumn' | 'isDaily' | 'dialect' | 'hasComments'
>;

/**
 * Detects the dialect of a delimited text from its beginning: separators, comments before the heading, and the names of columns. The
 * time column is `ts`, or else the first one with an instant in the first row. For any other form, and without a heading, returns the
 * default names.
 */
export function detectFormat(beginning: string, form: DataForm): DetectedFormat {
  const lines = beginning.replace(/^\uFEFF/, '').split(/\r?\n/);
  const [heading = '', firstRow = ''] = lines.filter(line => !line.startsWith('#'));
  if (form === 'xlsx') return { timeColumn: 'ts', hasZoneInHeading: true };
  if ((form !== 'csv' && form !== 'tsv') || heading === '') return { timeColumn: 'ts' };
  const isSemicolon = form === 'csv' && countCharacter(heading, ';') > countCharacter(heading, ',');
  const separator = form === 'tsv' ? '\t' : isSemicolon ? ';' : ',';
  const [names = [], cells = []] = [heading, firstRow].map(line => line.split(separator).map(unquote));
  const findColumn = (columnName: string): string | undefined =>
    names.find(name => name === columnName || name.startsWith(`${columnName} `) || name.startsWith(`${columnName},`));
  return {
    timeColumn: findColumn('ts') ?? names[cells.findIndex(cell => parseInstant(cell) !== undefined)],
    valueColumn: defaultValueColumns.map(findColumn).find(name => name !== undefined),
    ...(findColumn(dayColumn) !== undefined && { isDaily: true }),
    dialect: isSemicolon ? 'semicolon' : 'standard',
    hasComments: heading !== lines[0],
  };
}

function countCharacter(text: string, char: string): number {
  return text.split(char).length - 1;
}

function unquote(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1]?.replaceAll('""', '"') ?? name;
}
