import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import type { Places } from './arrowLayout.ts';
import { fromRuns } from './months.ts';
import type { ColumnNotes } from './storedColumns.ts';

/** A column of a file: what is noted of it, and where its buffers are. */
export interface PlacedColumn extends ColumnNotes {
  readonly at: Places;
  readonly nullCount: number;
  /** Of a dictionary. */
  readonly entryCount: number;
}

/** The columns of a file as the decoder gave them; numbers are views on the file's bytes, which begin on 8 bytes. */
export function readColumns(file: Uint8Array, placed: readonly PlacedColumn[], rowCount: number): Column[] {
  const columns: Column[] = [];
  for (const column of placed) {
    const last = columns.at(-1);
    if (column.received && last?.kind === 'time') {
      columns[columns.length - 1] = { ...last, received: textsOf(file, column, rowCount, last.gaps) };
    } else columns.push(readColumn(file, column, rowCount));
  }
  return columns;
}

function readColumn(file: Uint8Array, column: PlacedColumn, rowCount: number): Column {
  const { kind, name, path, at } = column;
  const gaps = gapsOf(file, column, rowCount);
  const base = { name, path, ...(gaps && { gaps }) };
  switch (kind) {
    case 'number':
      return { ...base, kind, values: new Float64Array(file.buffer, file.byteOffset + at.values, rowCount) };
    case 'boolean': {
      const values = Uint8Array.from({ length: rowCount }, (_, row) => bitAt(file, at.values, row));
      return { ...base, kind, values };
    }
    case 'time':
      return { ...base, kind, values: instantsOf(file, at.values, rowCount, gaps) };
    case 'text':
    case 'nested':
      return { ...base, kind, texts: textsOf(file, column, rowCount, gaps) };
  }
}

function bitAt(file: Uint8Array, at: number, row: number): number {
  return ((file[at + (row >> 3)] ?? 0) >> (row & 7)) & 1;
}

function gapsOf(file: Uint8Array, { at, nullCount, absent }: PlacedColumn, rowCount: number): Uint8Array | undefined {
  if (nullCount === 0) return undefined;
  if (Array.isArray(absent)) return Uint8Array.from(fromRuns(absent as number[], rowCount));
  const state = absent === 'all' ? cellState.absent : cellState.null;
  const gaps = new Uint8Array(rowCount);
  for (let row = 0; row < rowCount; row++) if (bitAt(file, at.validity, row) === 0) gaps[row] = state;
  return gaps;
}

const half = 2 ** 32;

/** 64-bit integers as numbers, without a BigInt for each. */
function instantsOf(file: Uint8Array, at: number, rowCount: number, gaps: Uint8Array | undefined): Float64Array {
  const halves = new Int32Array(file.buffer, file.byteOffset + at, rowCount * 2);
  const values = new Float64Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const isGap = gaps && gaps[row] !== cellState.value;
    values[row] = isGap ? NaN : (halves[2 * row + 1] ?? 0) * half + ((halves[2 * row] ?? 0) >>> 0);
  }
  return values;
}

/** Null cells read as the empty text. */
function textsOf(
  file: Uint8Array,
  { at, entryCount, odd = {} }: PlacedColumn,
  rowCount: number,
  gaps: Uint8Array | undefined,
): Dictionary {
  const codes = new Uint32Array(file.buffer, file.byteOffset + at.values, rowCount).slice();
  const offsets = new Int32Array(file.buffer, file.byteOffset + at.offsets, entryCount + 1);
  const bytes = Buffer.from(file.buffer, file.byteOffset + at.bytes);
  // Not by a TextDecoder: it swallows a byte order mark.
  const entries = Array.from({ length: entryCount }, (_, place) => {
    return odd[place] ?? bytes.toString('utf8', offsets[place], offsets[place + 1]);
  });
  if (!gaps) return { codes, entries };
  let empty = entries.indexOf('');
  if (empty < 0) empty = entries.push('') - 1;
  for (let row = 0; row < rowCount; row++) if (gaps[row] !== cellState.value) codes[row] = empty;
  return { codes, entries };
}
