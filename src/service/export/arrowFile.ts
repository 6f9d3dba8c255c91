import {
  bool,
  type Column as ArrowColumn,
  dictionary,
  Endianness,
  field,
  float64,
  int32,
  Table,
  tableToIPC,
  timestamp,
  TimeUnit,
  Version,
} from '@uwdata/flechette';
import { type TableToWrite, uniqueNames } from '../../core/export/exportTable.ts';
import { cellState, type Column } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { createArrowColumn, createArrowTexts } from '../files/arrowColumn.ts';
import { type ByteChunk, createColumnMetadata, createProvenanceMetadata } from './byteChunk.ts';

/** The size of a chunk of the file in bytes. */
const chunkBytes = 1_000_000;

/**
 * Writes an Arrow IPC file (Feather): doubles, UTC timestamps in milliseconds, booleans, and dictionaries for texts and JSON. Null and absent
 * cells both become null. A second column with the same name is numbered.
 */
export function* arrowChunks(
  table: TableToWrite,
  _options: ExportOptions,
  provenance: ExportProvenance | undefined,
): Generator<ByteChunk> {
  const { columns, rowCount } = table;
  const names = uniqueNames(columns.map(({ name }) => name));
  const children: ArrowColumn<unknown>[] = [];
  const fields = [];
  for (const [index, column] of columns.entries()) {
    const arrowColumn = toArrowColumn(column, table);
    // Allows a pause after each column.
    yield { bytes: new Uint8Array(), rowsDone: 0 };
    children.push(arrowColumn);
    fields.push(field(names[index] ?? '', arrowColumn.type, true, toMap(createColumnMetadata(column))));
  }
  const metadata = toMap(createProvenanceMetadata(provenance));
  const schema = { version: Version.V5, endianness: Endianness.Little, fields, metadata };
  const chunks: Uint8Array[] = [];
  const sink = {
    write: (bytes: Uint8Array) => void chunks.push(bytes),
    pad: (count: number) => void chunks.push(new Uint8Array(count)),
    finish: () => null,
  };
  tableToIPC(new Table(schema, children), { format: 'file', sink });
  for (let from = 0, to = 0; from < chunks.length; from = to) {
    let length = 0;
    while (to < chunks.length && length < chunkBytes) length += chunks[to++]?.length ?? 0;
    yield { bytes: Buffer.concat(chunks.slice(from, to)), rowsDone: rowCount };
  }
}

function toArrowColumn(column: Column, table: TableToWrite): ArrowColumn<unknown> {
  const { rows, rowCount: length } = table;
  const getRow = (index: number): number => (rows ? (rows[index] ?? 0) : index);
  const valid = { length, ...packValidity(column, length, getRow) };
  switch (column.kind) {
    case 'number': {
      const { values } = column;
      const numbers = rows ? new Float64Array(length).map((_, index) => values[getRow(index)] ?? NaN) : values;
      return createArrowColumn(float64(), { ...valid, values: numbers.subarray(0, length) });
    }
    case 'time': {
      // Writes whole milliseconds as 64-bit integers without a BigInt for each; a null is 0.
      const values = new Int32Array(2 * length).map((_, half) => {
        const ms = Math.floor(column.values[getRow(half >> 1)] ?? 0);
        return half % 2 === 0 ? ms % 2 ** 32 : Math.floor(ms / 2 ** 32);
      });
      return createArrowColumn(timestamp(TimeUnit.MILLISECOND, 'UTC'), { ...valid, values });
    }
    case 'boolean': {
      const values = packBits(length, index => column.values[getRow(index)] === 1);
      return createArrowColumn(bool(), { ...valid, values });
    }
    case 'text':
    case 'nested': {
      const { entries, values } = encodeEntries(column, length, getRow);
      return createArrowColumn(dictionary(entries.type, int32()), { ...valid, values }, entries);
    }
  }
}

function packValidity(
  column: Column,
  length: number,
  getRow: (index: number) => number,
): { nullCount: number; validity?: Uint8Array } {
  const { gaps } = column;
  const times = column.kind === 'time' ? column.values : undefined;
  if (!gaps && !times) return { nullCount: 0 };
  let nullCount = 0;
  const validity = packBits(length, index => {
    const row = getRow(index);
    const hasValue = (!gaps || gaps[row] === cellState.value) && (!times || Number.isFinite(times[row]));
    if (!hasValue) nullCount++;
    return hasValue;
  });
  return nullCount > 0 ? { nullCount, validity } : { nullCount };
}

function packBits(length: number, isSet: (index: number) => boolean): Uint8Array {
  const bytes = new Uint8Array((length + 7) >> 3);
  for (let index = 0; index < length; index++) {
    if (isSet(index)) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

/** Encodes the distinct entries of the written rows, with the index of each row's entry. */
function encodeEntries(
  { texts: { codes, entries }, gaps }: Column & { readonly kind: 'text' | 'nested' },
  length: number,
  getRow: (index: number) => number,
): { readonly entries: ArrowColumn<unknown>; readonly values: Int32Array } {
  // The index among the used entries plus one; 0 for an entry that is not used yet.
  const codeIndexes = new Uint32Array(entries.length);
  const used: string[] = [];
  const values = new Int32Array(length).map((_, index) => {
    const row = getRow(index);
    const code = codes[row] ?? 0;
    if (gaps && gaps[row] !== cellState.value) return 0;
    return (codeIndexes[code] ||= used.push(entries[code] ?? '')) - 1;
  });
  const offsets = new Int32Array(used.length + 1);
  const encoded: Uint8Array[] = [];
  for (const [index, text] of used.entries()) {
    // Texts are encoded separately, since surrogates at the end of one text and the beginning of the next would become one character.
    const bytes = Buffer.from(text);
    encoded.push(bytes);
    offsets[index + 1] = (offsets[index] ?? 0) + bytes.length;
  }
  return { entries: createArrowTexts(offsets, Buffer.concat(encoded)), values };
}

function toMap(record: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(record));
}
