import { type Data, makeData } from 'apache-arrow/data';
import { RecordBatch } from 'apache-arrow/recordbatch';
import { Field, Schema } from 'apache-arrow/schema';
import { Bool, Dictionary, Float64, Int32, Struct, TimestampMillisecond, Utf8 } from 'apache-arrow/type';
import { makeVector, type Vector } from 'apache-arrow/vector';
import { Message } from 'apache-arrow/ipc/metadata/message';
import { RecordBatchFileWriter } from 'apache-arrow/ipc/writer';
import { type WrittenTable, uniqueNames } from '../../core/export/exportTable.ts';
import { stepRows, stepTexts } from '../../core/time/steps.ts';
import { cellState, type Column } from '../../shared/frame.ts';
import type { ExportOptions, ExportProvenance } from '../../shared/exportOptions.ts';
import { type ByteChunk, columnNotes, provenanceNote } from './byteChunk.ts';

/** Cells of a record batch, which is written without a pause. */
const batchCells = 200_000;
/** A pause before there is something to write. */
const pause: ByteChunk = { bytes: new Uint8Array(), rowsDone: 0 };
const half = 2 ** 32;

/**
 * An Arrow IPC file (Feather): doubles, UTC timestamps in milliseconds, booleans, texts and JSON as dictionaries of text. Null
 * and absent are both null; the difference is lost. Of two columns with one name the second is numbered.
 */
export function* arrowChunks(
  table: WrittenTable,
  _options: ExportOptions,
  provenance: ExportProvenance | undefined,
): Generator<ByteChunk> {
  const { columns, rows, rowCount } = table;
  const names = uniqueNames(columns.map(({ name }) => name));
  const makers: DataMaker[] = [];
  for (const column of columns) makers.push(yield* dataMaker(column, table, makers.length));
  const fields = columns.map((column, index) => {
    return new Field(names[index] ?? '', makers[index]?.type ?? new Float64(), true, mapOf(columnNotes(column)));
  });
  const schema = new Schema(fields, mapOf(provenanceNote(provenance)));
  const writer = new PieceWriter();
  writer.reset(undefined, schema);
  const batchRows = Math.max(1, Math.floor(batchCells / Math.max(1, columns.length)));
  for (let from = 0; from < rowCount; from += batchRows) {
    const to = Math.min(rowCount, from + batchRows);
    const places = rows?.slice(from, to) ?? countedFrom(from, to - from);
    const children = makers.map(({ make }) => make(places, rows === undefined));
    const data = makeData({ type: new Struct(fields), length: to - from, nullCount: 0, children });
    writer.write(new RecordBatch(schema, data));
    yield { bytes: writer.take(), rowsDone: to };
  }
  writer.finish();
  yield { bytes: writer.take(), rowsDone: rowCount };
}

/**
 * Keeps only what was written since the last `take`. It also writes the schema at the beginning, as the format requires: readers of streams
 * need it there.
 */
class PieceWriter extends RecordBatchFileWriter {
  #pieces: Uint8Array[] = [];

  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema);
    return this._writeMessage(Message.from(schema));
  }

  take(): Uint8Array {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    return bytes;
  }

  protected override _write(chunk: ArrayBufferView): this {
    const { buffer, byteOffset, byteLength } = chunk;
    if (!this._started || byteLength === 0) return this;
    this.#pieces.push(new Uint8Array(buffer, byteOffset, byteLength));
    this._position += byteLength;
    return this;
  }
}

interface DataMaker {
  readonly type: Data['type'];
  /** The cells of some rows; `isRange`: the places are consecutive. */
  readonly make: (places: Uint32Array, isRange: boolean) => Data;
}

