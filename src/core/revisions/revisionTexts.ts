import { cellState, stateAt, type Column, type Frame } from '../../shared/frame.ts';
import type { Revisions } from '../../shared/result.ts';
import { slotsOf } from '../frame/assembleFrames.ts';
import { timeColumnOf } from '../frame/clip.ts';
import { cellJson } from '../frame/columnKinds.ts';
import { inertText } from '../inertText.ts';

/** Maximum number of lines in each text, few enough for an editor to compare quickly. */
const mostLines = 5000;
/** Maximum length of a cell. */
const longestCell = 300;

/** Translated texts and formatters. */
interface RevisionWords {
  readonly time: (ms: number) => string;
  readonly withdrawn: string;
  readonly noValue: string;
  /** The last line of a truncated text. */
  readonly more: string;
}

/**
 * Formats revisions as two texts for a diff editor: below each time one line for each changed field, `Wind (MW): 1234.5`, or a line for
 * a withdrawn row. Numbers have all digits.
 */
export function revisionTexts(
  { before, after }: Pick<Revisions, 'before' | 'after'>,
  words: RevisionWords,
): { before: string; after: string } {
  const [was, is]: [string[], string[]] = [[], []];
  const [earlier, later] = [rowsByInstant(before), rowsByInstant(after)];
  const fields = fieldsOf(before, after);
  for (const [instant, rows] of earlier) {
    const others = later.get(instant) ?? [];
    for (let at = 0; at < Math.max(rows.length, others.length); at++) {
      if (was.length >= mostLines) return { before: cut(was, words), after: cut(is, words) };
      const lines = fields.flatMap(field => changedCell(field, rows[at], others[at], words));
      if (lines.length === 0) continue;
      const time = words.time(instant);
      was.push(time, ...lines.map(([line]) => line));
      is.push(time, ...(others[at] === undefined ? [`  ${words.withdrawn}`] : lines.map(([, line]) => line)));
    }
  }
  return { before: textOf(was), after: textOf(is) };
}

/** A field before and after, and the label at the start of its lines. */
interface ComparedField {
  readonly was: Column | undefined;
  readonly is: Column | undefined;
  readonly label: string;
}

/** Matches the fields of both frames once, because comparing names for each cell takes seconds. */
function fieldsOf(before: Frame, after: Frame): ComparedField[] {
  const time = timeColumnOf(before);
  const fields = [...slotsOf([before, after]).values()].filter(([was]) => was === undefined || was !== time);
  return fields.map(([was, is]): ComparedField => {
    const { name = '', field } = is ?? was ?? {};
    const unit = field?.unit?.text ? ` (${field.unit.text})` : '';
    return { was, is, label: `  ${inertText(field?.label ?? name)}${unit}: ` };
  });
}

type Row = number | undefined;

/** Returns the two lines of a changed field; empty if it is unchanged. */
function changedCell(
  { was, is, label }: ComparedField,
  before: Row,
  after: Row,
  { noValue }: RevisionWords,
): [was: string, is: string][] {
  const [earlier, now] = [cellAt(was, before) ?? noValue, cellAt(is, after) ?? noValue];
  if (earlier === now) return [];
  const shown = [earlier, now].map(text => inertText(text, longestCell));
  const [first = '', second = ''] = shown[0] === shown[1] ? aroundDifference(earlier, now) : shown;
  return [[label + first, label + second]];
}

/** Number of characters before the first difference of two long texts. */
const lead = 50;

/** Shortens two texts that would look equal otherwise: they start near their first difference, with hidden characters as code points. */
function aroundDifference(...texts: readonly [string, string]): string[] {
  const [one, other] = texts;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const from = Math.max(0, at - lead);
  return texts.map(text => {
    const part = text
      .slice(from, from + longestCell)
      .replace(/(?! )[\p{C}\s]| {2,}/gu, found =>
        Array.from(found, character => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`).join(''),
      );
    return (from > 0 ? '…' : '') + inertText(part, part.length) + (from + longestCell < text.length ? '…' : '');
  });
}

function cellAt(column: Column | undefined, row: Row): string | undefined {
  if (row === undefined || !column || stateAt(column, row) !== cellState.value) return undefined;
  return cellJson(column, row);
}

function rowsByInstant(frame: Frame): Map<number, number[]> {
  const { values } = timeColumnOf(frame) ?? { values: [] };
  return Map.groupBy(
    Array.from(values, (_, row) => row),
    row => values[row] ?? NaN,
  );
}

function cut(lines: readonly string[], { more }: RevisionWords): string {
  return textOf([...lines.slice(0, mostLines), more]);
}

function textOf(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
