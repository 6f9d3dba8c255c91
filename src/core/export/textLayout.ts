/** How to write a table as text: the head, the rows with `between` between them, and the foot. */
export interface TextLayout {
  readonly head: string;
  /** Some rows, with `between` between them. */
  readonly rows: (places: readonly number[]) => string;
  readonly between: string;
  readonly foot: string;
  /** The whole text where there are no rows. */
  readonly empty: string;
}

/** Indexes of rows in order; undefined for the first `rowCount` rows. */
export interface ExportRowOrder {
  readonly rows?: ArrayLike<number> | undefined;
  readonly rowCount: number;
}

/** A part of a text, and how many rows are written at its end. */
export interface TextChunk {
  readonly text: string;
  readonly rowsDone: number;
}

/** The most rows that are written at once. */
const longestBlock = 64;

/** The text in parts of about `length` characters. */
export function* textChunks(
  layout: TextLayout,
  { rows, rowCount }: ExportRowOrder,
  length = 32_768,
): Generator<TextChunk> {
  if (rowCount === 0) {
    yield { text: layout.empty, rowsDone: 0 };
    return;
  }
  let text = layout.head;
  // The number of rows of a part follows from the length of the previous rows: one row may have thousands of columns.
  let blockLength = 1;
  for (let from = 0; from < rowCount;) {
    const places: number[] = [];
    for (let at = from; at < from + blockLength && at < rowCount; at++) places.push(rows ? (rows[at] ?? -1) : at);
    const rowsDone = from + places.length;
    const written = layout.rows(places);
    text += written + (rowsDone < rowCount ? layout.between : layout.foot);
    const fitting = Math.ceil((length * places.length) / Math.max(1, written.length));
    blockLength = Math.min(longestBlock, 2 * blockLength, fitting);
    from = rowsDone;
    if (text.length < length && rowsDone < rowCount) continue;
    yield { text, rowsDone };
    text = '';
  }
}

/** The whole text. Throws a RangeError above the longest string (about 500 million characters). */
export function wholeText(layout: TextLayout, order: ExportRowOrder): string {
  let whole = '';
  for (const { text } of textChunks(layout, order)) whole += text;
  return whole;
}

/** Writes rows one by one. */
export function rowByRow(write: (place: number) => string, between: string): TextLayout['rows'] {
  return places => {
    let text = '';
    for (const [at, place] of places.entries()) text += at > 0 ? between + write(place) : write(place);
    return text;
  };
}
