/** A table as text: the head, the rows with `between` between them, and the foot. */
export interface TextLayout {
  readonly head: string;
  /** Some rows, with `between` between them. */
  readonly rows: (places: readonly number[]) => string;
  readonly between: string;
  readonly foot: string;
  /** The whole text where there are no rows. */
  readonly empty: string;
}

/** Rows of a frame in an order; left out for the first `rowCount`. */
export interface ExportRowOrder {
  readonly rows?: ArrayLike<number> | undefined;
  readonly rowCount: number;
}

/** A piece of a text, and how many rows are written at its end. */
export interface TextChunk {
  readonly text: string;
  readonly rowsDone: number;
}

/** Rows written at once, at most. */
const longestBlock = 64;

/** The text piece by piece, each of about `length` characters. */
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
  // As many rows as make one piece, by the length of those before: a row of thousands of columns is one by itself.
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

/** The text whole. Throws a RangeError above the longest text there is (about 500 million characters). */
export function wholeText(layout: TextLayout, order: ExportRowOrder): string {
  let whole = '';
  for (const { text } of textChunks(layout, order)) whole += text;
  return whole;
}

/** Rows that are each written by themselves. */
export function rowByRow(write: (place: number) => string, between: string): TextLayout['rows'] {
  return places => {
    let text = '';
    for (const [at, place] of places.entries()) text += at > 0 ? between + write(place) : write(place);
    return text;
  };
}
