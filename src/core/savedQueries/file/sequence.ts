/** The offsets [start, end) of an array element or object property in the text. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** An element with its comments. Moving or removing the element also moves or removes them. */
interface Piece {
  /** The text before the element up to the last blank line. It stays in the file if the element is removed. */
  readonly gap: string;
  /** The comments directly above the element, beginning with the end of the previous line. */
  readonly above: string;
  readonly text: string;
  /** The rest of the element's line: its comma and a comment. */
  readonly tail: string;
  /** The index of the comma in the tail, or -1 if there is none. */
  readonly comma: number;
}

/** The text of an array or object, from its opening to its closing bracket. */
export interface Sequence {
  /** The opening bracket and the comments on its line. */
  readonly head: string;
  readonly pieces: readonly Piece[];
  readonly foot: string;
}

/** An element of the new sequence: either the element at the old index `keep`, perhaps with another text, or a new element. */
export type ElementSlot =
  | { readonly keep: number; readonly text?: string | undefined }
  | {
      /** The text without a comma. All lines after the first are already indented. */
      readonly text: string;
      /** Comment lines above the element. */
      readonly above?: readonly string[];
      /** A comment after the element, on its line. */
      readonly behind?: string;
    };

export interface SequenceStyle {
  readonly eol: string;
  /** The indentation of the elements. */
  readonly indent: string;
  /** The indentation of the closing bracket. */
  readonly closeIndent: string;
  /** Whether everything is on one line. */
  readonly isInline: boolean;
}

/** Splits the text between two brackets into its elements. `open` and `close` are the offsets of the brackets. */
export function parseSequence(text: string, open: number, close: number, elements: readonly Extent[]): Sequence {
  const textBeforeFirst = text.slice(open + 1, elements[0]?.start ?? close);
  const headEnd = open + 1 + findLineEnd(maskComments(textBeforeFirst), 0);
  let position = headEnd;
  const pieces = elements.map(({ start, end }, index) => {
    const isLast = index === elements.length - 1;
    const leadingText = text.slice(position, start);
    const gap = /^[^]*\n\0?[ \t]*(?=\n)/.exec(maskComments(leadingText))?.[0].length ?? 0;
    const followingText = maskComments(text.slice(end, elements[index + 1]?.start ?? close));
    const comma = followingText.indexOf(',');
    position = end + Math.max(findLineEnd(followingText, isLast ? followingText.trimEnd().length : 0), comma + 1);
    const tail = text.slice(end, position);
    return { gap: leadingText.slice(0, gap), above: leadingText.slice(gap), text: text.slice(start, end), tail, comma };
  });
  return { head: text.slice(open, headEnd), pieces, foot: text.slice(position, close + 1) };
}

/** Replaces comments by asterisks, and normalizes line endings to begin with a line feed. The length stays the same. */
function maskComments(text: string): string {
  const plain = text.replace(/\/\/[^\r\n]*|\/\*[^]*?\*\//g, comment => '*'.repeat(comment.length));
  return plain.replace(/\r\n?/g, end => (end.length > 1 ? '\n\0' : '\n'));
}

/** Returns the end of the last comma or comment on the first line, or `otherwise` if the text has only one line. */
function findLineEnd(text: string, otherwise: number): number {
  const end = text.indexOf('\n');
  return end < 0 ? otherwise : text.slice(0, end).trimEnd().length;
}

/** Formats the new sequence. The slots must list retained elements in their old order. Other old elements are removed with their comments. */
export function formatSequence(
  { head, pieces, foot }: Sequence,
  slots: readonly ElementSlot[],
  style: SequenceStyle,
): string {
  const { eol, indent, closeIndent, isInline } = style;
  const retainedIndexes = new Set(slots.map(slot => ('keep' in slot ? slot.keep : -1)));
  const hasLastComma = (pieces.at(-1)?.comma ?? -1) >= 0;
  let text = head;
  let next = 0;
  // True after a line comment, and after a new element on separate lines.
  let needsNewLine = /\/\/.*$/.test(head);
  const add = (addition: string, lineIndent = indent): void => {
    const needsBreak = needsNewLine && addition !== '' && !/^[ \t]*[\r\n]/.test(addition);
    text += needsBreak ? eol + lineIndent + addition.trimStart() : addition;
    if (addition !== '') needsNewLine = false;
  };
  const addGaps = (end: number): void => {
    for (; next < end; next += 1) if (!retainedIndexes.has(next)) add(pieces[next]?.gap ?? '');
  };
  for (const [index, slot] of slots.entries()) {
    const comma = index < slots.length - 1 || hasLastComma ? ',' : '';
    const piece = 'keep' in slot ? pieces[slot.keep] : undefined;
    if ('keep' in slot && piece) {
      addGaps(slot.keep);
      next = slot.keep + 1;
      add(piece.gap + piece.above + (slot.text ?? piece.text));
      const isMissing = piece.comma < 0;
      text += isMissing ? comma + piece.tail : comma ? piece.tail : removeComma(piece);
      needsNewLine = /\/\/.*$/.test(piece.tail);
    } else if (!('keep' in slot)) {
      const { above = [], behind } = slot;
      const lines = [...above, slot.text + comma + (behind === undefined ? '' : ` ${behind}`)];
      text += isInline ? ` ${lines.join(' ')}` : lines.map(line => eol + indent + line).join('');
      needsNewLine = !isInline;
    }
  }
  addGaps(pieces.length);
  add(foot, closeIndent);
  return text;
}

function removeComma({ tail, comma }: Piece): string {
  return comma < 0 ? tail : tail.slice(0, comma) + tail.slice(comma + 1);
}

/** Converts the comments of an element to those of a new `ElementSlot`. */
export function toSlotComments(piece: Piece): Pick<Exclude<ElementSlot, { keep: number }>, 'above' | 'behind'> {
  const lines = piece.above.split(/\r\n?|\n/).map(line => line.trim());
  const behind = removeComma(piece).trim();
  return { above: lines.filter(Boolean), ...(behind !== '' && { behind }) };
}
