import { cellState, stateAt, type Frame } from '../shared/frame.ts';
import type { Revisions } from '../shared/result.ts';
import { timeColumnOf } from './clip.ts';
import { cellJson } from './columnKinds.ts';
import { inertText } from './inertText.ts';

/** Lines of each text: more than anybody reads, and few enough for an editor to compare at once. */
const mostLines = 5000;
/** Characters of a cell. */
const longestCell = 300;

/** How it is said. */
export interface RevisionWords {
  readonly time: (ms: number) => string;
  readonly withdrawn: string;
  readonly noValue: string;
  /** The last line of a text that is cut. */
  readonly more: string;
}

/**
 * What was changed as two texts to be held against each other line by line: under each time a line for every field that says
 * something else now, `Wind (MW): 1234.5`; under a row that is no longer there that it is withdrawn. Numbers have all digits.
 */
export function revisionTexts({ before, after }: Revisions, words: RevisionWords): { before: string; after: string } {
  const [was, is]: [string[], string[]] = [[], []];
  const [earlier, later] = [rowsByInstant(before), rowsByInstant(after)];
  for (const [instant, rows] of earlier) {
    const others = later.get(instant) ?? [];
    for (let at = 0; at < Math.max(rows.length, others.length); at++) {
      if (was.length >= mostLines) return { before: cut(was, words), after: cut(is, words) };
      const lines = changedCells({ frame: before, row: rows[at] }, { frame: after, row: others[at] }, words);
      if (lines.length === 0) continue;
      const time = words.time(instant);
      was.push(time, ...lines.map(([line]) => line));
      is.push(time, ...(others[at] === undefined ? [`  ${words.withdrawn}`] : lines.map(([, line]) => line)));
    }
  }
  return { before: textOf(was), after: textOf(is) };
}

interface PlacedRow {
  readonly frame: Frame;
  /** Undefined where there is none. */
  readonly row: number | undefined;
}

/** The lines of each field that was something and is something else. */
function changedCells(was: PlacedRow, is: PlacedRow, { noValue }: RevisionWords): [was: string, is: string][] {
  const lines: [string, string][] = [];
  const columns = new Map(
    [...was.frame.columns, ...is.frame.columns].map(column => [JSON.stringify(column.path), column]),
  );
  columns.delete(JSON.stringify(timeColumnOf(was.frame)?.path));
  for (const [path, { name, field }] of columns) {
    const texts = [was, is].map(row => cellAt(row, path) ?? noValue);
    const [before = '', now = ''] = texts;
    if (before === now) continue;
    const unit = field?.unit?.text ? ` (${field.unit.text})` : '';
    const label = `  ${inertText(field?.label ?? name)}${unit}: `;
    lines.push([label + inertText(before, longestCell), label + inertText(now, longestCell)]);
  }
  return lines;
}

function cellAt({ frame, row }: PlacedRow, path: string): string | undefined {
  const column = frame.columns.find(one => JSON.stringify(one.path) === path);
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
