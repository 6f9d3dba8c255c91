import type { GridColumn } from '../../presentation/table/gridColumn.ts';
import { createElement } from './gridDom.ts';
import { PooledRow, type RowContext } from './pooledRow.ts';

/** Bits of the mark of a cell: whether it is selected, and at which edges of the selection it is. */
const selectedBit = 1;
const edgeBits = [
  [2, 'edge-top'],
  [4, 'edge-bottom'],
  [8, 'edge-left'],
  [16, 'edge-right'],
] as const;

/** A pooled row of the table body. */
export class BodyRow extends PooledRow {
  #row = -1;
  #dataRow = -1;
  #note: HTMLElement | undefined;
  #noteText: string | undefined;
  /** The selection bits that each cell shows. */
  readonly #cellMarks: number[] = [];
  #hasSelection = false;
  #paintedContext: RowContext | undefined;

  constructor() {
    super(createElement('grid-row', 'row'));
    this.element.hidden = true;
  }

  /** Shows the visible row `row`, which is row `dataRow` of the data. */
  paint(row: number, dataRow: number, context: RowContext): void {
    const isOtherRow = row !== this.#row || dataRow !== this.#dataRow;
    if (row !== this.#row) {
      // Row 1 is the header.
      this.element.ariaRowIndex = String(row + 2);
      this.element.classList.toggle('odd', row % 2 === 1);
      this.element.hidden = false;
    }
    this.#row = row;
    this.#dataRow = dataRow;
    if (isOtherRow || context !== this.#paintedContext) this.#paintNote(context);
    this.#paintedContext = context;
    this.paintCells(context, isOtherRow);
    this.#paintSelection(context);
    this.element.classList.toggle('pointed', row === context.paintedSelection.highlightedRow);
  }

  /** Hides the row until it is painted again. */
  hide(): void {
    if (this.#row === -1) return;
    this.#row = -1;
    this.element.hidden = true;
  }

  protected override createCell(): HTMLElement {
    const cell = createElement('grid-cell', 'gridcell');
    cell.append('');
    cell.ariaSelected = 'false';
    return cell;
  }

  protected override fillCell(cell: HTMLElement, column: GridColumn, { data, isMatch }: RowContext): void {
    const text = column.text(this.#dataRow);
    cell.classList.toggle('found', isMatch?.((column.searched ?? column.text)(this.#dataRow)) === true);
    (cell.firstChild as Text).data = text;
    let spoken = column.spoken?.(this.#dataRow);
    if (data.hints) spoken = this.#paintHints(cell, column, text, spoken);
    else if (cell.dataset['hinted']) clearHints(cell);
    if (this.#noteText !== undefined && text === '') spoken = this.#noteText;
    const shade = data.getShade?.(column, this.#dataRow);
    cell.classList.toggle('shaded', shade !== undefined);
    for (const [name, value] of Object.entries(shade ?? {})) cell.style.setProperty(name, value);
    if (spoken !== undefined) cell.ariaLabel = spoken;
    else if (cell.ariaLabel !== null) cell.ariaLabel = null;
    // The tooltip is set again when the pointer or the focus enters the cell.
    if (cell.title) cell.removeAttribute('title');
  }

  /** Sets the hints of a cell as attributes that the stylesheet draws, because they are not part of its text. Returns the text for screen readers. */
  #paintHints(cell: HTMLElement, column: GridColumn, text: string, spoken: string | undefined): string | undefined {
    cell.dataset['hinted'] = 'yes';
    const gap = text === '' && this.#noteText === undefined ? column.gapHint?.(this.#dataRow) : undefined;
    setData(cell, 'gap', gap);
    cell.classList.toggle('negative', column.negative?.(this.#dataRow) === true);
    const badge = column.badge?.(this.#dataRow);
    setData(cell, 'badge', badge?.text);
    setData(cell, 'tone', badge?.tone);
    if (!badge?.text.trim()) return spoken;
    return `${text} ${badge.spoken ?? badge.text}`;
  }

  #paintNote({ data, layout, frozenCount }: RowContext): void {
    this.#noteText = data.rowNote?.(this.#dataRow);
    if (this.#noteText === undefined && !this.#note) return;
    this.element.classList.toggle('noted', this.#noteText !== undefined);
    if (!this.#note) {
      this.#note = createElement('grid-note');
      // Screen readers get the same text from the labels of the cells under the note.
      this.#note.setAttribute('aria-hidden', 'true');
      this.element.append(this.#note);
    }
    this.#note.hidden = this.#noteText === undefined;
    this.#note.textContent = this.#noteText ?? '';
    this.#note.style.left = `${layout.left(frozenCount)}px`;
  }

  #paintSelection({ paintedSelection }: RowContext): void {
    const inRow = this.#row >= paintedSelection.firstRow && this.#row <= paintedSelection.lastRow;
    if (!inRow && !this.#hasSelection) return;
    this.#hasSelection = inRow;
    const rowEdges =
      (this.#row === paintedSelection.firstRow ? 2 : 0) | (this.#row === paintedSelection.lastRow ? 4 : 0);
    for (let index = 0; index < this.columns.length; index++) {
      const column = this.columns[index] ?? -1;
      const isSelected = inRow && column >= paintedSelection.firstColumn && column <= paintedSelection.lastColumn;
      const columnEdges =
        (column === paintedSelection.firstColumn ? 8 : 0) | (column === paintedSelection.lastColumn ? 16 : 0);
      this.#markCell(index, isSelected ? selectedBit | rowEdges | columnEdges : 0);
    }
  }

  #markCell(index: number, mark: number): void {
    const cell = this.cells[index];
    const previousMark = this.#cellMarks[index] ?? 0;
    if (!cell || previousMark === mark) return;
    this.#cellMarks[index] = mark;
    if ((previousMark ^ mark) & selectedBit) cell.ariaSelected = mark ? 'true' : 'false';
    for (const [bit, name] of edgeBits)
      if ((previousMark ^ mark) & bit) cell.classList.toggle(name, (mark & bit) !== 0);
  }
}

function clearHints(cell: HTMLElement): void {
  for (const name of ['hinted', 'gap', 'badge', 'tone']) setData(cell, name, undefined);
  cell.classList.remove('negative');
}

function setData(cell: HTMLElement, name: string, value: string | undefined): void {
  if (cell.dataset[name] === value) return;
  if (value === undefined) cell.removeAttribute(`data-${name}`);
  else cell.dataset[name] = value;
}
