import { keyLikePart } from '../keyLike.ts';
import { allIds, allQueries, longestOrder, walk } from '../walk.ts';
import type { SavedItem, SavedTree } from '../savedItem.ts';
import {
  blockEdits,
  bracketsOf,
  objectSequence,
  sequenceStyle,
  sequenceEdits,
  type InsertPosition,
} from './blockEdits.ts';
import { blockText, fileText, listText, indentAt, reindent, styleOf, type Style } from './blockText.ts';
import { fileLimits } from './fileProblem.ts';
import { nodeEnd, assignIds } from './fileNode.ts';
import { applyTextEdits, layoutOf, type TextEdit, tidyEdits } from './layout.ts';
import { isTooLarge, parseEntries, type Entry, type ParsedFile, parseQueriesFile } from './queriesFile.ts';

export type FileEdits =
  | {
      readonly ok: true;
      /** Sorted, not overlapping; offsets are those of the text before. None where nothing changes. */
      readonly edits: readonly TextEdit[];
      readonly tree: SavedTree;
    }
  /** The file would exceed the limits. */
  | { readonly ok: false; readonly problem: 'tooLarge' }
  /** The file exceeds the limits already. */
  | { readonly ok: false; readonly problem: 'isTooLarge' }
  /** The text must be repaired by hand first: an edit could damage it. */
  | { readonly ok: false; readonly problem: 'notJson' }
  /** `part` names a field that looks like a key, which must not be written into a shared file. */
  | { readonly ok: false; readonly problem: 'keyLike'; readonly part: string };

/**
 * The edits that apply `change` to the tree of the file. Comments, formatting and unchanged entries stay as they are, also those that
 * cannot be read; a moved block takes its comments along. `text` is undefined for no file.
 */
export function editQueriesFile(text: string | undefined, change: (tree: SavedTree) => SavedTree): FileEdits {
  const source = text ?? '';
  if (isTooLarge(source)) return { ok: false, problem: 'isTooLarge' };
  const file = parseEntries(source);
  if (!file.isSound) return { ok: false, problem: 'notJson' };
  const tree = change(file.tree);
  if (tree === file.tree) return { ok: true, edits: [], tree };
  const known = new Set([...walk(file.tree)].map(({ item }) => item));
  const changed = [...walk(tree)].flatMap(({ item }) => (known.has(item) ? [] : [withoutItems(item)]));
  const part = keyLikePart(changed);
  if (part !== undefined) return { ok: false, problem: 'keyLike', part };
  const edits = tidyEdits(new FileEditor(source, file, tree).edits(tree));
  const isFull =
    changed.length > 0 && (allIds(tree).size > fileLimits.entries || isTooLarge(applyTextEdits(source, edits)));
  return isFull ? { ok: false, problem: 'tooLarge' } : { ok: true, edits, tree };
}

/** Without its content, whose items are checked one by one. */
function withoutItems(item: SavedItem): SavedItem {
  return item.kind === 'folder' ? { ...item, items: [] } : item;
}

class FileEditor {
  readonly #text: string;
  readonly #file: ParsedFile;
  readonly #style: Style;
  readonly #entries = new Map<string, Entry>();
  readonly #writeIds: ReadonlySet<string>;

  constructor(text: string, file: ParsedFile, tree: SavedTree) {
    this.#text = text;
    this.#file = file;
    this.#style = styleOf(text);
    const collect = (entry: Entry): void => {
      if (entry.item) this.#entries.set(entry.item.id, entry);
      entry.entries.forEach(collect);
    };
    file.entries.forEach(collect);
    this.#writeIds = idsToWrite(this.#entries, tree);
  }

