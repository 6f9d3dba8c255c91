import { anyKind, cellKind, isNoValue, detectKinds, numberKinds, timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { hasThousandsSeparators, testDecimalMarks, type DecimalMark } from './writtenNumber.ts';

/** A cell of a file with its line. */
export interface LocatedCell {
  readonly cell: string;
  readonly line: number;
}

export function describeCell({ cell, line }: LocatedCell): string {
  return `'${cell.slice(0, 40)}' in line ${line}`;
}

/** The maximum number of distinct times that are counted in a column. */
const maxDistinct = 10_000;
/** The number of cells that are examined for the kind of a column whose first cell is text. */
const maxTexts = 200;
/** Matches the beginning of numbers and dates, even if they can't be parsed. */
const leadingDigit = /^[-+]?\d/;
const typedKinds = numberKinds | timeKinds | cellKind.boolean | cellKind.clock;

/** Determines the kinds of a column from its cells, which are added in file order. */
export class ColumnEvidence {
  /** The kinds that all cells added so far can be read as. */
  kinds = anyKind;
  /** The first cell with a value. */
  example: LocatedCell | undefined;
  /** The first cell that has no kind in common with the previous cells. */
  firstMismatch: LocatedCell | undefined;
  /** The first cell whose text stands for a missing value, such as 'N/A'. */
  noValue: LocatedCell | undefined;
  noValueCount = 0;
  /** The first cells whose number depends on the decimal mark, by the mark that they contain. */
  readonly ambiguous: Partial<Record<DecimalMark, LocatedCell>> = {};
  /** Whether a cell has both marks: one as the decimal mark, the other between thousands. */
  hasThousandsSeparators = false;
  /** Whether a time of day is the midnight that begins the day, or the hour 0. A half hour that ends at 00:30 is neither. */
  hasHour0 = false;
  /** Whether a time of day has the hour 24. */
  hasHour24 = false;
  readonly #typicalKinds: number | undefined;
  readonly #distinctTimes = new Set<string>();
  #lastTime = '';
  #checked: { readonly cell: string; readonly kinds: number } | undefined;
  #beginsAsText = false;
  #textCount = 0;
  #typedTextCount = 0;

  /** The number of distinct texts in a column of times. */
  get distinct(): number {
    return this.#distinctTimes.size;
  }

  /** The first cell that made the column text although most of its cells are numbers or times. */
  get unparsed(): LocatedCell | undefined {
    return !this.#beginsAsText || this.#typedTextCount * 2 >= this.#textCount ? this.firstMismatch : undefined;
  }

  /** `typicalKinds` are the kinds that most of the first cells have in common; undefined if they have nothing in common. */
  constructor(typicalKinds?: number) {
    this.#typicalKinds = typicalKinds;
  }

  /** Whether a cell with a value has none of the typical kinds of the column. */
  isUnusual(cell: string): boolean {
    if (this.#typicalKinds === undefined) return false;
    // Saves the result, because the same cell is usually added next.
    this.#checked = { cell, kinds: detectKinds(cell, this.#typicalKinds) };
    return this.#checked.kinds === 0;
  }

  add(cell: Cell, line: number): void {
    if (cell === null) return;
    if (isNoValue(cell)) {
      if (cell.trim() === '') return;
      this.noValue ??= { cell, line };
      this.noValueCount++;
      return;
    }
    const isFirst = this.example === undefined;
    this.example ??= { cell, line };
    if (this.kinds === 0) {
      this.#addText(cell);
      return;
    }
    this.kinds = this.#checked?.cell === cell ? this.#checked.kinds & this.kinds : detectKinds(cell, this.kinds);
    // A column that mixes percentages and other numbers is not a number column.
    const isMixed = (this.kinds & (cellKind.percent | cellKind.plainNumber)) === 0;
    if (isMixed) this.kinds &= ~numberKinds;
    if (this.kinds === 0) {
      this.firstMismatch = { cell, line };
      // If the first cell was text and this cell is not, the following cells decide.
      this.#beginsAsText = isFirst;
      this.#addText(cell);
      return;
    }
    if (this.kinds & numberKinds) this.#addNumber(cell, line);
    if (this.kinds & (timeKinds | cellKind.clock | cellKind.hour | cellKind.digitTime)) this.#addTime(cell);
  }

  #addText(cell: string): void {
    if (!this.#beginsAsText || this.#textCount > maxTexts) return;
    this.#textCount++;
    if (leadingDigit.test(cell) || detectKinds(cell) & typedKinds) this.#typedTextCount++;
  }

  #addNumber(cell: string, line: number): void {
    // Without a comma, a longer number is unambiguous.
    if (!cell.includes(',') && (cell.length > 8 || !cell.includes('.'))) return;
    const { point, comma, differs } = testDecimalMarks(cell);
    if (differs) this.ambiguous[cell.includes(',') ? 'comma' : 'point'] ??= { cell, line };
    else if (point !== comma && hasThousandsSeparators(cell, point ? 'point' : 'comma'))
      this.hasThousandsSeparators = true;
  }

  #addTime(cell: string): void {
    if (cell === this.#lastTime) return;
    this.#lastTime = cell;
    if (this.#distinctTimes.size < maxDistinct) this.#distinctTimes.add(cell);
    // A colon after the year, as in 01JAN2026:00:00, precedes the hour; other colons precede minutes or seconds.
    if (!this.hasHour0) this.hasHour0 = /^0{1,2}(?:$|:?00)|(?:[T ,]|\d{4}:)0?0:?00|\b12(?::00)* ?am/i.test(cell);
    if (!this.hasHour24 && cell.includes('24'))
      this.hasHour24 = /^24(?:$|:?00)|(?:[T ,]|\d{4}:)24(?::?00|$)/.test(cell);
  }
}
