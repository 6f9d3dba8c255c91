import type { SavedTree } from '../savedItem.ts';
import { parseQueriesFile } from './queriesFile.ts';
import type { TextEdit } from './textEdit.ts';

/** So many edits can be taken back to the letter. */
const mostEdits = 20;

/**
 * The texts that edits led away from. Who puts back what was deleted gets the file as it was, with its comments and its formatting,
 * which no tree knows of.
 */
export class PastTexts {
  readonly #edits: { readonly before: string; readonly after: string; readonly bytes: Uint8Array | undefined }[] = [];

  /** `bytes`: those of the file before, where it was saved. An editor makes line ends of two kinds one. */
  note(before: string, after: string, bytes?: Uint8Array): void {
    this.#edits.push({ before, after, bytes });
    this.#edits.splice(0, this.#edits.length - mostEdits);
  }

  /** The edits that take a text back to the one before it, where that says what `tree` says; undefined where none did. */
  editsBack(
    text: string,
    tree: SavedTree,
  ): { readonly edits: readonly TextEdit[]; readonly bytes: Uint8Array | undefined } | undefined {
    const wanted = JSON.stringify(tree);
    const edit = this.#edits.findLast(
      ({ before, after }) => after === text && JSON.stringify(parseQueriesFile(before).tree) === wanted,
    );
    return edit && { edits: [difference(text, edit.before)], bytes: edit.bytes };
  }
}

/** One replacement that makes one text the other. It begins and ends with whole line ends, as editors count places by lines. */
function difference(text: string, next: string): TextEdit {
  const most = Math.min(text.length, next.length);
  let start = 0;
  while (start < most && text[start] === next[start]) start += 1;
  if (text[start - 1] === '\r') start -= 1;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === next.at(-1 - end)) end += 1;
  if (text.at(-end) === '\n' && end > 0) end -= 1;
  return { offset: start, length: text.length - end - start, content: next.slice(start, next.length - end) };
}
