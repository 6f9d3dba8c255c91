import { demandField, stressField } from '../../shared/fields.ts';
import { parseInstant } from '../time/instant.ts';
import type { DataFile, DataForm } from './dataFile.ts';

/** The ending of a file's name says what is in it; without the dot, in lower case. */
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

/** The columns worth a first look, those first that a person asks for most. */
export const usualValues = [demandField, stressField];

/** Only days have this column. */
export const dayColumn = 'of_hours';

type Recognised = Pick<
  DataFile,
  'timeColumn' | 'headingSaysZone' | 'valueColumn' | 'isDaily' | 'dialect' | 'hasComments'
>;

/**
 * What the beginning of a delimited text says of it: its dialect, comments before the heading, and the names of columns; that
 * of instants is `ts`, or whichever has one in the first row. Of any other form, and of text without a heading, the usual
 * names are taken to be there.
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
