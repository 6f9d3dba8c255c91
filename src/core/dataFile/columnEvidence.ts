import { anyKind, cellKind, isNoValue, kindsOf, numberKinds, timeKinds } from './cellKinds.ts';
import type { Cell } from './records.ts';
import { hasGroups, marksOf, type DecimalMark } from './writtenNumber.ts';

/** A cell of a file, and its line. */
export interface FoundCell {
  readonly cell: string;
  readonly line: number;
}

export function quoted({ cell, line }: FoundCell): string {
  return `'${cell.slice(0, 40)}' in line ${line}`;
}

/** Different times of a column that are counted. */
const maxDifferent = 10_000;
/** Cells of a column of texts that are looked at for its kind without the others. */
const maxTexts = 200;
/** As numbers and dates begin, also those that can't be read. */
const digits = /^[-+]?\d/;
const typed = numberKinds | timeKinds | cellKind.boolean | cellKind.clock;

/** What the cells of a column show of it, each added in the order of the file. */
export class ColumnEvidence {
  /** What all cells may be. */
  kinds = anyKind;
  /** The first cell with a value. */
  example: FoundCell | undefined;
  /** The cell that is of none of the kinds of those before. */
  broken: FoundCell | undefined;
  /** The first cell with a text that stands for no value. */
  noValue: FoundCell | undefined;
  noValues = 0;
  /** The first cells that are another number with each decimal mark, by the mark that they have. */
  readonly either: Partial<Record<DecimalMark, FoundCell>> = {};
  /** Cells that are numbers with one mark alone have the other between thousands. */
  hasGroups = false;
  /** The hours of times of day: whether one is written as 0, and one as 24. */
  hasHour0 = false;
  hasHour24 = false;
  readonly #usual: number | undefined;
  readonly #different = new Set<string>();
  #last = '';
  #checked: { readonly cell: string; readonly kinds: number } | undefined;
  #beginsAsText = false;
  #texts = 0;
  #typedTexts = 0;

  /** How many different texts the column has, if it is of times. */
  get different(): number {
    return this.#different.size;
  }

  /** Why the column is text although most of its cells are not. */
  get odd(): FoundCell | undefined {
    return !this.#beginsAsText || this.#typedTexts * 2 >= this.#texts ? this.broken : undefined;
  }

  /** `usual`: the kinds that most of its first cells have; undefined where they have none in common. */
  constructor(usual?: number) {
    this.#usual = usual;
  }

  /** Whether a cell with a value is of none of the kinds that the column usually has. */
  breaks(cell: string): boolean {
    if (this.#usual === undefined) return false;
    // The cell is mostly added next.
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
    // Shares in percent beside other numbers are neither.
    const isMixed = (this.kinds & (cellKind.percent | cellKind.plainNumber)) === 0;
    if (isMixed) this.kinds &= ~numberKinds;
    if (this.kinds === 0) {
      this.broken = { cell, line };
      // Where the first cell is the odd one, those behind it tell.
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
    // A longer number without a comma can be read in one way alone.
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
