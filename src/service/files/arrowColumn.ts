import { Batch, batchType, Column, utf8, type DataType, type TypedArray } from '@uwdata/flechette';

interface ArrowBuffers {
  /** The number of rows. */
  readonly length: number;
  readonly nullCount: number;
  /** A bit for each row, 1 for a value; only required if there are nulls. */
  readonly validity?: Uint8Array;
  /** The values in the format of a file. */
  readonly values: TypedArray;
}

/** Creates a column to write. Its buffers are not copied. `entries`: the dictionary that the values are indexes of. */
export function createArrowColumn(type: DataType, buffers: ArrowBuffers, entries?: Column<unknown>): Column<unknown> {
  const options = { type, validity: new Uint8Array(), ...buffers };
  if (!entries) return new Column([new Batch(options)]);
  const DictionaryBatch = batchType(type) as new (batchOptions: typeof options) => {
    setDictionary: (dictionary: typeof entries) => Batch<unknown>;
  };
  return new Column([new DictionaryBatch(options).setDictionary(entries)]);
}

/** Creates a dictionary from UTF-8 bytes, and the offset of each text and of the end of the last. */
export function createArrowTexts(offsets: Int32Array, bytes: Uint8Array): Column<unknown> {
  const texts = { type: utf8(), length: offsets.length - 1, nullCount: 0, validity: new Uint8Array() };
  // The library creates arrays with the constructor of the values, and that of Buffer prints a warning.
  const values = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Column([new Batch({ ...texts, offsets, values })]);
}
