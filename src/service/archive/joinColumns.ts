import { cellState, type Column, type Dictionary } from '../../shared/frame.ts';
import type { Places } from './arrowLayout.ts';
import { fromRuns } from './months.ts';
import type { ColumnNotes } from './storedColumns.ts';

/** A column of a file: its notes, and where its buffers are. */
export interface PlacedColumn extends ColumnNotes {
  readonly at: Places;
  readonly nullCount: number;
  /** Entries of its dictionary. */
  readonly entryCount: number;
}

/** Rows [from, to) of a column in a file that is aligned to 8 bytes. */
export interface PlacedRows {
  readonly file: Uint8Array;
  /** Of the file. */
  readonly rowCount: number;
  readonly from: number;
  readonly to: number;
}

const half = 2 ** 32;

/** The instant in a row of a time column, without a BigInt; the row must have one. */
export function instantAt(halves: Int32Array, row: number): number {
  return (halves[2 * row + 1] ?? 0) * half + ((halves[2 * row] ?? 0) >>> 0);
}

/** The 64-bit integers of a time column, as two halves each. */
export function halvesOf({ file, rowCount }: PlacedRows, at: number): Int32Array {
  return new Int32Array(file.buffer, file.byteOffset + at, rowCount * 2);
}

/** One column of several files of the same shape, copied into one array. */
export class JoinedColumn {
  readonly notes: ColumnNotes;
  #values: Float64Array | Uint8Array | Uint32Array;
  #gaps: Uint8Array | undefined;
  readonly #codes = new Map<string, number>();

  constructor(notes: ColumnNotes) {
    this.notes = notes;
    this.#values = new Float64Array();
    if (this.#isText) this.#values = new Uint32Array();
    else if (notes.kind === 'boolean') this.#values = new Uint8Array();
  }

  get #isText(): boolean {
    return this.notes.received === true || this.notes.kind === 'text' || this.notes.kind === 'nested';
  }

  /** Copies the rows after the `filled` ones already there; `room` rows are expected in all. */
  add(column: PlacedColumn, rows: PlacedRows, filled: number, room: number): void {
    const values = (this.#values = grown(this.#values, room));
    if (this.#gaps || column.nullCount > 0) this.#gaps = grown(this.#gaps ?? new Uint8Array(), room);
    if (column.nullCount > 0 && this.#gaps) putGaps(this.#gaps, column, rows, filled);
    const { file, rowCount, from, to } = rows;
    const start = file.byteOffset + column.at.values;
    if (values instanceof Uint32Array) this.#putTexts(values, column, rows, filled);
    else if (values instanceof Uint8Array) {
      for (let row = from; row < to; row++) values[filled + row - from] = bitAt(file, column.at.values, row);
    } else if (this.notes.kind === 'number')
      values.set(new Float64Array(file.buffer, start, rowCount).subarray(from, to), filled);
    else
      putInstants(
        values,
        halvesOf(rows, column.at.values),
        rows,
        filled,
        column.nullCount > 0 ? this.#gaps : undefined,
      );
  }

  texts(length: number): Dictionary {
    const codes = exactly(this.#values as Uint32Array, length);
    return { codes, entries: [...this.#codes.keys()] };
  }

  column(length: number): Column {
    const { kind, name, path } = this.notes;
    const gaps = this.#gaps && exactly(grown(this.#gaps, length), length);
    const base = { name, path, ...(gaps?.some(state => state !== cellState.value) && { gaps }) };
    if (kind === 'text' || kind === 'nested') return { ...base, kind, texts: this.texts(length) };
    if (kind === 'boolean') return { ...base, kind, values: exactly(this.#values as Uint8Array, length) };
    return { ...base, kind, values: exactly(this.#values as Float64Array, length) };
  }

  /** Only entries in use, each once. Null cells read as the empty text. */
  #putTexts(codes: Uint32Array, column: PlacedColumn, { file, rowCount, from, to }: PlacedRows, filled: number): void {
    const { at, entryCount, odd: unencodable = {}, nullCount } = column;
    const places = new Uint32Array(file.buffer, file.byteOffset + at.values, rowCount);
    const offsets = new Int32Array(file.buffer, file.byteOffset + at.offsets, entryCount + 1);
    const bytes = Buffer.from(file.buffer, file.byteOffset + at.bytes);
    // Not with a TextDecoder, which drops a byte order mark.
    const entryAt = (place: number): string =>
      unencodable[place] ?? (place < entryCount ? bytes.toString('utf8', offsets[place], offsets[place + 1]) : '');
    if (entryCount === 1 && nullCount === 0 && to > from) {
      codes.fill(this.#codeOf(entryAt(0)), filled, filled + to - from);
      return;
    }
    const gaps = nullCount > 0 ? this.#gaps : undefined;
    const empty = gaps ? this.#codeOf('') : 0;
    // One more than the code; 0 for an entry without one yet.
    const known = new Uint32Array(entryCount);
    for (let row = from; row < to; row++) {
      const target = filled + row - from;
      if (gaps && gaps[target] !== cellState.value) {
        codes[target] = empty;
        continue;
      }
      const place = places[row] ?? 0;
      let code = (known[place] ?? 0) - 1;
      if (code < 0) known[place] = (code = this.#codeOf(entryAt(place))) + 1;
      codes[target] = code;
    }
  }

  #codeOf(entry: string): number {
    let code = this.#codes.get(entry);
    if (code === undefined) this.#codes.set(entry, (code = this.#codes.size));
    return code;
  }
}

function grown<T extends Float64Array | Uint8Array | Uint32Array>(values: T, room: number): T {
  if (values.length >= room) return values;
  const larger = new (values.constructor as new (length: number) => T)(room);
  larger.set(values);
  return larger;
}

/** A copy: posting a view would send the whole buffer. */
function exactly<T extends Float64Array | Uint8Array | Uint32Array>(values: T, length: number): T {
  return values.length === length ? values : (values.slice(0, length) as T);
}

/** The bit of a row. */
export function bitAt(file: Uint8Array, at: number, row: number): number {
  return ((file[at + (row >> 3)] ?? 0) >> (row & 7)) & 1;
}

function putGaps(gaps: Uint8Array, { at, absent }: PlacedColumn, rows: PlacedRows, filled: number): void {
  const { file, rowCount, from, to } = rows;
  if (Array.isArray(absent)) {
    gaps.set(fromRuns(absent as number[], rowCount).subarray(from, to), filled);
    return;
  }
  const state = absent === 'all' ? cellState.absent : cellState.null;
  for (let row = from; row < to; row++) {
    // Skips eight rows that all have a value.
    if ((row & 7) === 0 && file[at.validity + (row >> 3)] === 0xff) row += 7;
    else if (bitAt(file, at.validity, row) === 0) gaps[filled + row - from] = state;
  }
}

function putInstants(
  values: Float64Array,
  halves: Int32Array,
  { from, to }: PlacedRows,
  filled: number,
  gaps: Uint8Array | undefined,
): void {
  for (let row = from; row < to; row++) {
    const target = filled + row - from;
    values[target] = gaps && gaps[target] !== cellState.value ? NaN : instantAt(halves, row);
  }
}
