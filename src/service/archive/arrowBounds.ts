/**
 * Bytes of all metadata of a file: a few kilobytes, and up to 20 for each hour where each was requested at another time. The library makes
 * objects of them, in some 20 ms.
 */
const maxMetadata = 4_000_000;
/** Batches of rows and dictionaries: one for each column at most. */
const maxMessages = 1_000;
/** An Arrow file ends with its footer, the footer's length (32 bits) and "ARROW1". */
const tailLength = 10;
/** The types that the archive writes: float, text, boolean, timestamp. */
const usedTypes: readonly number[] = [3, 5, 6, 10];
const [dictionaryBatch, recordBatch] = [2, 3];

type Visit = (at: number) => void;

/**
 * Throws where the metadata of an Arrow file would keep the library busy: it takes every list to be as long as it says, in a few bytes up
 * to two billion items. Here the lists of a message may not be longer than the message, whatever they say, and the texts of a dictionary not
 * longer than its bytes; nothing else is checked. The slots of the tables are those of Schema.fbs, Message.fbs and File.fbs in Arrow's
 * format.
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

/** The library makes all texts of a dictionary at once: each may have bytes of its own alone. */
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

/** Reads tables and lists of FlatBuffers. Throws for lists that are longer than all of it together, and for what is not within it. */
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

  /** Visits the slots that the table has. The offset at `at` leads to it. */
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

  /** Visits the items of the list to which an offset leads. */
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
