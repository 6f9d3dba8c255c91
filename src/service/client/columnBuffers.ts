import { dictionaryOf, type Column } from '../../shared/frame.ts';

/** The memory of a column, to be given away with it: nothing is copied then, and the sender has it no longer. */
export function columnBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const hours = column.kind === 'number' ? column.hours : undefined;
  const buffers = [column.gaps, values, hours, dictionaryOf(column)?.codes].map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}
