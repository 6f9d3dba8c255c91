import {
  type Batch,
  bool,
  type Column,
  dictionary,
  Endianness,
  field,
  float64,
  int32,
  Table,
  tableFromIPC,
  tableToIPC,
  timestamp,
  TimeUnit,
  Version,
} from '@uwdata/flechette';
import { createArrowColumn, createArrowTexts } from '../files/arrowColumn.ts';

/** The texts of a dictionary in UTF-8: the offset of each text in `bytes`, and of the end of the last. */
interface EncodedTexts {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** The buffers of a column in Arrow's format. */
export interface ArrowColumn {
  /** Doubles, UTC milliseconds, bits, or indexes into `texts`. */
  readonly values: Float64Array | BigInt64Array | Uint8Array | Int32Array;
  readonly nullCount: number;
  /** A bit for each row, 1 for a value; empty if all rows have one. */
  readonly validity: Uint8Array;
  readonly texts?: EncodedTexts;
}

export interface FieldMetadata {
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Writes an Arrow IPC file with one record batch. `columns[i]` belongs to `fields[i]`. */
export function writeArrow(
  fields: readonly FieldMetadata[],
  columns: readonly ArrowColumn[],
  rowCount: number,
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const children = columns.map(column => toColumn(column, rowCount));
  const schema = {
    version: Version.V5,
    endianness: Endianness.Little,
    fields: fields.map(({ name, metadata: notes }, index) =>
      field(name, children[index]?.type ?? float64(), true, new Map(Object.entries(notes))),
    ),
    metadata: new Map(Object.entries(metadata)),
  };
  return tableToIPC(new Table(schema, children), { format: 'file' }) ?? new Uint8Array();
}

function toColumn({ values, nullCount, validity, texts }: ArrowColumn, length: number): Column<unknown> {
  const buffers = { length, nullCount, validity, values };
  if (values instanceof Float64Array) return createArrowColumn(float64(), buffers);
  if (values instanceof BigInt64Array) return createArrowColumn(timestamp(TimeUnit.MILLISECOND, 'UTC'), buffers);
  if (values instanceof Uint8Array) return createArrowColumn(bool(), buffers);
  const entries = createArrowTexts(texts?.offsets ?? new Int32Array(1), texts?.bytes ?? new Uint8Array());
  return createArrowColumn(dictionary(entries.type, int32()), buffers, entries);
}

/** A batch of the library's dictionary reader. */
type DictionaryBatch = Batch<unknown> & { readonly dictionary?: Column<unknown> };

/** Reads the columns and the schema's metadata of a file, as views of its bytes. Throws for files that `writeArrow` would not write. */
export function readArrow(file: Uint8Array): {
  readonly metadata: ReadonlyMap<string, string>;
  readonly rowCount: number;
  readonly columns: readonly ArrowColumn[];
} {
  const { schema, children } = tableFromIPC(file, { useBigIntTimestamp: true });
  const columns = children.map(({ data }): ArrowColumn => {
    const [batch, secondBatch] = data as readonly DictionaryBatch[];
    if (!batch || secondBatch) throw new RangeError('the file must have one record batch');
    const { values, nullCount, validity, dictionary: texts } = batch;
    const entries = texts?.data[0];
    return {
      values: values as ArrowColumn['values'],
      nullCount,
      validity: nullCount > 0 ? validity : new Uint8Array(),
      ...(entries && {
        texts: {
          offsets: entries.offsets.subarray(0, entries.length + 1) as Int32Array,
          bytes: entries.values as Uint8Array,
        },
      }),
    };
  });
  return { metadata: schema.metadata ?? new Map(), rowCount: children[0]?.length ?? 0, columns };
}
