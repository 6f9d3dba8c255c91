import { cellState, type Column, type Dictionary, type Frame } from '../../shared/frame.ts';
import { toRuns } from './months.ts';

/** A column as it is in a file: what Arrow can hold as buffers, the rest as notes. */
export interface StoredColumn {
  readonly notes: ColumnNotes;
  readonly nullCount: number;
  /** A bit a row, 1 where there is a value; empty where all rows have one. */
  readonly validity: Uint8Array;
  /** Doubles, 64-bit milliseconds, bits, or the 32-bit places of entries. */
  readonly values: Uint8Array;
  /** For a dictionary: where each entry begins in `bytes`, 32 bits each, and the end. Otherwise empty, as `bytes`. */
  readonly offsets: Uint8Array;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}

/** What Arrow cannot hold of a column. */
export interface ColumnNotes {
  readonly kind: Column['kind'];
  /** The received texts of the time column before it. */
  readonly received?: true;
  readonly name: string;
  readonly path: readonly string[];
  readonly unit?: string;
  /** Why cells are null: `all` since the record had no such field, or (count, state) runs where states differ. */
  readonly absent?: 'all' | readonly number[];
  /** Dictionary entries that UTF-8 cannot encode (lone surrogates), by their place. */
  readonly odd?: Readonly<Record<string, string>>;
}

/** Numbers are not copied: the frame's arrays must stay as they are until the file is written. */
export function storedColumns(frame: Frame): StoredColumn[] {
  return frame.columns.flatMap(column => {
    const { kind, name, path, gaps, field } = column;
    const notes = { kind, name, path, ...(field?.unit?.text && { unit: field.unit.text }) };
    const absent = gaps && absentOf(gaps);
    const gapNotes = absent === undefined ? {} : { absent };
    const plain = { ...validityOf(gaps), offsets: new Uint8Array(), bytes: new Uint8Array() };
    switch (column.kind) {
      case 'number':
        return { ...plain, notes: { ...notes, ...gapNotes }, values: bytesOf(column.values) };
      case 'boolean':
        return { ...plain, notes: { ...notes, ...gapNotes }, values: toBits(column.values) };
      case 'time': {
        const times = { ...plain, notes: { ...notes, ...gapNotes }, values: toInt64(column.values) };
        if (!column.received) return times;
        return [times, { ...plain, ...storedTexts(column.received, gaps, { ...notes, received: true }) }];
      }
      case 'text':
      case 'nested':
        return { ...plain, ...storedTexts(column.texts, gaps, { ...notes, ...gapNotes }) };
    }
  });
}

function validityOf(gaps: Uint8Array | undefined): Pick<StoredColumn, 'nullCount' | 'validity'> {
  if (!gaps) return { nullCount: 0, validity: new Uint8Array() };
  const validity = new Uint8Array((gaps.length + 7) >> 3);
  let nullCount = 0;
  for (let row = 0; row < gaps.length; row++) {
    if (gaps[row] === cellState.value) validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7));
    else nullCount++;
  }
  return nullCount > 0 ? { nullCount, validity } : { nullCount, validity: new Uint8Array() };
}

function absentOf(gaps: Uint8Array): ColumnNotes['absent'] {
  if (!gaps.includes(cellState.absent)) return undefined;
  return gaps.includes(cellState.null) ? toRuns(Float64Array.from(gaps)) : 'all';
}

function toBits(values: Uint8Array): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let row = 0; row < values.length; row++)
    if (values[row] === 1) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  return bits;
}

const half = 2 ** 32;

/** Whole numbers below 2^53 as 64-bit integers, without a BigInt for each; NaN becomes 0. */
function toInt64(values: Float64Array): Uint8Array {
  const halves = new Int32Array(values.length * 2);
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    halves[2 * row] = value | 0;
    halves[2 * row + 1] = Math.floor(value / half);
  }
  return bytesOf(halves);
}

/** Only the entries that are used, each once; null cells refer to the first. */
function storedTexts(
  { codes, entries }: Dictionary,
  gaps: Uint8Array | undefined,
  notes: ColumnNotes,
): Pick<StoredColumn, 'notes' | 'values' | 'offsets' | 'bytes'> {
  const places = new Int32Array(codes.length);
  const known = new Uint32Array(entries.length);
  const texts: string[] = [];
  const unencodable: Record<string, string> = {};
  for (let row = 0; row < codes.length; row++) {
    if (gaps && gaps[row] !== cellState.value) continue;
    const code = codes[row] ?? 0;
    // One more than the place; 0 for an entry without one yet.
    let place = (known[code] ?? 0) - 1;
    if (place < 0) {
      place = texts.length;
      known[code] = place + 1;
      const entry = entries[code] ?? '';
      const isEncodable = entry.isWellFormed();
      if (!isEncodable) unencodable[place] = entry;
      texts.push(!isEncodable ? JSON.stringify(entry) : entry);
    }
    places[row] = place;
  }
  const offsets = new Int32Array(texts.length + 1);
  texts.forEach((text, place) => (offsets[place + 1] = (offsets[place] ?? 0) + Buffer.byteLength(text)));
  return {
    notes: { ...notes, ...(Object.keys(unencodable).length > 0 && { odd: unencodable }) },
    values: bytesOf(places),
    offsets: bytesOf(offsets),
    bytes: Buffer.from(texts.join('')),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
