import { layoutOf, type Extent, type Unit } from './layout.ts';
import type { TextEdit } from './textEdit.ts';

/** What stands at a place of the new sequence: the n-th element of the old one, or a new text. */
export type Slot =
  | { readonly keep: number }
  | {
      /** Without comma; its lines after the first are already at their place. */
      readonly text: string;
      /** Comment lines above it, and a comment behind it. */
      readonly above?: readonly string[];
      readonly behind?: string;
    };

export interface Sequence {
  /** Offsets of the brackets. */
  readonly open: number;
  readonly close: number;
  readonly elements: readonly Extent[];
}

export interface SequenceStyle {
  readonly eol: string;
  /** Of the elements' lines, and of the line with the closing bracket. */
  readonly indent: string;
  readonly closeIndent: string;
  /** All in one line. */
  readonly isInline: boolean;
}

/** The edits that make the elements those of `slots`; the kept ones must be in their old order. Other elements go. */
export function sequenceEdits(
  text: string,
  { open, close, elements }: Sequence,
  slots: readonly Slot[],
  style: SequenceStyle,
): TextEdit[] {
  const { head, units } = layoutOf(text, open, close, elements);
  const hasLastComma = units.at(-1)?.comma !== undefined;
  const kept = new Set(slots.flatMap(slot => ('keep' in slot ? [slot.keep] : [])));
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
      const unit = units[slot.keep] as Unit;
      at = unit.end;
      if (needsComma && unit.comma === undefined) edits.push({ offset: unit.element.end, length: 0, content: ',' });
      if (!needsComma && unit.comma !== undefined) edits.push({ offset: unit.comma, length: 1, content: '' });
    } else added += lines(slot, needsComma, style);
  }
  flush();
  for (const [index, { cutFrom, end }] of units.entries())
    if (!kept.has(index)) edits.push({ offset: cutFrom, length: end - cutFrom, content: '' });
  return edits;
}

function lines(slot: Exclude<Slot, { keep: number }>, needsComma: boolean, style: SequenceStyle): string {
  const { text, above = [], behind } = slot;
  const comma = needsComma ? ',' : '';
  if (style.isInline) return ` ${text}${comma}`;
  const end = behind === undefined ? '' : ` ${behind}`;
  return [...above, `${text}${comma}${end}`].map(line => `${style.eol}${style.indent}${line}`).join('');
}

/** Where the line goes on behind what is inserted, it goes on in the next one. */
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
