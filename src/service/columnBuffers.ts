import type { Column, Dictionary } from '../shared/frame.ts';

/** The memory of a column, to be given away with it: nothing is copied then, and the sender has it no longer. */
export function columnBuffers(column: Column): ArrayBuffer[] {
  const values = 'values' in column ? column.values : undefined;
  const buffers = [column.gaps, values, dictionaryOf(column)?.codes].map(array => array?.buffer);
  return buffers.filter(buffer => buffer instanceof ArrayBuffer);
}

/** The texts of a column, which are copied when it goes to another thread; undefined where it has none. */
export function dictionaryOf(column: Column): Dictionary | undefined {
  return column.kind === 'time' ? column.received : 'texts' in column ? column.texts : undefined;
}

/** The column with other texts in the places of its own; a column without texts as it is. */
export function withEntries(column: Column, entries: readonly string[]): Column {
  if ('texts' in column) return { ...column, texts: { ...column.texts, entries } };
  const received = column.kind === 'time' && column.received;
  return received ? { ...column, received: { ...received, entries } } : column;
}
