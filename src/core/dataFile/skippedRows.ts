import { isNoValue } from './cellKinds.ts';
import { describeCell, type ColumnEvidence, type LocatedCell } from './columnEvidence.ts';
import { timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { isSameRow, isTotal } from './tableLayout.ts';

type SkipReason = 'heading' | 'total' | 'text' | 'table' | 'blank';

const reasonTexts: Readonly<Record<SkipReason, readonly [singular: string, plural: string]>> = {
  heading: ['the heading again', 'rows that repeat the heading'],
  total: ['a row of totals', 'rows of totals'],
  text: ['a line of text', 'lines of text'],
  table: ['a row of another table', 'rows of another table'],
  blank: ['an empty row', 'empty rows'],
};

/** Collects the rows below the heading that are not data, such as a repeated heading, totals and lines of text. */
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

  /** Skips a record for a reason. `cell` is an example for the note. */
  add(record: number, line: number, reason: SkipReason, cell: string): true {
    this.#skippedRecords.add(record);
    const entry = this.#reasons.get(reason) ?? { count: 0, first: { cell, line } };
    entry.count++;
    this.#reasons.set(reason, entry);
    return true;
  }

  /** Skips a row if it is not data. Returns whether it was skipped. `columns` is the evidence from the previous rows. */
  addIfNotData(record: number, line: number, cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    const reason = this.#findReason(cells, columns);
    const cell = cells.find(text => text !== null && text.trim() !== '') ?? '';
    return reason !== undefined && this.add(record, line, reason, cell);
  }

  #findReason(cells: readonly Cell[], columns: readonly ColumnEvidence[]): SkipReason | undefined {
    if (this.#heading && isSameRow(cells, this.#heading)) return 'heading';
    let first: string | undefined;
    let filledCount = 0;
    let unusualCount = 0;
    for (const [column, cell] of cells.entries()) {
      if (cell === null || isNoValue(cell)) continue;
      const isUnusual = columns[column]?.isUnusual(cell) === true;
      // Most rows return here, because their first cell has the same kind as the cells above it.
      if (first === undefined && !isUnusual && !isTotal(cell)) {
        this.#isBelowTable = false;
        return undefined;
      }
      first ??= cell;
      filledCount++;
      if (isUnusual) unusualCount++;
    }
    if (first === undefined || columns.length < 2) return undefined;
    if (isTotal(first) && (unusualCount > 0 || this.#lacksTime(cells, columns))) return 'total';
    const isFirstUnusual = columns[0]?.isUnusual(cells[0] ?? '') === true;
    // Below a line of several words, rows without a time belong to another table.
    if (this.#isBelowTable && isFirstUnusual) return 'table';
    // A line of text begins in the first column.
    const isText = (unusualCount === filledCount && (cells[0] ?? '') !== '') || first.startsWith('#');
    this.#isBelowTable = isText && filledCount > 1 && !first.startsWith('#');
    return isText ? 'text' : undefined;
  }

  /** Whether a row has no time although the previous rows have one. */
  #lacksTime(cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    return columns.some(
      ({ example, kinds }, column) => example && kinds & timeKinds && (cells[column] ?? '').trim() === '',
    );
  }

  get notes(): string[] {
    return [...this.#reasons].map(([reason, { count, first }]) => {
      const [singular, plural] = reasonTexts[reason];
      if (first.cell === '')
        return `Left out: ${count === 1 ? singular : `${count} ${plural}, the first`} in line ${first.line}.`;
      return count === 1
        ? `Left out: ${describeCell(first)}, ${singular}.`
        : `Left out: ${count} ${plural}, the first ${describeCell(first)}.`;
    });
  }
}
