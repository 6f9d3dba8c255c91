// From the files of the library: its own list of them keeps its builders in the bundle, an eighth of it.
import { type Data, makeData } from 'apache-arrow/data';
import { Message } from 'apache-arrow/ipc/metadata/message';
import { RecordBatchReader } from 'apache-arrow/ipc/reader';
import { RecordBatchFileWriter } from 'apache-arrow/ipc/writer';
import { RecordBatch } from 'apache-arrow/recordbatch';
import { Field, Schema } from 'apache-arrow/schema';
import { Bool, Dictionary, Float64, Int32, Struct, TimestampMillisecond, Utf8 } from 'apache-arrow/type';
import { makeVector } from 'apache-arrow/vector';
import type { ColumnNotes, StoredColumn } from './storedColumns.ts';

/** Where in a file the buffers of a column begin; 0 for one that is not there. */
export interface Places {
  readonly validity: number;
  readonly values: number;
  readonly offsets: number;
  readonly bytes: number;
}

/** An Arrow IPC file without its data, and where the data belongs. For all data of the same shape. */
interface ArrowLayout {
  readonly file: Uint8Array;
  readonly columns: readonly ColumnLayout[];
}

interface ColumnLayout {
  readonly at: Places;
  /** Where the number of nulls is, 64 bits; undefined where there are none. */
  readonly nullCountAt: number | undefined;
}

/**
 * Lays out Arrow IPC files. The library does that for the first of each shape (fields, rows, lengths of dictionaries); nearly
 * all months of a response have the same shape, and only their data is filled in.
 */
export class ArrowLayouts {
  readonly #known = new Map<string, ArrowLayout>();

  layoutFor(columns: readonly StoredColumn[], rowCount: number): ArrowLayout {
    const shape = JSON.stringify([rowCount, ...columns.map(shapeOf)]);
    let layout = this.#known.get(shape);
    if (!layout) this.#known.set(shape, (layout = layOut(columns, rowCount)));
    return layout;
  }
}

/** Writes data into a copy of its layout. */
export function fillIn(file: Uint8Array, layout: ArrowLayout, columns: readonly StoredColumn[]): void {
  const view = new DataView(file.buffer, file.byteOffset);
  layout.columns.forEach(({ at, nullCountAt }, index) => {
    const column = columns[index];
    if (!column) return;
    for (const buffer of ['validity', 'values', 'offsets', 'bytes'] as const)
      if (at[buffer] > 0) file.set(column[buffer], at[buffer]);
    if (nullCountAt !== undefined) view.setBigInt64(nullCountAt, BigInt(column.nullCount), true);
  });
}

function shapeOf({ notes, nullCount, offsets, bytes }: StoredColumn): unknown[] {
  const { kind, received, name, path, unit } = notes;
  return [kind, received, name, path, unit, nullCount > 0, offsets.length, bytes.length];
}

/** A placeholder for the count of nulls in a layout, which can be found there since all data is zero. */
const nullCountPlaceholder = 0x5ea1_0000;

function layOut(columns: readonly StoredColumn[], rowCount: number): ArrowLayout {
  const names = new Set<string>();
  const fields: Field[] = [];
  const children = columns.map((column, index) => {
    const data = emptyData(column, rowCount, index);
    fields.push(new Field(fieldName(column.notes, names), data.type, true, fieldNotes(column.notes)));
    return data;
  });
  const schema = new Schema(fields);
  const writer = new ArrowFileWriter();
  const type = new Struct(fields);
  if (rowCount === 0) writer.reset(undefined, schema);
  else writer.write(new RecordBatch(schema, makeData({ type, length: rowCount, nullCount: 0, children })));
  writer.finish();
  const file = Buffer.from(writer.toUint8Array(true));
  const [batch] = RecordBatchReader.from(file);
  const places = columns.map((column, index) => placesOf(file, batch?.data.children[index], column, index));
  return { file, columns: places };
}

function emptyData({ notes, nullCount, ...buffers }: StoredColumn, length: number, index: number): Data {
  const validity =
    nullCount > 0 ? { nullCount: nullCountPlaceholder + index, nullBitmap: blank(buffers.validity) } : { nullCount };
  switch (notes.received ? 'text' : notes.kind) {
    case 'number':
      return makeData({ type: new Float64(), length, data: new Float64Array(length), ...validity });
    case 'boolean':
      return makeData({ type: new Bool(), length, data: blank(buffers.values), ...validity });
    case 'time':
      return makeData({ type: new TimestampMillisecond('UTC'), length, data: new BigInt64Array(length), ...validity });
    case 'text':
    case 'nested': {
      const [offsets, data] = [new Int32Array(buffers.offsets.length / 4), blank(buffers.bytes)];
      // Only the last offset says where the data ends.
      offsets[offsets.length - 1] = data.length;
      const entries = { type: new Utf8(), length: offsets.length - 1, nullCount: 0, valueOffsets: offsets, data };
      const type = new Dictionary(new Utf8(), new Int32(), index);
      return makeData({
        type,
        length,
        data: new Int32Array(length),
        dictionary: makeVector(makeData(entries)),
        ...validity,
      });
    }
  }
}

function blank({ length }: Uint8Array): Uint8Array {
  return new Uint8Array(length);
}

/** Where each buffer is, according to the library's own reader. */
function placesOf(file: Buffer, data: Data | undefined, { nullCount }: StoredColumn, index: number): ColumnLayout {
  const placeOf = (view: ArrayBufferView | undefined): number => {
    return view && view.byteLength > 0 ? view.byteOffset - file.byteOffset : 0;
  };
  const entries = data?.dictionary?.data[0] as Data<Utf8> | undefined;
  const placeholder = Buffer.alloc(8);
  placeholder.writeUInt32LE(nullCountPlaceholder + index);
  return {
    at: {
      validity: nullCount > 0 ? placeOf(data?.nullBitmap) : 0,
      values: placeOf(data?.values as Uint8Array | undefined),
      offsets: placeOf(entries?.valueOffsets),
      bytes: placeOf(entries?.values),
    },
    nullCountAt: nullCount > 0 && data ? file.indexOf(placeholder) : undefined,
  };
}

/** The service's own name, except for received texts, which are an additional column in Arrow. */
function fieldName({ name, received }: ColumnNotes, taken: Set<string>): string {
  let field = received ? `${name} (received)` : name;
  while (taken.has(field)) field += "'";
  taken.add(field);
  return field;
}

/** Metadata for other readers. */
function fieldNotes({ kind, received, path, unit }: ColumnNotes): Map<string, string> {
  const notes = { kind: received ? 'received' : kind, path: JSON.stringify(path), ...(unit && { unit }) };
  return new Map(Object.entries(notes));
}

/** Also writes the schema at the beginning, as the format requires: readers of streams need it there. */
export class ArrowFileWriter extends RecordBatchFileWriter {
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema);
    return this._writeMessage(Message.from(schema));
  }
}
