import { isNoValue } from './cellKinds.ts';
import { quoted, type ColumnEvidence, type FoundCell } from './columnEvidence.ts';
import { timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { isSameRow, isTotal } from './tableLayout.ts';

type Reason = 'heading' | 'total' | 'text' | 'table' | 'blank';

const words: Readonly<Record<Reason, readonly [one: string, several: string]>> = {
  heading: ['the heading again', 'rows that repeat the heading'],
  total: ['a row of totals', 'rows of totals'],
  text: ['a line of text', 'lines of text'],
  table: ['a row of another table', 'rows of another table'],
  blank: ['an empty row', 'empty rows'],
};

/** Collects the rows below the heading that are not data, such as a repeated heading, totals and lines of text. */
export class LeftOutRows {
  readonly #records = new Set<number>();
  readonly #found = new Map<Reason, { count: number; readonly first: FoundCell }>();
  readonly #heading: readonly Cell[] | undefined;
  #isBelowTable = false;

  constructor(heading: readonly Cell[] | undefined) {
    this.#heading = heading;
  }

  has(record: number): boolean {
    return this.#records.has(record);
  }

  /** Adds a record to those that are left out. */
  add(record: number, line: number, reason: Reason, cell: string): true {
    this.#records.add(record);
    const found = this.#found.get(reason) ?? { count: 0, first: { cell, line } };
    found.count++;
    this.#found.set(reason, found);
    return true;
  }

  /** Adds a row if it is not data, and returns whether it did. `columns` is the evidence of the rows before it. */
  take(record: number, line: number, cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    const reason = this.#reasonOf(cells, columns);
    const cell = cells.find(text => text !== null && text.trim() !== '') ?? '';
    return reason !== undefined && this.add(record, line, reason, cell);
  }

  #reasonOf(cells: readonly Cell[], columns: readonly ColumnEvidence[]): Reason | undefined {
    if (this.#heading && isSameRow(cells, this.#heading)) return 'heading';
    let [first, filled, breaks]: [string | undefined, number, number] = [undefined, 0, 0];
    for (const [at, cell] of cells.entries()) {
      if (cell === null || isNoValue(cell)) continue;
      const isBroken = columns[at]?.breaks(cell) === true;
      // Most rows return here: their first cell has the kind of those above it.
      if (first === undefined && !isBroken && !isTotal(cell)) {
        this.#isBelowTable = false;
        return undefined;
      }
      first ??= cell;
      filled++;
      if (isBroken) breaks++;
    }
    if (first === undefined || columns.length < 2) return undefined;
    if (isTotal(first) && (breaks > 0 || this.#lacksTime(cells, columns))) return 'total';
    const isOther = columns[0]?.breaks(cells[0] ?? '') === true;
    // Below a line of several words, rows without a time belong to another table.
    if (this.#isBelowTable && isOther) return 'table';
    // A line of text begins in the first column.
    const isText = (breaks === filled && (cells[0] ?? '') !== '') || first.startsWith('#');
    this.#isBelowTable = isText && filled > 1 && !first.startsWith('#');
    return isText ? 'text' : undefined;
  }

  /** Whether a row has no time although the rows before it have one. */
  #lacksTime(cells: readonly Cell[], columns: readonly ColumnEvidence[]): boolean {
    return columns.some(({ example, kinds }, at) => example && kinds & timeKinds && (cells[at] ?? '').trim() === '');
  }

  get notes(): string[] {
    return [...this.#found].map(([reason, { count, first }]) => {
      const [one, several] = words[reason];
      if (first.cell === '')
        return `Left out: ${count === 1 ? one : `${count} ${several}, the first`} in line ${first.line}.`;
      return count === 1
        ? `Left out: ${quoted(first)}, ${one}.`
        : `Left out: ${count} ${several}, the first ${quoted(first)}.`;
    });
  }
}