function* dataMaker(column: Column, table: WrittenTable, id: number): Generator<ByteChunk, DataMaker> {
  const validity = (places: Uint32Array): { nullCount: number; nullBitmap?: Uint8Array } => validityOf(column, places);
  switch (column.kind) {
    case 'number': {
      const [type, { values }] = [new Float64(), column];
      const make: DataMaker['make'] = (places, isRange) => {
        const [first = 0] = places;
        const data = isRange
          ? values.subarray(first, first + places.length)
          : Float64Array.from(places, place => values[place] ?? NaN);
        return makeData({ type, length: places.length, data, ...validity(places) });
      };
      return { type, make };
    }
    case 'time': {
      const type = new TimestampMillisecond('UTC');
      const make: DataMaker['make'] = places => {
        return makeData({ type, length: places.length, data: instants(column.values, places), ...validity(places) });
      };
      return { type, make };
    }
    case 'boolean': {
      const type = new Bool();
      return {
        type,
        make: places => {
          const data = bits(places, place => column.values[place] === 1);
          return makeData({ type, length: places.length, data, ...validity(places) });
        },
      };
    }
    case 'text':
    case 'nested': {
      const type = new Dictionary(new Utf8(), new Int32(), id);
      const { dictionary, codeOf } = yield* usedEntries(column, table);
      return {
        type,
        make: places => {
          const data = new Int32Array(places.length);
          for (let at = 0; at < places.length; at++) data[at] = codeOf(places[at] ?? 0);
          return makeData({ type, length: places.length, data, dictionary, ...validity(places) });
        },
      };
    }
  }
}

/** Whole milliseconds as 64-bit integers, without a BigInt for each; 0 where there is no instant, which is a null. */
function instants(values: Float64Array, places: Uint32Array): BigInt64Array {
  const halves = new Int32Array(2 * places.length);
  for (let at = 0; at < places.length; at++) {
    const ms = Math.floor(values[places[at] ?? 0] ?? 0);
    halves[2 * at] = ms % half;
    halves[2 * at + 1] = Math.floor(ms / half);
  }
  return new BigInt64Array(halves.buffer);
}

function countedFrom(first: number, length: number): Uint32Array {
  const places = new Uint32Array(length);
  for (let at = 0; at < length; at++) places[at] = first + at;
  return places;
}

function validityOf(column: Column, places: Uint32Array): { nullCount: number; nullBitmap?: Uint8Array } {
  const { gaps } = column;
  const times = column.kind === 'time' ? column.values : undefined;
  if (!gaps && !times) return { nullCount: 0 };
  let nullCount = 0;
  const nullBitmap = bits(places, place => {
    const has = (!gaps || gaps[place] === cellState.value) && (!times || Number.isFinite(times[place]));
    if (!has) nullCount++;
    return has;
  });
  return nullCount > 0 ? { nullCount, nullBitmap } : { nullCount: 0 };
}

function bits(places: Uint32Array, isSet: (place: number) => boolean): Uint8Array {
  const bytes = new Uint8Array((places.length + 7) >> 3);
  for (let at = 0; at < places.length; at++)
    if (isSet(places[at] ?? 0)) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
}

/** The entries of the rows that are written, each once. */
function* usedEntries(
  { texts: { codes, entries }, gaps }: Column & { readonly kind: 'text' | 'nested' },
  { rows, rowCount }: WrittenTable,
): Generator<ByteChunk, { readonly dictionary: Vector<Utf8>; readonly codeOf: (place: number) => number }> {
  // One more than the place among the used entries; 0 for an entry that is not used yet.
  const known = new Uint32Array(entries.length);
  const used: string[] = [];
  for (let at = 0; at < rowCount; at++) {
    if (at % stepRows === stepRows - 1) yield pause;
    const place = rows ? (rows[at] ?? 0) : at;
    const code = codes[place] ?? 0;
    if (known[code] !== 0 || (gaps && gaps[place] !== cellState.value)) continue;
    used.push(entries[code] ?? '');
    known[code] = used.length;
  }
  const offsets = new Int32Array(used.length + 1);
  const encoded: Uint8Array[] = [];
  for (let from = 0; from < used.length; from += stepTexts) {
    // Separately: two surrogates at the end of one text and the beginning of the next would become one character.
    const texts = used.slice(from, from + stepTexts).map(text => Buffer.from(text));
    for (const [index, { length }] of texts.entries())
      offsets[from + index + 1] = (offsets[from + index] ?? 0) + length;
    encoded.push(Buffer.concat(texts));
    yield pause;
  }
  const data = Buffer.concat(encoded);
  const vector = makeVector(
    makeData({ type: new Utf8(), length: used.length, nullCount: 0, valueOffsets: offsets, data }),
  );
  return { dictionary: vector, codeOf: place => Math.max(1, known[codes[place] ?? 0] ?? 0) - 1 };
}

function mapOf(notes: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(notes));
}
