import type { Node } from 'jsonc-parser';
import { folderFields, queryFields } from '../entryFields.ts';
import type { SavedItem, SavedTree } from '../savedItem.ts';
import { allQueries, findStableElements, walk } from '../walk.ts';
import {
  blockFields,
  formatBlock,
  formatFile,
  getIndentAt,
  reindent,
  type LayoutStyle,
  detectStyle,
  formatValue,
} from './formatBlock.ts';
import { assignIds, nodeEnd, listProperties, findProperty, getValue } from './fileNode.ts';
import {
  toSlotComments,
  type Sequence,
  parseSequence,
  type SequenceStyle,
  formatSequence,
  type ElementSlot,
} from './sequence.ts';
import type { Entry, ParsedFile } from './queriesFile.ts';

/** Writes a changed tree into the text of a file. Unchanged parts stay as they are, including their comments. */
export class QueriesFileWriter {
  readonly #text: string;
  readonly #file: ParsedFile;
  readonly #style: LayoutStyle;
  readonly #entries = new Map<string, Entry>();
  readonly #idsToWrite: ReadonlySet<string>;
  readonly #sequences = new Map<Node, Sequence>();

  constructor(text: string, file: ParsedFile, tree: SavedTree) {
    this.#text = text;
    this.#file = file;
    this.#style = detectStyle(text);
    const collect = (entry: Entry): void => {
      if (entry.item) this.#entries.set(entry.item.id, entry);
      entry.entries.forEach(collect);
    };
    file.entries.forEach(collect);
    this.#idsToWrite = findIdsToWrite(this.#entries, tree);
  }

