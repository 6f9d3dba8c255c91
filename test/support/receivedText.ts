import type { Frame } from '../../src/shared/frame.ts';
import { delimitedLayout, standardCsv } from '../../src/core/export/delimited.ts';
import { receivedTimes } from '../../src/core/export/isoTime.ts';
import { jsonLayout } from '../../src/core/export/jsonRecords.ts';
import { wholeText } from '../../src/core/export/cellWriter.ts';

/** The frame as standard CSV with times as received. */
export function toCsv({ columns, rowCount }: Frame): string {
  const names = columns.map(({ name }) => name);
  return wholeText(delimitedLayout(columns, names, receivedTimes(), standardCsv), { rowCount });
}

/** A JSON array of the records as received, one record a line. */
export function toJsonRecords({ columns, rowCount }: Frame): string {
  return wholeText(jsonLayout(columns, receivedTimes()), { rowCount });
}
