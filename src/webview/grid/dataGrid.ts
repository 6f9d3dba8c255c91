import { ColumnLayout } from './columnLayout.ts';
import { columnWidths } from './columnWidths.ts';
import { measureTexts } from './measureTexts.ts';
import type { GridPlace } from './gridPlace.ts';
import { GridFocus } from './gridFocus.ts';
import type { GridColumn, GridData } from './gridColumn.ts';
import { createGridDom } from './gridDom.ts';
import { BodyRow, HeaderRow, sortChildren } from './gridRow.ts';
import type { RowContext } from './gridRow.ts';
import { headerRow } from './focusMove.ts';
import type { CellPosition } from './focusMove.ts';
import { RowScroll } from './rowScroll.ts';
import { SlotMap } from './slotMap.ts';

/** Height of a row in CSS pixels; the stylesheet has the same. */
export const rowHeight = 22;
const headerHeight = 44;
/** Columns drawn beyond each side of the view, so that a short scroll finds them there. */
const sideColumns = 2;
const settleMs = 120;

/** What the grid asks of the page around it. */
export interface GridHost {
  /** The person wants the exact text of a cell on the clipboard. */
  readonly copy: (text: string) => void;
  /** Scrolling and focus have come to rest. */
  readonly settled: () => void;
}

/** A table of any size in a fixed number of elements: rows and columns outside the view do not exist. */
export class DataGrid {
  readonly element: HTMLElement;
  private readonly dom = createGridDom();
  private readonly host: GridHost;
  private readonly focusModel: GridFocus;
  private readonly header: HeaderRow;
  private readonly rows: BodyRow[] = [];
  private readonly rowSlots = new SlotMap();
  private readonly columnSlots = new SlotMap();
  private data: GridData = { rowCount: 0, columns: [] };
  private context = this.newContext([]);
  private scroll = new RowScroll(0, rowHeight, 0);
  private viewWidth = 0;
  private bodyHeight = 0;
  /** Pixels of the imagined full-height table above the view: what counts, also where the scrollbar is too coarse. */
  private offset = 0;
  private settleTimer = 0;

  constructor(host: GridHost, label: string) {
    this.host = host;
    this.element = this.dom.root;
    this.element.setAttribute('aria-label', label);
    this.header = new HeaderRow(this.dom.header);
    this.dom.header.ariaRowIndex = '1';
    this.focusModel = new GridFocus(this.element, {
      bounds: () => ({
        rows: this.data.rowCount,
        columns: this.data.columns.length,
        pageRows: Math.max(1, Math.floor(this.bodyHeight / rowHeight) - 1),
      }),
      cellAt: position => this.cellAt(position),
      reveal: position => this.reveal(position),
      tooltipOf: position => this.tooltipOf(position),
      copy: position => host.copy(this.exactText(position)),
    });
    this.dom.scroller.addEventListener('scroll', () => this.scrolled());
    this.dom.scroller.addEventListener('wheel', event => this.wheeled(event), { passive: false });
    new ResizeObserver(() => this.resized()).observe(this.dom.scroller);
  }

  /** Shows other data. `place` is where to stand in it: the top left corner if left out. */
  show(data: GridData, place?: GridPlace): void {
    this.data = data;
    this.element.ariaRowCount = String(data.rowCount + 1);
    this.element.ariaColCount = String(data.columns.length);
    const column = Math.max(
      0,
      data.columns.findIndex(({ name }) => name === place?.column),
    );
    const row = Math.min(place?.row ?? Math.min(0, data.rowCount - 1), data.rowCount - 1);
    this.focusModel.place({ row, column });
    this.columnSlots.clear();
    this.rowSlots.clear();
    this.measure();
    if (!place) this.dom.scroller.scrollLeft = 0;
    this.offset = this.scroll.clamp((place?.topRow ?? 0) * rowHeight);
    this.writeScrollTop();
    this.paint();
  }

  /** Where the person is now. */
  place(): GridPlace {
    const { row, column } = this.focusModel.position;
    return { topRow: this.offset / rowHeight, row, column: this.data.columns[column]?.name ?? '' };
  }

  /** Gives the keyboard to the focused cell. */
  focus(): void {
    this.focusModel.take();
  }

  /** Measures again after a change of fonts. */
  fontsChanged(): void {
    this.measure();
    this.paint();
  }

  private measure(): void {
    const widths = columnWidths(this.data.columns, measureTexts(this.dom.headerProbe, this.dom.cellProbe));
    this.context = this.newContext(widths);
    this.fit();
  }

  /** Takes over the size of the view. */
  private fit(): void {
    const { scroller, spacer, layer } = this.dom;
    this.viewWidth = scroller.clientWidth;
    const width = `${Math.max(this.context.layout.total, this.viewWidth)}px`;
    spacer.style.width = width;
    layer.style.width = width;
    // A first guess decides whether there is a horizontal scrollbar; the second reading knows it.
    for (let pass = 0; pass < 2; pass++) {
      this.bodyHeight = Math.max(0, scroller.clientHeight - headerHeight);
      this.scroll = new RowScroll(this.data.rowCount, rowHeight, this.bodyHeight);
      spacer.style.height = `${headerHeight + this.scroll.spacer}px`;
      layer.style.height = `${Math.min(scroller.clientHeight, headerHeight + this.scroll.spacer)}px`;
    }
    this.viewWidth = scroller.clientWidth;
    // On a narrow view a frozen column would leave no room for the others.
    this.element.classList.toggle('unfrozen', this.context.layout.width(0) > this.viewWidth / 2);
  }

