import type { Node } from 'jsonc-parser';
import type { SavedItem } from '../savedItem.ts';
import { folderFields, queryFields, type FieldName } from '../entryFields.ts';
import { blockFields, fieldText, valueText, indentAt, type Style } from './blockText.ts';
import { nodeEnd, propertiesOf, valueOf, type PropertyNode } from './fileNode.ts';
import { type BlockUnit, type Extent, layoutOf, type TextEdit } from './layout.ts';

interface BlockChange {
  readonly node: Node;
  readonly before: SavedItem;
  readonly after: SavedItem;
  /** Whether the id must be written. */
  readonly writeId: boolean;
  /** The text of a `queries` array to add. */
  readonly newList?: string | undefined;
}

/** The edits in one block, without those of a folder's array. Unchanged and unknown fields stay as written. */
export function blockEdits(text: string, change: BlockChange, style: Style): TextEdit[] {
  const { node, before, after, newList } = change;
  const order: readonly FieldName[] =
    before.kind === after.kind && after.kind === 'folder' ? folderFields : queryFields;
  const added = new Map<string, string>();
  if (newList !== undefined) added.set('queries', `"queries": ${newList}`);
  return objectEdits(text, node, { wanted: changedFields(change), order, added }, style);
}

interface ObjectChange {
  /** Undefined values go. */
  readonly wanted: readonly (readonly [name: string, value: unknown])[];
  /** In which fields are written. */
  readonly order: readonly string[];
  /** Fields that are written already. */
  readonly added: Map<string, string>;
}

function objectEdits(text: string, node: Node, { wanted, order, added }: ObjectChange, style: Style): TextEdit[] {
  const sequence = objectSequence(text, node, style);
  const { isInline } = sequence.style;
  const properties = propertiesOf(node);
  const edits: TextEdit[] = [];
  const gone = new Set<number>();
  for (const [name, value] of wanted) {
    const written = properties.findLast(property => property.name === name);
    if (value === undefined)
      for (const [index, property] of properties.entries()) if (property.name === name) gone.add(index);
    if (value === undefined) continue;
    if (!written) added.set(name, fieldText(name, value, sequence.style.indent, style, isInline));
    else edits.push(...valueEdits(text, written, value, style, isInline));
  }
  if (gone.size === 0 && added.size === 0) return edits;
  const slots = slotsOf(
    properties.map(({ name }) => name),
    gone,
    added,
    order,
  );
  return [...edits, ...sequenceEdits(text, sequence, slots, sequence.style)];
}

