import type { ExportOptions } from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import { excelColumns, excelHeadingOf, headingOf, uniqueNames, type WrittenTable } from '../export/exportTable.ts';
import { formats } from '../export/formats.ts';
import { dataForms, type DataFile, type DataForm } from './dataFile.ts';
import { demandField, stressField } from '../../shared/fields.ts';
import { parseInstant } from '../time/instant.ts';

/** Describes exported data for a snippet; undefined if no snippet can read it, as for Markdown or without a heading. */
export function exportedData(table: WrittenTable, options: ExportOptions): Omit<DataFile, 'path'> | undefined {
  const { format, zone } = options;
  const { names: found } = formats[format];
  const form = dataForms.find(known => known === format);
  if (!form || !found) return undefined;
  const { time, columns: written } = table;
  const inSheet = found === 'sheetHeading' ? excelColumns(written, zone) : undefined;
  const columns = inSheet?.map(({ column }) => column) ?? written;
  const fields = columns.map(({ name }) => name);
  const names = {
    heading: () => headingOf(columns, options),
    fields: () => fields,
    uniqueFields: () => uniqueNames(fields),
    sheetHeading: () => inSheet && excelHeadingOf(inSheet, options),
  }[found]();
  if (!names) return undefined;
  // If a sheet has two time columns, the later one is in UTC.
  const nameOf = (wanted: (column: Column) => boolean): string | undefined => names[columns.findLastIndex(wanted)];
  const zoneOfDates = inSheet?.findLast(({ column }) => column === time)?.zone.timeZone;
  const isDelimited = format === 'csv' || format === 'tsv';
  return {
    form,
    columns: names,
    timeColumn: nameOf(column => column === time),
    valueColumn: usualValues.map(usual => nameOf(({ name }) => name === usual)).find(name => name !== undefined),
    timeZone: zone.timeZone,
    ...(columns.some(({ name }) => name === dayColumn) && { isDaily: true }),
    ...(zoneOfDates !== undefined && zoneOfDates !== zone.timeZone && { zoneOfDates }),
    ...(format === 'csv' && { dialect: options.dialect }),
    ...(isDelimited && { hasComments: options.provenance === 'comment' }),
  };
}

/** The form of a file by its extension, in lower case and without the dot. */
export const formOfEnding: Readonly<Record<string, DataForm>> = {
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
const usualValues = [demandField, stressField];

/** A column that only days have. */
const dayColumn = 'of_hours';

type Recognised = Pick<
  DataFile,
  'timeColumn' | 'headingSaysZone' | 'valueColumn' | 'isDaily' | 'dialect' | 'hasComments'
>;

/**
 * Detects the dialect of a delimited text from its beginning: separators, comments before the heading, and the names of columns. The
 * time column is `ts`, or else the first one with an instant in the first row. For any other form, and without a heading, returns the
 * default names.
 */
export function recogniseHead(head: string, form: DataForm): Recognised {
  const lines = head.replace(/^\uFEFF/, '').split(/\r?\n/);
  const [heading = '', first = ''] = lines.filter(line => !line.startsWith('#'));
  if (form === 'xlsx') return { timeColumn: 'ts', headingSaysZone: true };
  if ((form !== 'csv' && form !== 'tsv') || heading === '') return { timeColumn: 'ts' };
  const isSemicolon = form === 'csv' && count(heading, ';') > count(heading, ',');
  const separator = form === 'tsv' ? '\t' : isSemicolon ? ';' : ',';
  const [names = [], cells = []] = [heading, first].map(line => line.split(separator).map(unquoted));
  const named = (wanted: string): string | undefined =>
    names.find(name => name === wanted || name.startsWith(`${wanted} `) || name.startsWith(`${wanted},`));
  return {
    timeColumn: named('ts') ?? names[cells.findIndex(cell => parseInstant(cell) !== undefined)],
    valueColumn: usualValues.map(named).find(name => name !== undefined),
    ...(named(dayColumn) !== undefined && { isDaily: true }),
    dialect: isSemicolon ? 'semicolon' : 'standard',
    hasComments: heading !== lines[0],
  };
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function unquoted(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1]?.replaceAll('""', '"') ?? name;
}