  private resized(): void {
    if (!this.element.isConnected) return;
    this.fit();
    this.offset = this.scroll.clamp(this.offset);
    this.writeScrollTop();
    this.paint();
  }

  private scrolled(): void {
    const { scrollTop } = this.dom.scroller;
    // The scrollbar rounds what we wrote: only a real move of it counts.
    if (Math.abs(scrollTop - this.scroll.scrollTopOf(this.offset)) > 1) this.offset = this.scroll.offsetOf(scrollTop);
    this.paint();
  }

  private wheeled(event: WheelEvent): void {
    if (!this.scroll.compressed || event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      return;
    event.preventDefault();
    const unit = { 0: 1, 1: rowHeight, 2: this.bodyHeight }[event.deltaMode] ?? 1;
    this.moveTo(this.offset + event.deltaY * unit);
  }

  private moveTo(offset: number): void {
    this.offset = this.scroll.clamp(offset);
    this.writeScrollTop();
    this.paint();
  }

  private writeScrollTop(): void {
    this.dom.scroller.scrollTop = this.scroll.scrollTopOf(this.offset);
  }

  /** Brings a cell into view by the shortest way, and paints. */
  private reveal({ row, column }: CellPosition): void {
    const top = row * rowHeight;
    if (row !== headerRow && top < this.offset) this.offset = this.scroll.clamp(top);
    else if (row !== headerRow && top + rowHeight > this.offset + this.bodyHeight)
      this.offset = this.scroll.clamp(top + rowHeight - this.bodyHeight);
    this.writeScrollTop();
    const frozen = this.frozenWidth();
    const { scroller } = this.dom;
    const left = this.context.layout.left(column);
    const right = left + this.context.layout.width(column);
    if (column > 0 || frozen === 0) {
      if (left - frozen < scroller.scrollLeft) scroller.scrollLeft = left - frozen;
      else if (right > scroller.scrollLeft + this.viewWidth)
        scroller.scrollLeft = Math.min(left - frozen, right - this.viewWidth);
    }
    this.paint();
  }

  private newContext(widths: readonly number[]): RowContext {
    return { columns: this.data.columns, layout: new ColumnLayout(widths), slots: this.columnSlots };
  }

  private paint(): void {
    const { position } = this.focusModel;
    this.assignColumns(position.column);
    this.header.paint(this.context);
    const firstRow = Math.floor(this.offset / rowHeight);
    const endRow = Math.min(this.data.rowCount, Math.ceil((this.offset + this.bodyHeight) / rowHeight));
    this.rowSlots.assign(firstRow, endRow, position.row);
    const { keys } = this.rowSlots;
    for (let slot = 0; slot < keys.length; slot++) {
      const row = keys[slot] ?? -1;
      const pooled = this.rows[slot] ?? this.addRow();
      if (row < 0) {
        pooled.hide();
        continue;
      }
      pooled.paint(row, this.data.order?.[row] ?? row, this.context);
      pooled.element.style.transform = `translateY(${this.rowTop(row, firstRow, endRow)}px)`;
    }
    this.focusModel.painted();
    this.settleSoon();
  }

  /** The focused row may be far away: it waits just outside the view. */
  private rowTop(row: number, firstRow: number, endRow: number): number {
    if (row < firstRow) return -2 * rowHeight;
    if (row >= endRow) return this.bodyHeight + rowHeight;
    return row * rowHeight - this.offset;
  }

  private assignColumns(focused: number): void {
    const { layout } = this.context;
    if (layout.count <= 1) {
      this.columnSlots.assign(1, 1, -1);
      return;
    }
    const left = this.dom.scroller.scrollLeft;
    const first = Math.max(1, layout.at(left) - sideColumns);
    const end = Math.min(layout.count, layout.at(left + this.viewWidth) + 1 + sideColumns);
    this.columnSlots.assign(first, end, focused > 0 ? focused : -1);
  }

  private addRow(): BodyRow {
    const row = new BodyRow();
    this.rows.push(row);
    this.dom.body.append(row.element);
    return row;
  }

  private settleSoon(): void {
    clearTimeout(this.settleTimer);
    this.settleTimer = window.setTimeout(() => {
      this.sortForReaders();
      this.host.settled();
    }, settleMs);
  }

  private sortForReaders(): void {
    this.header.sortCells();
    for (const row of this.rows) row.sortCells();
    const rowOf = new Map(this.rows.map((row, slot) => [row.element, this.rowSlots.keys[slot] ?? -1]));
    sortChildren(this.dom.body, child => rowOf.get(child) ?? -1);
  }

  private frozenWidth(): number {
    return this.element.classList.contains('unfrozen') ? 0 : this.context.layout.width(0);
  }

  private cellAt({ row, column }: CellPosition): HTMLElement | undefined {
    if (row === headerRow) return this.header.cellOf(column, this.context);
    return this.rows[this.rowSlots.slotOf(row)]?.cellOf(column, this.context);
  }

  private column({ column }: CellPosition): GridColumn | undefined {
    return this.data.columns[column];
  }

  private dataRow({ row }: CellPosition): number {
    return this.data.order?.[row] ?? row;
  }

  private tooltipOf(position: CellPosition): string {
    const column = this.column(position);
    return (position.row === headerRow ? column?.headerTooltip : column?.tooltip(this.dataRow(position))) ?? '';
  }

  private exactText(position: CellPosition): string {
    const column = this.column(position);
    return (position.row === headerRow ? column?.name : column?.exact(this.dataRow(position))) ?? '';
  }
}
