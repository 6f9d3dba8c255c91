import { cellTexts } from './cellTexts.ts';
import type { CopyRange } from './copyRange.ts';
import { csvLines, tsvLines } from './delimited.ts';
import { jsonLines } from './jsonRecords.ts';
import { markdownLines } from './markdown.ts';

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';

/**
 * The range as text, without a line end after the last line. Values are exact whatever the table rounds: numbers to the last
 * digit with a decimal point, times as ISO 8601 with the offset of the zone, a gap as an empty cell (JSON: null, or no key
 * where the field was absent). `headers` means nothing in JSON, whose keys are the service's own. Throws a RangeError above
 * the longest text there is (about 500 million characters).
 */
export function copyText(range: CopyRange, format: CopyFormat, headers: boolean): string {
  return Array.from(copyLines(range, format, headers)).join(format === 'csv' ? '\r\n' : '\n');
}

/** The lines, without their ends. */
function copyLines(range: CopyRange, format: CopyFormat, headers: boolean): Iterable<string> {
  const textOf = cellTexts(range.zone.timeZone);
  const heading = headers ? headersOf(range) : undefined;
  switch (format) {
    case 'tsv':
      return tsvLines(range, heading, textOf);
    case 'csv':
      return csvLines(range, heading, textOf);
    case 'json':
      return jsonLines(range, textOf);
    case 'markdown':
      return markdownLines(range, heading, textOf);
  }
}

/**
 * The service's field names, since they carry their unit (`residual_demand_mw`), are the same in every language, and join with
 * exports and code; a time column says its zone as well (`ts (SAST)`), which no name tells.
 */
function headersOf({ columns, zone }: CopyRange): string[] {
  const shortZone = zone.label.replace(/ \(.*\)$/, '');
  return columns.map(({ name, kind }) => (kind === 'time' ? `${name} (${shortZone})` : name));
}
