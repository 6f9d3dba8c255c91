import type { Query } from '../../query/query.ts';
import { utc } from '../../time/zone.ts';
import type { FieldName } from '../entryFields.ts';
import type { SavedItem, SavedTree } from '../savedItem.ts';
import { serializeAlert } from './readEntry.ts';

/** Returns the known fields of an item's block in file order, without the items of a folder. Undefined fields are not written. */
export function blockFields(item: SavedItem): Partial<Record<FieldName, unknown>> {
  const { name, id } = item;
  if (item.kind === 'folder') return { folder: name, note: item.note, board: item.board, id };
  const { dataset, range, timeZone, interval, params }: Query = item.query;
  return {
    name,
    dataset,
    range,
    timeZone: timeZone === utc.timeZone ? undefined : timeZone,
    interval,
    params: Object.keys(params).length > 0 ? params : undefined,
    connection: item.connection,
    keepFresh: item.keepFresh,
    alerts: item.alerts && item.alerts.length > 0 ? item.alerts.map(serializeAlert) : undefined,
    note: item.note,
    analysis: item.analysis,
    display: item.display,
    id,
  };
}

/** Formats a new file. */
export function formatFile(tree: SavedTree, style: LayoutStyle): string {
  const { eol, indent } = style;
  return `{${eol}${indent}"queries": ${formatList(tree, indent, style)}${eol}}${eol}`;
}

function formatList(tree: SavedTree, lineIndent: string, style: LayoutStyle): string {
  if (tree.length === 0) return '[]';
  const inner = lineIndent + style.indent;
  const blocks = tree.map(item => `${style.eol}${inner}${formatBlock(item, inner, style)}`);
  return `[${blocks.join(',')}${style.eol}${lineIndent}]`;
}

/** Formats the block of an item with its id. The first line has no indentation. `list` is the text of a folder's items, if it is known. */
export function formatBlock(item: SavedItem, lineIndent: string, style: LayoutStyle, list?: string): string {
  const inner = lineIndent + style.indent;
  const lines = Object.entries({ ...blockFields(item), ...item.unknownFields }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${inner}${JSON.stringify(name)}: ${formatValue(value, inner, style)}`],
  );
  if (item.kind === 'folder') lines.push(`${inner}"queries": ${list ?? formatList(item.items, inner, style)}`);
  return `{${style.eol}${lines.join(`,${style.eol}`)}${style.eol}${lineIndent}}`;
}

/** An object that would be longer than this has one field per line. */
const maxLineLength = 100;

/** Formats a value. Arrays and long objects have one element per line, unless `isInline`; everything else is on one line. */
export function formatValue(
  value: unknown,
  lineIndent: string,
  { eol, indent }: LayoutStyle,
  isInline = false,
): string {
  if (!Array.isArray(value) || isInline) {
    const text = formatInline(value);
    if (isInline || text.length <= maxLineLength || typeof value !== 'object') return text;
    const fields = Object.entries(value ?? {}).filter(([, inner]) => inner !== undefined);
    const lines = fields.map(
      ([name, inner]) => `${eol}${lineIndent}${indent}${JSON.stringify(name)}: ${formatInline(inner)}`,
    );
    return `{${lines.join(',')}${eol}${lineIndent}}`;
  }
  const elements = value.map(element => `${eol}${lineIndent}${indent}${formatInline(element)}`);
  return `[${elements.join(',')}${eol}${lineIndent}]`;
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  if (fields.length === 0) return '{}';
  return `{ ${fields.map(([name, inner]) => `${JSON.stringify(name)}: ${formatInline(inner)}`).join(', ')} }`;
}

/** The formatting of the file. */
export interface LayoutStyle {
  readonly eol: string;
  /** The indentation of one level. */
  readonly indent: string;
}

export function detectStyle(text: string): LayoutStyle {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ' };
}

/** Returns the spaces or tabs at the beginning of the line that contains `offset`. */
export function getIndentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Replaces the indentation `from` of a block's lines by `to`. */
export function reindent(block: string, from: string, to: string): string {
  if (from === to) return block;
  return block
    .split('\n')
    .map((line, index) => (index > 0 && line.startsWith(from) ? to + line.slice(from.length) : line))
    .join('\n');
}
