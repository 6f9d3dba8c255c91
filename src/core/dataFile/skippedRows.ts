import { isNoValue } from './cellKinds.ts';
import { describeCell, type ColumnEvidence, type LocatedCell } from './columnEvidence.ts';
import { timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { isSameRow, isTotal } from './tableLayout.ts';

type SkipReason = 'heading' | 'total' | 'text' | 'table' | 'blank';

const reasonTexts: Readonly<Record<SkipReason, readonly [singular: string, plural: string]>> = {
  heading: ['a row that repeats the heading', 'rows that repeat the heading'],
  total: ['a row of totals', 'rows of totals'],
  text: ['a line of text', 'lines of text'],
  table: ['a row of another table', 'rows of another table'],
  blank: ['an empty row', 'empty rows'],
};

/** The rows below the heading that are not data, such as a repeated heading, totals and lines of text. */
export class SkippedRows {
  readonly #skippedRecords = new Set<number>();
  readonly #reasons = new Map<SkipReason, { count: number; readonly first: LocatedCell }>();
  readonly #heading: readonly Cell[] | undefined;
  #isBelowTable = false;

  constructor(heading: readonly Cell[] | undefined) {
    this.#heading = heading;
  }

  has(record: number): boolean {
    return this.#skippedRecords.has(record);
  }

  /** Skips a record, and returns true. `cell` is an example for the note. */
  add(record: number, line: number, reason: SkipReason, cell: string): true {
    this.#skippedRecords.add(record);
    const entry = this.#reasons.get(reason) ?? { count: 0, first: { cell, line } };
    entry.count++;
    this.#reasons.set(reason, entry);
    return true;
  }

  /** Skips a row if it is not data. `columns` describes the cells of the previous rows. Returns whether the row was skipped. */
  addIfNotData(record: number, line: number, cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    const reason = this.#findReason(cells, columns);
    const cell = cells.find(text => text !== null && text.trim() !== '') ?? '';
    return reason !== undefined && this.add(record, line, reason, cell);
  }

  #findReason(cells: readonly Cell[], columns: readonly ColumnEvidence[]): SkipReason | undefined {
    if (this.#heading && isSameRow(cells, this.#heading)) return 'heading';
    let firstValue: string | undefined;
    let filledCount = 0;
    let unusualCount = 0;
    for (const [column, cell] of cells.entries()) {
      if (cell === null || isNoValue(cell)) continue;
      const isUnusual = columns[column]?.isUnusual(cell) === true;
      // The first value is of the same kind as the cells above it, so the row is data. Most rows return here.
      if (firstValue === undefined && !isUnusual && !isTotal(cell)) {
        this.#isBelowTable = false;
        return undefined;
      }
      firstValue ??= cell;
      filledCount++;
      if (isUnusual) unusualCount++;
    }
    if (firstValue === undefined || columns.length < 2) return undefined;
    if (isTotal(firstValue) && (unusualCount > 0 || this.#lacksTime(cells, columns))) return 'total';
    const isFirstUnusual = columns[0]?.isUnusual(cells[0] ?? '') === true;
    // A line of several text cells is probably the heading of another table. The rows below it belong to that table if their first cell
    // does not fit the column.
    if (this.#isBelowTable && isFirstUnusual) return 'table';
    // A line of text starts in the first column, and none of its cells fit their columns. A line that starts with # is a comment.
    const isText = (unusualCount === filledCount && (cells[0] ?? '') !== '') || firstValue.startsWith('#');
    this.#isBelowTable = isText && filledCount > 1 && !firstValue.startsWith('#');
    return isText ? 'text' : undefined;
  }

  /** Whether a row has an empty cell in a time column. */
  #lacksTime(cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    return columns.some(
      ({ example, kinds }, column) => example && kinds & timeKinds && (cells[column] ?? '').trim() === '',
    );
  }

  get notes(): string[] {
    return [...this.#reasons].map(([reason, { count, first }]) => {
      const [singular, plural] = reasonTexts[reason];
      if (first.cell === '')
        return `Skipped: ${count === 1 ? singular : `${count} ${plural}, starting`} in line ${first.line}.`;
      return count === 1
        ? `Skipped: ${describeCell(first)}, ${singular}.`
        : `Skipped: ${count} ${plural}, such as ${describeCell(first)}.`;
    });
  }
}