  edits(tree: SavedTree): TextEdit[] {
    const { root, list, entries } = this.#file;
    if (!root) {
      // A file without JSON may have a comment.
      const start = /(?:^\uFEFF?|[\r\n])[ \t]*$/.test(this.#text) ? '' : this.#style.eol;
      return [{ offset: this.#text.length, length: 0, content: start + fileText(tree, this.#style) }];
    }
    if (list) return this.#listEdits(list, entries, tree);
    const { style, ...sequence } = objectSequence(this.#text, root, this.#style);
    const slots: InsertPosition[] = sequence.elements.map((_, keep) => ({ keep }));
    const queries = `"queries": ${listText(tree, style.indent, this.#style)}`;
    return sequenceEdits(this.#text, sequence, [...slots, { text: queries }], { ...style, isInline: false });
  }

  #listEdits(list: NonNullable<Entry['list']>, entries: readonly Entry[], items: SavedTree): TextEdit[] {
    const elements = entries.map(({ node }) => ({ start: node.offset, end: nodeEnd(node) }));
    const style = sequenceStyle(this.#text, list, elements[0]?.start, this.#style);
    const indexOf = new Map(entries.flatMap(({ item }, index) => (item ? [[item.id, index] as const] : [])));
    const places = items.map(({ id }) => indexOf.get(id));
    const stays = longestOrder(places);
    const slots: InsertPosition[] = [];
    const edits: TextEdit[] = [];
    let next = 0;
    const keepUnread = (end: number): void => {
      for (; next < end; next += 1) if (!entries[next]?.item) slots.push({ keep: next });
    };
    for (const [index, item] of items.entries()) {
      const keep = places[index];
      if (keep === undefined || !stays[index]) {
        slots.push(this.#inserted(item, style.indent));
        continue;
      }
      keepUnread(keep);
      slots.push({ keep });
      next = keep + 1;
      edits.push(...this.#itemEdits(entries[keep] as Entry, item));
    }
    keepUnread(entries.length);
    const isSame = slots.length === entries.length && slots.every(slot => 'keep' in slot);
    if (isSame) return edits;
    return [...edits, ...sequenceEdits(this.#text, { ...bracketsOf(list), elements }, slots, style)];
  }

  /** The edits within the block of an item that stays or moves. */
  #itemEdits({ node, item: before, list, entries }: Entry, after: SavedItem): TextEdit[] {
    if (!before || (before === after && !this.#hasIdToWrite(after))) return [];
    const indent = indentAt(this.#text, node.offset) + this.#style.indent;
    const isMissing = after.kind === 'folder' && !list && after.items.length > 0;
    const newList = isMissing ? this.#newList(after.items, indent) : undefined;
    const writeId = this.#writeIds.has(after.id);
    const edits = blockEdits(this.#text, { node, before, after, writeId, newList }, this.#style);
    return after.kind === 'folder' && list ? [...edits, ...this.#listEdits(list, entries, after.items)] : edits;
  }

  #hasIdToWrite(item: SavedItem): boolean {
    return [...walk([item])].some(({ item: inner }) => this.#writeIds.has(inner.id));
  }

  #inserted(item: SavedItem, indent: string): Exclude<InsertPosition, { keep: number }> {
    const entry = this.#entries.get(item.id);
    if (!entry) return { text: this.#newBlock(item, indent) };
    const { node } = entry;
    const from = indentAt(this.#text, node.offset);
    const edits = tidyEdits(this.#itemEdits(entry, item)).map(edit => ({ ...edit, offset: edit.offset - node.offset }));
    const block = applyTextEdits(this.#text.slice(node.offset, nodeEnd(node)), edits);
    return { text: reindent(block, from, indent), ...this.#commentsOf(entry) };
  }

  /** The text of a new block. A new folder may contain moved blocks. */
  #newBlock(item: SavedItem, indent: string): string {
    if (item.kind === 'query') return blockText(item, indent, this.#style);
    const empty = blockText({ ...item, items: [] }, indent, this.#style);
    const list = this.#newList(item.items, indent + this.#style.indent);
    const at = empty.lastIndexOf('[]');
    return empty.slice(0, at) + list + empty.slice(at + 2);
  }

  #newList(items: SavedTree, indent: string): string {
    const { eol, indent: step } = this.#style;
    if (items.length === 0) return '[]';
    const style = { eol, indent: indent + step, closeIndent: indent, isInline: false };
    const slots = items.map(item => this.#inserted(item, style.indent));
    const list = `[${eol}${indent}]`;
    const edits = sequenceEdits(list, { open: 0, close: list.length - 1, elements: [] }, slots, style);
    return applyTextEdits(list, tidyEdits(edits));
  }

  #commentsOf({ node }: Entry): { above?: readonly string[]; behind?: string } {
    const list = node.parent;
    if (!list) return {};
    const elements = (list.children ?? []).map(child => ({ start: child.offset, end: nodeEnd(child) }));
    const { units } = layoutOf(this.#text, bracketsOf(list).open, bracketsOf(list).close, elements);
    const unit = units.find(({ element }) => element.start === node.offset);
    if (!unit) return {};
    const above = this.#text
      .slice(unit.start, node.offset)
      .split(/\r?\n/)
      .map(line => line.trim())
      .filter(Boolean);
    const tail = this.#text.slice(nodeEnd(node), unit.end);
    const comma = unit.comma === undefined ? -1 : unit.comma - nodeEnd(node);
    const behind = (comma < 0 ? tail : tail.slice(0, comma) + tail.slice(comma + 1)).trim();
    return { above, ...(behind !== '' && { behind }) };
  }
}

/**
 * The items whose id must be written into their block to be the same after the next reading. An id that follows from the name is not
 * written, unless the name changes, another entry of that name is added or removed, or a board is to find it also after somebody has
 * renamed it in the file.
 */
function idsToWrite(entries: ReadonlyMap<string, Entry>, tree: SavedTree): ReadonlySet<string> {
  const items = [...walk(tree)].map(({ item }) => item);
  const toWrite = new Set<string>();
  for (const { id, name } of items) {
    const entry = entries.get(id);
    if (entry && entry.writtenId !== id && entry.item?.name !== name) toWrite.add(id);
  }
  for (const item of items) {
    const before = entries.get(item.id)?.item;
    if (item.kind === 'folder' && item.board && before?.kind === 'folder' && before.board !== item.board)
      for (const { id } of allQueries(item.items)) if (entries.get(id)?.writtenId !== id) toWrite.add(id);
  }
  for (;;) {
    const ids = assignIds(
      items.map(({ id, kind, name }) => {
        const entry = entries.get(id);
        return { kind, name, written: entry && !toWrite.has(id) ? entry.writtenId : id };
      }),
    );
    const wrong = items.filter(({ id }, index) => ids[index] !== id && entries.has(id) && !toWrite.has(id));
    if (wrong.length === 0) return toWrite;
    for (const { id } of wrong) toWrite.add(id);
  }
}

/** How many edits can be undone exactly. */
const mostEdits = 20;

/**
 * The texts before recent edits. Restoring deleted items also restores the comments and the formatting of the file, which a tree doesn't
 * have.
 */
export class PastTexts {
  readonly #edits: { readonly before: string; readonly after: string; readonly bytes: Uint8Array | undefined }[] = [];

  /** Records an edit. `bytes`: the content of the file before, where it was saved: an editor normalises mixed line ends. */
  note(before: string, after: string, bytes?: Uint8Array): void {
    this.#edits.push({ before, after, bytes });
    this.#edits.splice(0, this.#edits.length - mostEdits);
  }

  /** The edits that restore the text before an edit, where that has the content `tree`; undefined where no edit fits. */
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

/** The one replacement that turns a text into another. It doesn't split a line end, since editors count positions by lines. */
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
