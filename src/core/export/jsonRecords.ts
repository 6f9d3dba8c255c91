import type { Column } from '../../shared/frame.ts';
import { columnTree, recordWriter } from '../frame/rows.ts';
import { type CellStyle, cellWriter, rowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';

/**
 * Writes a JSON array with one record per line, nested like the service's records. A null is `null`, an absent field has no key. NaN and
 * the infinities, which JSON lacks, are the strings "NaN", "Infinity" and "-Infinity".
 */
export function jsonLayout(columns: readonly Column[], time: TimeText): TextLayout {
  const rows = rowByRow(records(columns, time), ',\n  ');
  return { head: '[\n  ', rows, between: ',\n  ', foot: '\n]\n', empty: '[]\n' };
}

/** Writes one record per line (JSON Lines), in the format of `createJsonLayout`. */
export function ndjsonLayout(columns: readonly Column[], time: TimeText): TextLayout {
  return { head: '', rows: rowByRow(records(columns, time), '\n'), between: '\n', foot: '\n', empty: '' };
}

function records(columns: readonly Column[], time: TimeText): (row: number) => string {
  const style: CellStyle = {
    text: text => JSON.stringify(text),
    // Matches "Infinity", which ends with y.
    number: digits => (digits.endsWith('y') || digits === 'NaN' ? `"${digits}"` : digits),
    nested: json => json,
    null: 'null',
    absent: undefined,
    time,
  };
  return recordWriter(columnTree(columns), column => cellWriter(column, style));
}
