import type { ExportOptions } from '../../shared/exportOptions.ts';
import type { Column } from '../../shared/frame.ts';
import { excelColumns, excelHeadingOf, headingOf, uniqueNames, type WrittenTable } from '../export/exportTable.ts';
import { formats } from '../export/formats.ts';
import { dataForms, type DataFile } from './dataFile.ts';
import { dayColumn, usualValues } from './recognise.ts';

/**
 * What an export writes, as a program has to know it to read it; undefined for what no program here reads: Markdown, and a
 * table without a heading.
 */
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
  // Of instants that stand there twice the later ones are in UTC.
  const nameOf = (wanted: (column: Column) => boolean): string | undefined => names[columns.findLastIndex(wanted)];
  const zoneOfDates = inSheet?.findLast(({ column }) => column === time)?.zone.timeZone;
  const isDelimited = format === 'csv' || format === 'tsv';
  return {
    form,
    timeColumn: nameOf(column => column === time),
    valueColumn: usualValues.map(usual => nameOf(({ name }) => name === usual)).find(name => name !== undefined),
    timeZone: zone.timeZone,
    ...(columns.some(({ name }) => name === dayColumn) && { isDaily: true }),
    ...(zoneOfDates !== undefined && zoneOfDates !== zone.timeZone && { zoneOfDates }),
    ...(format === 'csv' && { dialect: options.dialect }),
    ...(isDelimited && { hasComments: options.provenance === 'comment' }),
  };
}
