import { parse } from 'csv-parse/sync';
import { CsvError } from 'csv-parse/sync';
import { oneLine } from '../../core/inertText.ts';
import type { Measurements, Reading } from '../gridHour.ts';
import { hourMs } from '../hours.ts';
import { SandboxError } from '../sandboxError.ts';
import { parsePortalTime } from './portalTime.ts';
import { PortalHeader, portalColumns } from './portalColumns.ts';
import { waysToRejoin } from './splitDecimals.ts';

/** The readings of one hour, counted from 1970-01-01T00:00Z. */
export interface EskomHour {
  readonly hour: number;
  readonly measured: Measurements;
}

interface Row {
  readonly fields: readonly string[];
  readonly line: number;
}

const exportAgain = 'export the hours again from the Eskom Data Portal';

/**
 * Reads a file exported from the Eskom Data Portal, in the order of its rows: an hour may come twice. Throws a SandboxError that names file, line and
 * what is wrong. `fileName` is for these sentences only.
 */
export function readEskomFile(text: string, fileName: string): EskomHour[] {
  const [first, ...rows] = readRows(text, fileName);
  if (!first) throw new SandboxError(`${fileName} is empty; ${exportAgain}.`);
  const header = new PortalHeader(first.fields);
  const readTime = timeReader(header, fileName);
  const places = placesOf(header, fileName);
  const hours: EskomHour[] = [];
  for (const row of rows) {
    const fault = (what: string) =>
      new SandboxError(`${fileName}, line ${row.line}: ${what}; correct the line, or ${exportAgain}.`);
    const fields = wholeFields(row, header, places, fault);
    const time = readTime(fields);
    if (time.instant === undefined || time.instant % hourMs !== 0)
      throw fault(`"${shorten(time.text)}" is not the beginning of an hour such as 2023-01-31 14:00:00`);
    const hour = time.instant / hourMs;
    const measured = readMeasurements(fields, places, fault);
    // The portal lists hours to come with a forecast alone.
    if (measured) hours.push({ hour, measured });
  }
  if (hours.length === 0) throw new SandboxError(`${fileName} holds no hours; ${exportAgain}.`);
  return hours;
}

function readRows(text: string, fileName: string): Row[] {
  const head = text.slice(0, text.search(/\r|\n|$/));
  const delimiter = [',', ';', '\t'].find(mark => head.includes(mark)) ?? ',';
  try {
    const rows = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(row => ({ fields: row.record, line: row.info.lines }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `, line ${error['lines']}` : '';
    throw new SandboxError(
      `${fileName}${line} is not well-formed CSV (a quotation mark out of place?); ${exportAgain}.`,
    );
  }
}

interface PortalTime {
  readonly text: string;
  readonly instant: number | undefined;
}

/** The portal has two layouts: one column with date and hour, or two columns. */
function timeReader(header: PortalHeader, fileName: string): (fields: readonly string[]) => PortalTime {
  const places = [['Date Time Hour Beginning'], ['Date_Time', 'Time_Hr']]
    .map(layout => layout.map(name => header.place(name) ?? -1))
    .find(layout => !layout.includes(-1));
  if (!places)
    throw new SandboxError(
      `${fileName}, line 1: there is no column "Date Time Hour Beginning", nor "Date_Time" with "Time_Hr"; ${exportAgain}.`,
    );
  return fields => {
    const text = places.map(place => fields[place]).join(' ');
    return { text, instant: parsePortalTime(text) };
  };
}

type Places = readonly (readonly [reading: keyof Measurements, place: number])[];

function placesOf(header: PortalHeader, fileName: string): Places {
  const readings = Object.keys(portalColumns) as (keyof Measurements)[];
  const missing = readings.filter(reading => header.place(portalColumns[reading]) === undefined);
  if (missing.length > 0) {
    const names = missing.map(reading => `"${portalColumns[reading]}"`).join(', ');
    throw new SandboxError(`${fileName}, line 1: missing column ${names}; ${exportAgain} with all columns.`);
  }
  return readings.map(reading => [reading, header.place(portalColumns[reading]) ?? -1] as const);
}

/** The row's fields, one a column; decimal commas that split numbers are mended where that is certain. */
function wholeFields(
  { fields }: Row,
  header: PortalHeader,
  places: Places,
  fault: (what: string) => SandboxError,
): readonly string[] {
  const { columns } = header;
  if (fields.length === columns) return fields;
  // A row with one comma too many could be bent into shape: where the file has sums to check, they must be right.
  const ways = fields.length < columns ? [] : waysToRejoin(fields, columns);
  const [whole, ...others] = ways?.filter(way => header.addsUp(way) !== false) ?? [];
  if (ways && !whole) throw fault(`${fields.length} fields where the header has ${columns}`);
  // Ways that differ only in columns nobody reads are as good as one.
  if (whole && others.every(other => places.every(([, place]) => other[place] === whole[place]))) return whole;
  throw fault('its decimal commas cannot be told from the commas between fields');
}

const decimal = /^-?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** Undefined for a row with nothing measured in it. */
function readMeasurements(
  fields: readonly string[],
  places: Places,
  fault: (what: string) => SandboxError,
): Measurements | undefined {
  let measuredCount = 0;
  const entries = places.map(([reading, place]): [string, Reading] => {
    const text = fields[place] ?? '';
    if (text === '') return [reading, null];
    if (!decimal.test(text)) throw fault(`"${shorten(text)}" under "${portalColumns[reading]}" is not a number`);
    if (reading !== 'residualForecast') measuredCount++;
    return [reading, Number(text.replace(',', '.')) + 0];
  });
  return measuredCount > 0 ? (Object.fromEntries(entries) as Record<keyof Measurements, Reading>) : undefined;
}

/** Without the codes that a terminal would obey. */
function shorten(text: string): string {
  return oneLine(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
