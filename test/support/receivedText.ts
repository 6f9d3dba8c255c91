import type { Frame } from '../../src/shared/frame.ts';
import { createDelimitedLayout, standardCsv } from '../../src/core/export/delimited.ts';
import { createReceivedTimeFormatter } from '../../src/core/export/timeFormatters.ts';
import { createJsonLayout } from '../../src/core/export/jsonRecords.ts';
import { writeWholeText } from '../../src/core/export/cellWriter.ts';

/** Formats the frame as standard CSV with times as received. */
export function toCsv({ columns, rowCount }: Frame): string {
  const names = columns.map(({ name }) => name);
  return writeWholeText(createDelimitedLayout(columns, names, createReceivedTimeFormatter(), standardCsv), {
    rowCount,
  });
}

/** Formats the frame as a JSON array of the records as received, one per line. */
export function toJsonRecords({ columns, rowCount }: Frame): string {
  return writeWholeText(createJsonLayout(columns, createReceivedTimeFormatter()), { rowCount });
}
