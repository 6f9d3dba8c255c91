import { anyKind, cellKind, isNoValue, kindsOf, numberKinds, timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { hasGroups, marksOf, type DecimalMark } from './writtenNumber.ts';

/** A cell of a file with its line. */
export interface FoundCell {
  readonly cell: string;
  readonly line: number;
}

export function quoted({ cell, line }: FoundCell): string {
  return `'${cell.slice(0, 40)}' in line ${line}`;
}

/** The maximum number of distinct times that are counted in a column. */
const maxDifferent = 10_000;
/** The number of cells that are examined for the kind of a column whose first cell is text. */
const maxTexts = 200;
/** Matches the beginning of numbers and dates, including those that can't be parsed. */
const digits = /^[-+]?\d/;
const typed = numberKinds | timeKinds | cellKind.boolean | cellKind.clock;

/** Collects what the cells of a column show about its kind. Cells are added in file order. */
export class ColumnEvidence {
  /** The kinds that all cells so far can be read as. */
  kinds = anyKind;
  /** The first cell with a value. */
  example: FoundCell | undefined;
  /** The first cell that has no kind in common with those before it. */
  broken: FoundCell | undefined;
  /** The first cell whose text stands for no value. */
  noValue: FoundCell | undefined;
  noValues = 0;
  /** The first cells whose number depends on the decimal mark, by the mark in them. */
  readonly either: Partial<Record<DecimalMark, FoundCell>> = {};
  /** Whether a cell has one mark as its decimal mark and the other between thousands. */
  hasGroups = false;
  /** Whether the times of day have an hour 0, and an hour 24. */
  hasHour0 = false;
  hasHour24 = false;
  readonly #usual: number | undefined;
  readonly #different = new Set<string>();
  #last = '';
  #checked: { readonly cell: string; readonly kinds: number } | undefined;
  #beginsAsText = false;
  #texts = 0;
  #typedTexts = 0;

  /** The number of distinct texts in a column of times. */
  get different(): number {
    return this.#different.size;
  }

  /** The cell because of which the column is text, although most of its cells are not. */
  get odd(): FoundCell | undefined {
    return !this.#beginsAsText || this.#typedTexts * 2 >= this.#texts ? this.broken : undefined;
  }

  /** `typicalKinds` are the kinds that most of the first cells have; undefined if they have none in common. */
  constructor(usual?: number) {
    this.#usual = usual;
  }

  /** Whether a cell with a value has none of the typical kinds of the column. */
  breaks(cell: string): boolean {
    if (this.#usual === undefined) return false;
    // The result is saved, since the same cell is usually added next.
    this.#checked = { cell, kinds: kindsOf(cell, this.#usual) };
    return this.#checked.kinds === 0;
  }

  add(cell: Cell, line: number): void {
    if (cell === null) return;
    if (isNoValue(cell)) {
      if (cell.trim() === '') return;
      this.noValue ??= { cell, line };
      this.noValues++;
      return;
    }
    const isFirst = this.example === undefined;
    this.example ??= { cell, line };
    if (this.kinds === 0) {
      this.#addText(cell);
      return;
    }
    this.kinds = this.#checked?.cell === cell ? this.#checked.kinds & this.kinds : kindsOf(cell, this.kinds);
    // A column that mixes percentages and other numbers is not a number column.
    const isMixed = (this.kinds & (cellKind.percent | cellKind.plainNumber)) === 0;
    if (isMixed) this.kinds &= ~numberKinds;
    if (this.kinds === 0) {
      this.broken = { cell, line };
      // If the first cell was text and this one is not, the cells that follow decide.
      this.#beginsAsText = isFirst;
      this.#addText(cell);
      return;
    }
    if (this.kinds & numberKinds) this.#addNumber(cell, line);
    if (this.kinds & (timeKinds | cellKind.clock | cellKind.hour | cellKind.digitTime)) this.#addTime(cell);
  }

  #addText(cell: string): void {
    if (!this.#beginsAsText || this.#texts > maxTexts) return;
    this.#texts++;
    if (digits.test(cell) || kindsOf(cell) & typed) this.#typedTexts++;
  }

  #addNumber(cell: string, line: number): void {
    // Without a comma, a longer number is unambiguous.
    if (!cell.includes(',') && (cell.length > 8 || !cell.includes('.'))) return;
    const { point, comma, differs } = marksOf(cell);
    if (differs) this.either[cell.includes(',') ? 'comma' : 'point'] ??= { cell, line };
    else if (point !== comma && hasGroups(cell, point ? 'point' : 'comma')) this.hasGroups = true;
  }

  #addTime(cell: string): void {
    if (cell === this.#last) return;
    this.#last = cell;
    if (this.#different.size < maxDifferent) this.#different.add(cell);
    if (!this.hasHour0) this.hasHour0 = /^0{1,2}(?:$|:)|[T ,:]0?0:?00|12(?::00)* ?am/i.test(cell);
    if (!this.hasHour24 && cell.includes('24')) this.hasHour24 = /^24(?:$|:)|[T ,:]24(?::?00|$)/.test(cell);
  }
}