  /** Returns the whole text of the file. */
  write(tree: SavedTree): string {
    const { root, list, entries } = this.#file;
    if (!root) {
      // A file without a JSON value may still have a comment.
      const start = /(?:^\uFEFF?|[\r\n])[ \t]*$/.test(this.#text) ? '' : this.#style.eol;
      return this.#text + start + formatFile(tree, this.#style);
    }
    const queries = list ? this.#list(list, entries, tree) : this.#newList(tree, this.#style.indent);
    const style = { ...this.#detectStyle(root), isInline: false };
    const next = this.#object(root, new Map([['queries', queries]]), [], style);
    return this.#text.slice(0, root.offset) + next + this.#text.slice(nodeEnd(root));
  }

  #list(node: Node, entries: readonly Entry[], items: SavedTree): string {
    const style = this.#detectStyle(node);
    const indexById = new Map(entries.flatMap(({ item }, index) => (item ? [[item.id, index] as const] : [])));
    const oldIndexes = items.map(({ id }) => indexById.get(id));
    const stays = findStableElements(oldIndexes);
    const slots: ElementSlot[] = [];
    let next = 0;
    const addUnreadSlots = (end: number): void => {
      for (; next < end; next += 1) if (!entries[next]?.item) slots.push({ keep: next });
    };
    for (const [index, item] of items.entries()) {
      const keep = oldIndexes[index];
      if (keep === undefined || !stays[index]) {
        slots.push(this.#insertedSlot(item, style.indent));
        continue;
      }
      addUnreadSlots(keep);
      slots.push({ keep, text: this.#block(entries[keep] as Entry, item) });
      next = keep + 1;
    }
    addUnreadSlots(entries.length);
    return formatSequence(this.#parseSequence(node), slots, style);
  }

  /** Returns the text of an existing item, with its changes. */
  #block({ node, item: oldItem, list, entries }: Entry, newItem: SavedItem): string {
    if (!oldItem || (oldItem === newItem && !this.#hasIdToWrite(newItem))) return this.#sourceText(node);
    const style = this.#detectStyle(node);
    const oldFields = blockFields(oldItem);
    const newFields = blockFields(newItem);
    const order = newItem.kind === 'folder' ? folderFields : queryFields;
    const values = new Map<string, string | undefined>();
    for (const name of order) {
      const isSame = name === 'id' ? !this.#idsToWrite.has(newItem.id) : isEqual(oldFields[name], newFields[name]);
      if (!isSame) values.set(name, this.#value(findProperty(node, name)?.value, newFields[name], style));
    }
    if (newItem.kind === 'folder' && list) values.set('queries', this.#list(list, entries, newItem.items));
    else if (newItem.kind === 'folder' && newItem.items.length > 0)
      values.set('queries', this.#newList(newItem.items, getIndentAt(this.#text, node.offset) + this.#style.indent));
    return this.#object(node, values, order, style);
  }

  /** Returns the text of a changed value. In an object with comments, only the changed properties are rewritten, which keeps the comments. */
  #value(written: Node | undefined, value: unknown, { indent, isInline }: SequenceStyle): string | undefined {
    if (value === undefined) return undefined;
    const hasComments = written?.type === 'object' && /\/[/*]/.test(this.#sourceText(written));
    if (!hasComments || typeof value !== 'object' || value === null)
      return formatValue(value, indent, this.#style, isInline);
    const style = this.#detectStyle(written);
    const oldValues = new Map(Object.entries(getValue(written) ?? {}));
    const newValues = new Map(Object.entries(value));
    const names = [...new Set([...oldValues.keys(), ...newValues.keys()])];
    const changedNames = names.filter(name => !isEqual(oldValues.get(name), newValues.get(name)));
    const values = changedNames.map(
      name => [name, this.#value(findProperty(written, name)?.value, newValues.get(name), style)] as const,
    );
    return this.#object(written, new Map(values), [...newValues.keys()], style);
  }

  /**
   * Returns the text of an object with changed values; undefined removes a property. A new property comes after the last one that precedes
   * it in `order`.
   */
  #object(
    node: Node,
    values: ReadonlyMap<string, string | undefined>,
    order: readonly string[],
    style: SequenceStyle,
  ): string {
    const properties = listProperties(node);
    const slots = properties.flatMap(({ name, node: { offset }, value }, keep): (ElementSlot & { name: string })[] => {
      if (!values.has(name)) return [{ name, keep }];
      const text = values.get(name);
      if (text === undefined) return [];
      const isLast = properties.findLastIndex(property => property.name === name) === keep;
      return [{ name, keep, ...(isLast && { text: this.#text.slice(offset, value.offset) + text }) }];
    });
    for (const [name, text] of values) {
      if (text === undefined || properties.some(property => property.name === name)) continue;
      const precedingNames: readonly string[] = order.slice(0, order.indexOf(name));
      const previousIndex = order.includes(name)
        ? slots.findLastIndex(slot => precedingNames.includes(slot.name))
        : slots.length - 1;
      slots.splice(previousIndex + 1, 0, { name, text: `${JSON.stringify(name)}: ${text}` });
    }
    return formatSequence(this.#parseSequence(node), slots, style);
  }

  #insertedSlot(item: SavedItem, indent: string): ElementSlot {
    const entry = this.#entries.get(item.id);
    if (!entry) return { text: this.#newBlock(item, indent) };
    const { node } = entry;
    const text = reindent(this.#block(entry, item), getIndentAt(this.#text, node.offset), indent);
    const index = node.parent?.children?.indexOf(node) ?? -1;
    const piece = node.parent && this.#parseSequence(node.parent).pieces[index];
    return { text, ...(piece && toSlotComments(piece)) };
  }

  /** Returns the text of a new item. A new folder may contain moved blocks. */
  #newBlock(item: SavedItem, indent: string): string {
    const list = item.kind === 'folder' ? this.#newList(item.items, indent + this.#style.indent) : undefined;
    return formatBlock(item, indent, this.#style, list);
  }

  #newList(items: SavedTree, closeIndent: string): string {
    if (items.length === 0) return '[]';
    const { eol } = this.#style;
    const style = { eol, indent: closeIndent + this.#style.indent, closeIndent, isInline: false };
    const slots = items.map(item => this.#insertedSlot(item, style.indent));
    return formatSequence({ head: '[', pieces: [], foot: `${eol}${closeIndent}]` }, slots, style);
  }

  #hasIdToWrite(item: SavedItem): boolean {
    return walk([item]).some(({ item: inner }) => this.#idsToWrite.has(inner.id));
  }

  #sourceText(node: Node): string {
    return this.#text.slice(node.offset, nodeEnd(node));
  }

  #parseSequence(node: Node): Sequence {
    const cached = this.#sequences.get(node);
    if (cached) return cached;
    const elements = (node.children ?? []).map(child => ({ start: child.offset, end: nodeEnd(child) }));
    const sequence = parseSequence(this.#text, node.offset, nodeEnd(node) - 1, elements);
    this.#sequences.set(node, sequence);
    return sequence;
  }

  #detectStyle(node: Node): SequenceStyle {
    const { eol, indent } = this.#style;
    const first = node.children?.[0]?.offset;
    const closeIndent = getIndentAt(this.#text, node.offset);
    const isFirstInLine =
      first !== undefined && /^[ \t]*$/.test(this.#text.slice(this.#text.lastIndexOf('\n', first - 1) + 1, first));
    const isInline = node.type === 'object' && first !== undefined && !this.#sourceText(node).includes('\n');
    return {
      eol,
      indent: isFirstInLine ? getIndentAt(this.#text, first) : closeIndent + indent,
      closeIndent,
      isInline,
    };
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Returns the ids that must be written into the file, so that the items have the same ids when it is read again. An id that follows from
 * the name is written only if the name changes, if another entry of that name is added or removed, or if a board refers to it, which must
 * still work after the query is renamed in the file.
 */
function findIdsToWrite(entries: ReadonlyMap<string, Entry>, tree: SavedTree): ReadonlySet<string> {
  const items = walk(tree).map(({ item }) => item);
  const toWrite = new Set<string>();
  for (const { id, name } of items) {
    const entry = entries.get(id);
    if (entry && entry.writtenId !== id && entry.item?.name !== name) toWrite.add(id);
  }
  for (const item of items) {
    const oldItem = entries.get(item.id)?.item;
    if (item.kind === 'folder' && item.board && oldItem?.kind === 'folder' && oldItem.board !== item.board)
      for (const { id } of allQueries(item.items)) if (entries.get(id)?.writtenId !== id) toWrite.add(id);
  }
  for (;;) {
    const ids = assignIds(
      items.map(({ id, kind, name }) => {
        const entry = entries.get(id);
        return { kind, name, writtenId: entry && !toWrite.has(id) ? entry.writtenId : id };
      }),
    );
    const conflicting = items.filter(({ id }, index) => ids[index] !== id && entries.has(id) && !toWrite.has(id));
    if (conflicting.length === 0) return toWrite;
    for (const { id } of conflicting) toWrite.add(id);
  }
}
