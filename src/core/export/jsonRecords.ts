import type { Column } from '../../shared/frame.ts';
import { columnTree, recordWriter } from '../frame/rows.ts';
import { type CellStyle, cellWriter, rowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeText } from './isoTime.ts';

/**
 * A JSON array of the records, one for each line, nested as by the service. A null is `null`, an absent field has no key. NaN and the
 * infinities, which JSON lacks, are the strings "NaN", "Infinity" and "-Infinity".
 */
export function jsonLayout(columns: readonly Column[], time: TimeText): TextLayout {
  const rows = rowByRow(records(columns, time), ',\n  ');
  return { head: '[\n  ', rows, between: ',\n  ', foot: '\n]\n', empty: '[]\n' };
}

/** One record on each line (JSON Lines), as `jsonLayout` writes them. */
export function ndjsonLayout(columns: readonly Column[], time: TimeText): TextLayout {
  return { head: '', rows: rowByRow(records(columns, time), '\n'), between: '\n', foot: '\n', empty: '' };
}

function records(columns: readonly Column[], time: TimeText): (row: number) => string {
  const style: CellStyle = {
    text: text => JSON.stringify(text),
    // "Infinity" ends with y.
    number: digits => (digits.endsWith('y') || digits === 'NaN' ? `"${digits}"` : digits),
    nested: json => json,
    null: 'null',
    absent: undefined,
    time,
  };
  return recordWriter(columnTree(columns), column => cellWriter(column, style));
}
