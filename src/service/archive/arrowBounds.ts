/**
 * The maximum size of a file's metadata. Files usually have a few kilobytes, and up to 20 bytes for each hour that was requested at a
 * different time. The library parses the maximum in some 20 ms.
 */
const maxMetadataBytes = 4_000_000;
/** The maximum number of record batches and dictionaries. There is at most one dictionary for each column. */
const maxMessages = 1_000;
/** The number of bytes after the footer of an Arrow file: the footer's length (32 bits) and "ARROW1". */
const trailerLength = 10;
/** The ids of the types that the archive writes: float, text, boolean, timestamp. */
const usedTypes: readonly number[] = [3, 5, 6, 10];
/** The types of messages, as numbered in Message.fbs. */
const dictionaryBatch = 2;
const recordBatch = 3;

/** Visits the value at an offset of the buffer. */
type Visit = (offset: number) => void;

/**
 * Protects the library from malicious metadata of an Arrow file: it trusts the length of every list, and a few bytes can claim two billion
 * items. Throws if a list is longer than its message, or if the texts of a dictionary are longer than its bytes. Nothing else is checked. The
 * slot numbers of the tables come from Schema.fbs, Message.fbs and File.fbs in Arrow's format.
 */
export function checkMetadata(file: Uint8Array): void {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let remainingMetadata = maxMetadataBytes;
  let remainingMessages = maxMessages;
  const readPart = (start: number, length: number): FlatBuffer => {
    remainingMetadata -= length;
    assertValid(start >= 0 && length >= 0 && start + length <= file.length && remainingMetadata >= 0);
    return new FlatBuffer(new DataView(file.buffer, file.byteOffset + start, length));
  };
  const checkMessage = (offset: number): void => {
    // Since Arrow 0.15 a marker precedes the length.
    const isMarked = view.getInt32(offset, true) === -1;
    const start = isMarked ? offset + 8 : offset + 4;
    const message = readPart(start, view.getInt32(start - 4, true));
    assertValid(remainingMessages-- > 0);
    const lengths: number[] = [];
    const buffers: [start: number, length: number][] = [];
    const body = start + view.getInt32(start - 4, true);
    const visitBatch: Visit = table =>
      message.visitTable(table, {
        1: message.createListVisitor(16, node => lengths.push(message.int64(node))),
        2: message.createListVisitor(16, buffer =>
          buffers.push([body + message.int64(buffer), message.int64(buffer + 8)]),
        ),
        3: throwInvalid,
        4: throwInvalid,
      });
    let type = 0;
    message.visitTable(0, { 1: slot => (type = message.byte(slot)) });
    assertValid(type === dictionaryBatch || type === recordBatch);
    message.visitTable(0, {
      2: type === recordBatch ? visitBatch : header => message.visitTable(header, { 1: visitBatch }),
    });
    if (type === dictionaryBatch) checkTexts(view, lengths[0] ?? 0, buffers);
  };
  const end = file.length - trailerLength;
  const length = view.getInt32(end, true);
  const footer = readPart(end - length, length);
  const visitText = footer.createListVisitor(1);
  const visitMetadata = footer.createListVisitor(4, entry => footer.visitTable(entry, { 0: visitText, 1: visitText }));
  const visitField: Visit = field =>
    footer.visitTable(field, {
      0: visitText,
      2: slot => assertValid(usedTypes.includes(footer.byte(slot))),
      3: type => footer.visitTable(type, { 1: visitText }),
      5: footer.createListVisitor(4, throwInvalid),
      6: visitMetadata,
    });
  const visitBlocks = footer.createListVisitor(24, block => checkMessage(footer.int64(block)));
  const visitSchema: Visit = schema =>
    footer.visitTable(schema, { 1: footer.createListVisitor(4, visitField), 2: visitMetadata });
  footer.visitTable(0, { 1: visitSchema, 2: visitBlocks, 3: visitBlocks, 4: visitMetadata });
}

/** Checks that the texts of a dictionary do not overlap, since the library decodes all of them at once. */
function checkTexts(
  view: DataView,
  count: number,
  buffers: readonly (readonly [start: number, length: number])[],
): void {
  const [, [start, length] = [0, 0], [, textBytes] = [0, 0]] = buffers;
  assertValid(count >= 0 && 4 * (count + 1) <= length);
  let previous = 0;
  for (let entry = 0; entry <= count; entry++) {
    const offset = view.getInt32(start + 4 * entry, true);
    assertValid(offset >= previous && offset <= textBytes);
    previous = offset;
  }
}

/** Reads tables and lists of a FlatBuffer. Throws if its lists are longer than the buffer, or an offset is outside the buffer. */
class FlatBuffer {
  readonly #view: DataView;
  #remaining: number;

  constructor(view: DataView) {
    this.#view = view;
    this.#remaining = view.byteLength;
  }

  byte(offset: number): number {
    return this.#view.getUint8(offset);
  }

  int64(offset: number): number {
    return Number(this.#view.getBigInt64(offset, true));
  }

  /** Visits the present slots of a table. `reference` is the position where the offset of the table is stored. */
  visitTable(reference: number, slots: Readonly<Record<number, Visit>>): void {
    const table = reference + this.#view.getInt32(reference, true);
    const slotOffsets = table - this.#view.getInt32(table, true);
    const length = this.#view.getInt16(slotOffsets, true);
    for (const [slot, visit] of Object.entries(slots)) {
      const position = 4 + 2 * Number(slot);
      const offset = position < length ? this.#view.getInt16(slotOffsets + position, true) : 0;
      if (offset !== 0) visit(table + offset);
    }
  }

  /** Creates a visitor for the offset of a list, which visits its items. */
  createListVisitor(itemBytes: number, visit?: Visit): Visit {
    return reference => {
      const list = reference + this.#view.getInt32(reference, true);
      const count = this.#view.getInt32(list, true);
      this.#remaining -= count * itemBytes;
      assertValid(count >= 0 && this.#remaining >= 0);
      for (let item = 0; visit && item < count; item++) visit(list + 4 + item * itemBytes);
    };
  }
}

function throwInvalid(): never {
  throw new RangeError('not an archive file');
}

function assertValid(condition: boolean): void {
  if (!condition) throwInvalid();
}
