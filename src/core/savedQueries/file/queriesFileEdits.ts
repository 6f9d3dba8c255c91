import { findKeyLikePart } from '../keyLike.ts';
import { allIds, walk } from '../walk.ts';
import type { SavedItem, SavedTree } from '../savedItem.ts';
import { fileLimits } from './fileProblem.ts';
import { QueriesFileWriter } from './queriesFileWriter.ts';
import { isTooLarge, parseEntries, parseQueriesFile } from './queriesFile.ts';

export type FileEdit =
  /** `text` is the text after the edit: the same text if nothing changed. */
  | { readonly ok: true; readonly text: string; readonly tree: SavedTree }
  /** The file would exceed the limits after the edit. */
  | { readonly ok: false; readonly problem: 'tooLarge' }
  /** The file already exceeds the limits. */
  | { readonly ok: false; readonly problem: 'isTooLarge' }
  /** The text must be repaired by hand first: an edit could damage it. */
  | { readonly ok: false; readonly problem: 'notJson' }
  /** `part` names a field that looks like a key, which must not be written into a shared file. */
  | { readonly ok: false; readonly problem: 'keyLike'; readonly part: string };

/**
 * Applies `change` to the tree of the file and returns the new text. Comments, formatting and unchanged entries stay as they are, including
 * entries that cannot be read; a moved block keeps its comments. `text` is undefined if there is no file.
 */
export function editQueriesFile(text: string | undefined, change: (tree: SavedTree) => SavedTree): FileEdit {
  const source = text ?? '';
  if (isTooLarge(source)) return { ok: false, problem: 'isTooLarge' };
  const file = parseEntries(source);
  if (!file.isSound) return { ok: false, problem: 'notJson' };
  const tree = change(file.tree);
  if (tree === file.tree) return { ok: true, text: source, tree };
  const existingItems = new Set(walk(file.tree).map(({ item }) => item));
  const changed = walk(tree).flatMap(({ item }) => (existingItems.has(item) ? [] : [omitItems(item)]));
  const part = findKeyLikePart(changed);
  if (part !== undefined) return { ok: false, problem: 'keyLike', part };
  const next = new QueriesFileWriter(source, file, tree).write(tree);
  const isFull = changed.length > 0 && (allIds(tree).size > fileLimits.entries || isTooLarge(next));
  return isFull ? { ok: false, problem: 'tooLarge' } : { ok: true, text: next, tree };
}

/** Returns a folder without its items, which are checked one by one. */
function omitItems(item: SavedItem): SavedItem {
  return item.kind === 'folder' ? { ...item, items: [] } : item;
}

/** The number of edits that can be undone exactly. */
const maxEdits = 20;

/** The file's texts before recent edits. They allow an undo to restore comments and formatting as well, which the tree does not have. */
export class EditHistory {
  readonly #edits: { readonly before: string; readonly after: string; readonly bytes: Uint8Array | undefined }[] = [];

  /**
   * Records an edit. `bytes` is the content of the file before the edit, if the document was saved: unlike the editor's text, it has the
   * original line endings where they are mixed.
   */
  note(before: string, after: string, bytes?: Uint8Array): void {
    this.#edits.push({ before, after, bytes });
    this.#edits.splice(0, this.#edits.length - maxEdits);
  }

  /** Returns the text before the edit that led to `text`, if its tree equals `tree`; undefined if no recorded edit matches. */
  before(text: string, tree: SavedTree): { readonly text: string; readonly bytes: Uint8Array | undefined } | undefined {
    const expectedTree = JSON.stringify(tree);
    const edit = this.#edits.findLast(
      ({ before, after }) => after === text && JSON.stringify(parseQueriesFile(before).tree) === expectedTree,
    );
    return edit && { text: edit.before, bytes: edit.bytes };
  }
}

/** Returns the replacement of [start, end) that turns `text` into `next`. It does not split a CRLF, since editors count positions by lines. */
export function replacementBetween(
  text: string,
  next: string,
): { readonly start: number; readonly end: number; readonly content: string } {
  const maxLength = Math.min(text.length, next.length);
  let start = 0;
  while (start < maxLength && text[start] === next[start]) start += 1;
  if (text[start - 1] === '\r') start -= 1;
  let end = 0;
  while (end < maxLength - start && text.at(-1 - end) === next.at(-1 - end)) end += 1;
  if (text.at(-end) === '\n' && end > 0) end -= 1;
  return { start, end: text.length - end, content: next.slice(start, next.length - end) };
}
