import {
  Bool,
  type Data,
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromIPC,
  tableToIPC,
  TimestampMillisecond,
  Utf8,
  type Vector,
} from 'apache-arrow';

/** The texts of a dictionary in UTF-8: where each begins in `bytes`, and the end of the last. */
interface EncodedTexts {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** The buffers of a column, as Arrow has them. */
export interface ArrowColumn {
  /** Doubles, UTC milliseconds, bits, or indexes into `texts`. */
  readonly values: Float64Array | BigInt64Array | Uint8Array | Int32Array;
  readonly nullCount: number;
  /** A bit for each row, 1 where there is a value; empty where all rows have one. */
  readonly validity: Uint8Array;
  readonly texts?: EncodedTexts;
}

export interface FieldNotes {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An Arrow IPC file of one record batch. `columns[i]` belongs to `fields[i]`. */
export function writeArrow(
  fields: readonly FieldNotes[],
  columns: readonly ArrowColumn[],
  rowCount: number,
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const children = columns.map((column, id) => dataOf(column, rowCount, id));
  const arrowFields = fields.map(
    ({ name, metadata: notes }, at) =>
      new Field(name, children[at]?.type ?? new Float64(), true, new Map(Object.entries(notes))),
  );
  const schema = new Schema(arrowFields, new Map(Object.entries(metadata)));
  const data = makeData({ type: new Struct(arrowFields), length: rowCount, nullCount: 0, children });
  return tableToIPC(new Table(schema, [new RecordBatch(schema, data)]), 'file');
}

function dataOf({ values, nullCount, validity, texts }: ArrowColumn, length: number, id: number): Data {
  const base = { length, nullCount, ...(nullCount > 0 && { nullBitmap: validity }) };
  if (values instanceof Float64Array) return makeData({ type: new Float64(), data: values, ...base });
  if (values instanceof BigInt64Array)
    return makeData({ type: new TimestampMillisecond('UTC'), data: values, ...base });
  if (values instanceof Uint8Array) return makeData({ type: new Bool(), data: values, ...base });
  const { offsets, bytes } = texts ?? { offsets: new Int32Array(1), bytes: new Uint8Array() };
  const entries = { type: new Utf8(), length: offsets.length - 1, nullCount: 0, valueOffsets: offsets, data: bytes };
  const dictionary: Vector<Utf8> = makeVector(makeData(entries));
  return makeData({ type: new Dictionary(new Utf8(), new Int32(), id), data: values, dictionary, ...base });
}

/** The columns and the schema's metadata of a file, as views of its bytes. Throws for what `writeArrow` does not write. */
export function readArrow(file: Uint8Array): {
  readonly metadata: ReadonlyMap<string, string>;
  readonly rowCount: number;
  readonly columns: readonly ArrowColumn[];
} {
  const { schema, batches } = tableFromIPC(file);
  if (batches.length > 1) throw new RangeError('several record batches');
  const data = batches[0]?.data;
  const columns = (data?.children ?? []).map(({ values, nullCount, nullBitmap, dictionary }: Data): ArrowColumn => {
    const entries = dictionary?.data[0] as Data<Utf8> | undefined;
    return {
      values: values as ArrowColumn['values'],
      nullCount,
      validity: nullCount > 0 ? nullBitmap : new Uint8Array(),
      ...(entries && {
        texts: { offsets: entries.valueOffsets.subarray(0, entries.length + 1), bytes: entries.values },
      }),
    };
  });
  return { metadata: schema.metadata, rowCount: data?.length ?? 0, columns };
}
