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
