/**
 * The maximum size of a file's metadata: a few kilobytes, and up to 20 bytes for each hour that was requested at a different time. The library
 * parses this in some 20 ms.
 */
const maxMetadata = 4_000_000;
/** The maximum number of record batches and dictionaries. There is at most one dictionary for each column. */
const maxMessages = 1_000;
/** The length of the end of an Arrow file after its footer: the footer's length (32 bits) and "ARROW1". */
const tailLength = 10;
/** The ids of the types that the archive writes: float, text, boolean, timestamp. */
const usedTypes: readonly number[] = [3, 5, 6, 10];
const [dictionaryBatch, recordBatch] = [2, 3];

type Visit = (at: number) => void;

/**
 * Throws if the metadata of an Arrow file would keep the library busy: it trusts the length of every list, which may be two billion items in a
 * few bytes. The lists of a message must not be longer than the message, and the texts of a dictionary not longer than its bytes; nothing else is
 * checked. The slots of the tables are those of Schema.fbs, Message.fbs and File.fbs in Arrow's format.
 */
export function checkMetadata(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let [metadataLeft, messagesLeft] = [maxMetadata, maxMessages];
  const partAt = (start: number, length: number): FlatBuffer => {
    metadataLeft -= length;
    demand(start >= 0 && length >= 0 && start + length <= file.length && metadataLeft >= 0);
    return new FlatBuffer(new DataView(file.buffer, file.byteOffset + start, length));
  };
  const messageAt = (at: number): void => {
    const isMarked = view.getInt32(at, true) === -1;
    const start = isMarked ? at + 8 : at + 4;
    const message = partAt(start, view.getInt32(start - 4, true));
    demand(messagesLeft-- > 0);
    const [lengths, buffers]: [number[], [start: number, length: number][]] = [[], []];
    const body = start + view.getInt32(start - 4, true);
    const batch: Visit = table =>
      message.table(table, {
        1: message.listOf(16, node => lengths.push(message.int64(node))),
        2: message.listOf(16, at => buffers.push([body + message.int64(at), message.int64(at + 8)])),
        3: refuse,
        4: refuse,
      });
    let type = 0;
    message.table(0, { 1: slot => (type = message.byte(slot)) });
    demand(type === dictionaryBatch || type === recordBatch);
    message.table(0, { 2: type === recordBatch ? batch : header => message.table(header, { 1: batch }) });
    if (type === dictionaryBatch) checkTexts(view, lengths[0] ?? 0, buffers);
  };
  const end = file.length - tailLength;
  const length = view.getInt32(end, true);
  const footer = partAt(end - length, length);
  const text = footer.listOf(1);
  const notes = footer.listOf(4, note => footer.table(note, { 0: text, 1: text }));
  const field: Visit = at =>
    footer.table(at, {
      0: text,
      2: slot => demand(usedTypes.includes(footer.byte(slot))),
      3: type => footer.table(type, { 1: text }),
      5: footer.listOf(4, refuse),
      6: notes,
    });
  const blocks = footer.listOf(24, block => messageAt(footer.int64(block)));
  const schema: Visit = at => footer.table(at, { 1: footer.listOf(4, field), 2: notes });
  footer.table(0, { 1: schema, 2: blocks, 3: blocks, 4: notes });
}

/** Checks that the texts of a dictionary do not overlap, since the library decodes all of them at once. */
function checkTexts(
  view: DataView,
  count: number,
  buffers: readonly (readonly [start: number, length: number])[],
): void {
  const [, [start, length] = [0, 0], [, bytes] = [0, 0]] = buffers;
  demand(count >= 0 && 4 * (count + 1) <= length);
  let last = 0;
  for (let entry = 0; entry <= count; entry++) {
    const offset = view.getInt32(start + 4 * entry, true);
    demand(offset >= last && offset <= bytes);
    last = offset;
  }
}

/** Reads tables and lists of a FlatBuffer. Throws if its lists are longer than the buffer, or an offset is outside of it. */
class FlatBuffer {
  readonly #view: DataView;
  #left: number;

  constructor(view: DataView) {
    this.#view = view;
    this.#left = view.byteLength;
  }

  byte(at: number): number {
    return this.#view.getUint8(at);
  }

  int64(at: number): number {
    return Number(this.#view.getBigInt64(at, true));
  }

  /** Visits the present slots of the table that the offset at `at` refers to. */
  table(at: number, slots: Readonly<Record<number, Visit>>): void {
    const table = at + this.#view.getInt32(at, true);
    const slotOffsets = table - this.#view.getInt32(table, true);
    const length = this.#view.getInt16(slotOffsets, true);
    for (const [slot, visit] of Object.entries(slots)) {
      const position = 4 + 2 * Number(slot);
      const offset = position < length ? this.#view.getInt16(slotOffsets + position, true) : 0;
      if (offset !== 0) visit(table + offset);
    }
  }

  /** Creates a visitor for the offset of a list, which visits its items. */
  listOf(itemBytes: number, visit?: Visit): Visit {
    return at => {
      const list = at + this.#view.getInt32(at, true);
      const count = this.#view.getInt32(list, true);
      this.#left -= count * itemBytes;
      demand(count >= 0 && this.#left >= 0);
      for (let item = 0; visit && item < count; item++) visit(list + 4 + item * itemBytes);
    };
  }
}

function refuse(): never {
  throw new RangeError('not a file of the archive');
}

function demand(isTrue: boolean): void {
  if (!isTrue) refuse();
}