/** Replaces a value; in an object with comments what is another alone, so that they stay. */
function valueEdits(
  text: string,
  { node, value: written }: PropertyNode,
  value: unknown,
  style: Style,
  isInline: boolean,
): TextEdit[] {
  const { offset, length } = written;
  const hasComments = /\/[/*]/.test(text.slice(offset, offset + length));
  if (!hasComments || written.type !== 'object' || typeof value !== 'object' || value === null)
    return [{ offset, length, content: valueText(value, indentAt(text, node.offset), style, isInline) }];
  const [before, after] = [new Map(Object.entries(valueOf(written) ?? {})), new Map(Object.entries(value))];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const isOther = (name: string): boolean => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name));
  const wanted = names.filter(isOther).map(name => [name, after.get(name)] as const);
  return objectEdits(text, written, { wanted, order: [...after.keys()], added: new Map() }, style);
}

function changedFields({ before, after, writeId }: BlockChange): [FieldName, unknown][] {
  const [old, wanted] = [blockFields(before), blockFields(after)];
  const names: readonly FieldName[] = after.kind === 'folder' ? folderFields : queryFields;
  return names.flatMap((name): [FieldName, unknown][] => {
    if (name === 'queries') return [];
    const isSame = name === 'id' ? !writeId : JSON.stringify(old[name]) === JSON.stringify(wanted[name]);
    return isSame ? [] : [[name, wanted[name]]];
  });
}

/** New fields are inserted after the last existing field that precedes them in `order`. */
function slotsOf(
  names: readonly string[],
  gone: ReadonlySet<number>,
  added: ReadonlyMap<string, string>,
  order: readonly string[],
): InsertPosition[] {
  const slots: (InsertPosition & { readonly name: string })[] = names.flatMap((name, keep) =>
    gone.has(keep) ? [] : [{ name, keep }],
  );
  for (const name of order) {
    const text = added.get(name);
    if (text === undefined) continue;
    const earlier: readonly string[] = order.slice(0, order.indexOf(name));
    const previous = slots.findLastIndex(slot => earlier.includes(slot.name));
    slots.splice(previous + 1, 0, { name, text });
  }
  return slots;
}

/** The properties of an object as a sequence. */
export function objectSequence(
  text: string,
  node: Node,
  style: Style,
): { open: number; close: number; elements: { start: number; end: number }[]; style: SequenceStyle } {
  const elements = propertiesOf(node).map(({ node: { offset, length } }) => ({ start: offset, end: offset + length }));
  return { ...bracketsOf(node), elements, style: sequenceStyle(text, node, elements[0]?.start, style) };
}

export function bracketsOf(node: Node): { open: number; close: number } {
  return { open: node.offset, close: nodeEnd(node) - 1 };
}

export function sequenceStyle(text: string, node: Node, first: number | undefined, style: Style): SequenceStyle {
  const closeIndent = indentAt(text, node.offset);
  const isFirstInLine =
    first !== undefined && /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', first - 1) + 1, first));
  const indent = isFirstInLine ? indentAt(text, first) : closeIndent + style.indent;
  const isInline =
    node.type === 'object' && first !== undefined && !text.slice(node.offset, nodeEnd(node)).includes('\n');
  return { eol: style.eol, indent, closeIndent, isInline };
}

/** An element of the new sequence: the n-th element of the old one, or a new text. */
export type InsertPosition =
  | { readonly keep: number }
  | {
      /** Without comma; its lines after the first are already indented. */
      readonly text: string;
      /** Comment lines above it, and a comment after it. */
      readonly above?: readonly string[];
      readonly behind?: string;
    };

interface Sequence {
  /** Offsets of the brackets. */
  readonly open: number;
  readonly close: number;
  readonly elements: readonly Extent[];
}

interface SequenceStyle {
  readonly eol: string;
  /** Of the elements' lines, and of the line with the closing bracket. */
  readonly indent: string;
  readonly closeIndent: string;
  /** All in one line. */
  readonly isInline: boolean;
}

/** The edits that replace the elements by `slots`. Elements that stay must be in their old order; the others are removed. */
export function sequenceEdits(
  text: string,
  { open, close, elements }: Sequence,
  slots: readonly InsertPosition[],
  style: SequenceStyle,
): TextEdit[] {
  const { head, units } = layoutOf(text, open, close, elements);
  const hasLastComma = units.at(-1)?.comma !== undefined;
  const remaining = new Set(slots.flatMap(slot => ('keep' in slot ? [slot.keep] : [])));
  const edits: TextEdit[] = [];
  let at = head;
  let added = '';
  const flush = (): void => {
    if (added !== '') edits.push({ offset: at, length: 0, content: added + lineEnd(text, at, close, style) });
    added = '';
  };
  for (const [index, slot] of slots.entries()) {
    const needsComma = index < slots.length - 1 || hasLastComma;
    if ('keep' in slot) {
      flush();
      const unit = units[slot.keep] as BlockUnit;
      at = unit.end;
      if (needsComma && unit.comma === undefined) edits.push({ offset: unit.element.end, length: 0, content: ',' });
      if (!needsComma && unit.comma !== undefined) edits.push({ offset: unit.comma, length: 1, content: '' });
    } else added += lines(slot, needsComma, style);
  }
  flush();
  for (const [index, { cutFrom, end }] of units.entries())
    if (!remaining.has(index)) edits.push({ offset: cutFrom, length: end - cutFrom, content: '' });
  return edits;
}

function lines(slot: Exclude<InsertPosition, { keep: number }>, needsComma: boolean, style: SequenceStyle): string {
  const { text, above = [], behind } = slot;
  const comma = needsComma ? ',' : '';
  if (style.isInline) return ` ${text}${comma}`;
  const end = behind === undefined ? '' : ` ${behind}`;
  return [...above, `${text}${comma}${end}`].map(line => `${style.eol}${style.indent}${line}`).join('');
}

/** The line end after an insertion, where something follows on the same line. */
function lineEnd(
  text: string,
  at: number,
  close: number,
  { eol, indent, closeIndent, isInline }: SequenceStyle,
): string {
  const rest = /^[ \t]*/.exec(text.slice(at, close + 1))?.[0].length ?? 0;
  const isClose = at + rest === close;
  if (isInline) return isClose && rest === 0 ? ' ' : '';
  if (/^\r?\n/.test(text.slice(at + rest, at + rest + 2))) return '';
  return eol + (isClose ? closeIndent.slice(0, Math.max(0, closeIndent.length - rest)) : indent);
}
