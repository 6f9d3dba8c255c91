import { Batch, batchType, Column, utf8, type DataType, type TypedArray } from '@uwdata/flechette';

interface ArrowBuffers {
  /** Rows. */
  readonly length: number;
  readonly nullCount: number;
  /** A bit a row, 1 where there is a value; needed only where there are nulls. */
  readonly validity?: Uint8Array;
  /** As they are in a file. */
  readonly values: TypedArray;
}

/** A column to write. Its buffers are not copied. `entries`: what the values of a dictionary's column are places of. */
export function arrowColumn(type: DataType, buffers: ArrowBuffers, entries?: Column<unknown>): Column<unknown> {
  const options = { type, validity: new Uint8Array(), ...buffers };
  if (!entries) return new Column([new Batch(options)]);
  const Codes = batchType(type) as new (from: typeof options) => {
    setDictionary: (of: typeof entries) => Batch<unknown>;
  };
  return new Column([new Codes(options).setDictionary(entries)]);
}

/** The entries of a dictionary: UTF-8, and where each begins and the last ends. */
export function arrowTexts(offsets: Int32Array, bytes: Uint8Array): Column<unknown> {
  const texts = { type: utf8(), length: offsets.length - 1, nullCount: 0, validity: new Uint8Array() };
  return new Column([new Batch({ ...texts, offsets, values: bytes })]);
}
