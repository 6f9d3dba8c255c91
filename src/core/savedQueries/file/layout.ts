/** Replaces `length` characters from `offset` by `content`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** Sorts edits and joins adjacent ones; edits at one offset are applied in the given order. */
export function tidyEdits(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = edits.map((edit, index) => ({ edit, index }));
  // An insertion comes before a removal at the same offset.
  sorted.sort((a, b) => a.edit.offset - b.edit.offset || a.edit.length - b.edit.length || a.index - b.index);
  const tidy: TextEdit[] = [];
  for (const { edit } of sorted) {
    const last = tidy.at(-1);
    if (last && last.offset + last.length === edit.offset) {
      tidy[tidy.length - 1] = {
        offset: last.offset,
        length: last.length + edit.length,
        content: last.content + edit.content,
      };
    } else tidy.push(edit);
  }
  return tidy;
}

/** Applies edits that are sorted and don't overlap, as returned by `tidyEdits`. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { offset, length, content } of edits) {
    result += text.slice(at, offset) + content;
    at = offset + length;
  }
  return result + text.slice(at);
}

/** An element of a list, or a property of an object, in the text: [start, end). */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** An element with its comments: those in the lines directly above it, and the one after it on its line. */
export interface BlockUnit {
  readonly element: Extent;
  /** From the end of the previous line to the end of its own, including its comma. */
  readonly start: number;
  readonly end: number;
  readonly comma: number | undefined;
  /** Where a removal starts, so that a comment before it keeps its line end. */
  readonly cutFrom: number;
}

interface Layout {
  /** After the opening bracket and a comment on its line. */
  readonly head: number;
  readonly units: readonly BlockUnit[];
}

interface Token {
  readonly kind: 'break' | 'comment' | 'comma' | 'space';
  readonly start: number;
  readonly end: number;
}

/** The layout of the elements between two brackets; `open` and `close` are the brackets' offsets. */
export function layoutOf(text: string, open: number, close: number, elements: readonly Extent[]): Layout {
  const first = scan(text, open + 1, elements[0]?.start ?? close);
  const head = elements.length === 0 && !first.some(isBreak) ? open + 1 : sameLineEnd(first, open + 1);
  const units: BlockUnit[] = [];
  let from = head;
  let before = first.filter(({ start }) => start >= head);
  for (const [index, element] of elements.entries()) {
    const isLast = index === elements.length - 1;
    const after = scan(text, element.end, elements[index + 1]?.start ?? close);
    const comma = after.find(({ kind }) => kind === 'comma');
    const end = Math.max(comma?.end ?? element.end, sameLineEnd(after, element.end, isLast));
    const start = attachedStart(before, from);
    const rest = after.filter(token => token.start >= end);
    const isLineOver = rest.find(({ kind }) => kind !== 'space')?.kind === 'break';
    const ownBreak = before.find(token => token.start >= start && isBreak(token));
    units.push({ element, start, end, comma: comma?.start, cutFrom: isLineOver ? start : (ownBreak?.end ?? start) });
    from = end;
    before = rest;
  }
  return { head, units };
}

/** Spaces, line ends, comments and commas between two offsets: all that can stand between elements. */
function scan(text: string, from: number, to: number): Token[] {
  const between = text.slice(from, to);
  return [...between.matchAll(/\r?\n|\r|\/\/[^\r\n]*|\/\*[^]*?\*\/|,|[^\r\n/,]+/g)].map(({ 0: token, index }) => {
    return { kind: kindOf(token), start: from + index, end: from + index + token.length };
  });
}

function kindOf(token: string): Token['kind'] {
  if (token === ',') return 'comma';
  if (token.startsWith('/')) return 'comment';
  return /^[\r\n]/.test(token) ? 'break' : 'space';
}

function isBreak({ kind }: Token): boolean {
  return kind === 'break';
}

/** The end of the last comma or comment on the line; `from` where something else follows on it. */
function sameLineEnd(tokens: readonly Token[], from: number, isLast = false): number {
  const at = tokens.findIndex(isBreak);
  if (at < 0 && !isLast) return from;
  const line = at < 0 ? tokens : tokens.slice(0, at);
  return line.findLast(({ kind }) => kind !== 'space')?.end ?? from;
}

/** After the last blank line: comments above it belong to the file, not to the element. */
function attachedStart(tokens: readonly Token[], from: number): number {
  let start = from;
  let isBlank = false;
  for (const token of tokens) {
    if (isBreak(token)) {
      if (isBlank) start = token.start;
      isBlank = true;
    } else if (token.kind !== 'space') isBlank = false;
  }
  return start;
}
