import { cellState, getCellState, type Column, type Frame } from '../../shared/frame.ts';
import type { Revisions } from '../../shared/result.ts';
import { groupColumnsByPath } from '../frame/assembleFrames.ts';
import { findTimeColumn } from '../frame/clip.ts';
import { cellJson } from '../frame/columnKinds.ts';
import { toInertText } from '../inertText.ts';

/** Maximum number of lines in each text, few enough for an editor to compare quickly. */
const maxLines = 5000;
/** Maximum length of a cell. */
const maxCellLength = 300;

/** Translated texts and formatters. */
interface RevisionFormat {
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
export function formatRevisions(
  { before, after }: Pick<Revisions, 'before' | 'after'>,
  words: RevisionFormat,
): { before: string; after: string } {
  const beforeLines: string[] = [];
  const afterLines: string[] = [];
  const rowsBefore = groupRowsByInstant(before);
  const rowsAfter = groupRowsByInstant(after);
  const fields = matchFields(before, after);
  for (const [instant, rows] of rowsBefore) {
    const laterRows = rowsAfter.get(instant) ?? [];
    for (let index = 0; index < Math.max(rows.length, laterRows.length); index++) {
      if (beforeLines.length >= maxLines)
        return { before: truncateLines(beforeLines, words), after: truncateLines(afterLines, words) };
      const lines = fields.flatMap(field => formatChange(field, rows[index], laterRows[index], words));
      if (lines.length === 0) continue;
      const time = words.time(instant);
      beforeLines.push(time, ...lines.map(([line]) => line));
      afterLines.push(
        time,
        ...(laterRows[index] === undefined ? [`  ${words.withdrawn}`] : lines.map(([, line]) => line)),
      );
    }
  }
  return { before: joinLines(beforeLines), after: joinLines(afterLines) };
}

/** The columns of a field before and after the revision, and the label at the start of its lines. */
interface ComparedField {
  readonly before: Column | undefined;
  readonly after: Column | undefined;
  readonly label: string;
}

/** Matches the fields of both frames once, because comparing names for each cell takes seconds. */
function matchFields(before: Frame, after: Frame): ComparedField[] {
  const time = findTimeColumn(before);
  const fields = [...groupColumnsByPath([before, after]).values()].filter(
    ([beforeColumn]) => beforeColumn === undefined || beforeColumn !== time,
  );
  return fields.map(([beforeColumn, afterColumn]): ComparedField => {
    const { name = '', field } = afterColumn ?? beforeColumn ?? {};
    const unit = field?.unit?.text ? ` (${field.unit.text})` : '';
    return { before: beforeColumn, after: afterColumn, label: `  ${toInertText(field?.label ?? name)}${unit}: ` };
  });
}

type Row = number | undefined;

/** Returns the two lines of a changed field; an empty list if it is unchanged. */
function formatChange(
  { before: columnBefore, after: columnAfter, label }: ComparedField,
  rowBefore: Row,
  rowAfter: Row,
  { noValue }: RevisionFormat,
): [lineBefore: string, lineAfter: string][] {
  const previousText = readCell(columnBefore, rowBefore) ?? noValue;
  const newText = readCell(columnAfter, rowAfter) ?? noValue;
  if (previousText === newText) return [];
  const displayed = [previousText, newText].map(text => toInertText(text, maxCellLength));
  const [first = '', second = ''] =
    displayed[0] === displayed[1] ? shortenAroundDifference(previousText, newText) : displayed;
  return [[label + first, label + second]];
}

/** Number of characters before the first difference of two long texts. */
const contextLength = 50;

/** Shortens two texts that would otherwise look equal. They start near their first difference, and show hidden characters as code points. */
function shortenAroundDifference(...texts: readonly [string, string]): string[] {
  const [first, second] = texts;
  let index = 0;
  while (index < first.length && first[index] === second[index]) index++;
  const from = Math.max(0, index - contextLength);
  return texts.map(text => {
    const part = text
      .slice(from, from + maxCellLength)
      .replace(/(?! )[\p{C}\s]| {2,}/gu, match =>
        Array.from(match, character => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`).join(''),
      );
    return (from > 0 ? '…' : '') + toInertText(part, part.length) + (from + maxCellLength < text.length ? '…' : '');
  });
}

function readCell(column: Column | undefined, row: Row): string | undefined {
  if (row === undefined || !column || getCellState(column, row) !== cellState.value) return undefined;
  return cellJson(column, row);
}

function groupRowsByInstant(frame: Frame): Map<number, number[]> {
  const { values } = findTimeColumn(frame) ?? { values: [] };
  return Map.groupBy(
    Array.from(values, (_, row) => row),
    row => values[row] ?? NaN,
  );
}

function truncateLines(lines: readonly string[], { more }: RevisionFormat): string {
  return joinLines([...lines.slice(0, maxLines), more]);
}

function joinLines(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('');
}
