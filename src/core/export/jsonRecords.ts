import type { Column } from '../../shared/frame.ts';
import { buildColumnTree, createRecordWriter } from '../frame/records.ts';
import { type CellStyle, createCellWriter, writeRowByRow, type TextLayout } from './cellWriter.ts';
import type { TimeFormatter } from './timeFormatters.ts';

/**
 * Writes a JSON array with one record per line, nested like the service's records. A null is `null`, an absent field has no key. NaN and
 * the infinities, which JSON lacks, are the strings "NaN", "Infinity" and "-Infinity".
 */
export function createJsonLayout(columns: readonly Column[], time: TimeFormatter): TextLayout {
  const rows = writeRowByRow(createRecordWriters(columns, time), ',\n  ');
  return { head: '[\n  ', rows, between: ',\n  ', foot: '\n]\n', empty: '[]\n' };
}

/** Writes one record per line (JSON Lines), in the format of `createJsonLayout`. */
export function createNdjsonLayout(columns: readonly Column[], time: TimeFormatter): TextLayout {
  return {
    head: '',
    rows: writeRowByRow(createRecordWriters(columns, time), '\n'),
    between: '\n',
    foot: '\n',
    empty: '',
  };
}

function createRecordWriters(columns: readonly Column[], time: TimeFormatter): (row: number) => string {
  const style: CellStyle = {
    text: text => JSON.stringify(text),
    // Matches "Infinity", which ends with y.
    number: digits => (digits.endsWith('y') || digits === 'NaN' ? `"${digits}"` : digits),
    nested: json => json,
    null: 'null',
    absent: undefined,
    time,
  };
  return createRecordWriter(buildColumnTree(columns), column => createCellWriter(column, style));
}
