import type { ColumnLayout } from './columnLayout.ts';
import type { GridDom } from './gridDom.ts';

/** Heights in CSS pixels of a row, a header and a header with summaries. The stylesheet repeats them. */
export const [rowHeight, headerHeight, summaryHeaderHeight] = [22, 44, 88];

/** The layout of the columns, and how many of them are frozen. */
export interface ColumnView {
  readonly layout: ColumnLayout;
  /** Number of frozen columns. */
  readonly frozenCount: number;
}

/** The visible part of the table. Converts between rows, columns and pixels. */
export class GridViewport {
  /** Pixels of the full-height table above the view. This, and not the scrollbar, defines which rows are visible: the scrollbar may be too coarse. */
  offset = 0;
  width = 0;
  /** Height left for rows below the header. */
  bodyHeight = 0;
  headerHeight = headerHeight;
  readonly #dom: GridDom;
  #scroll = new RowScroll(0, rowHeight, 0);
  #rowCount = 0;
  /** The last horizontal scroll position while the grid was in the page. */
  #lastLeft = 0;

  constructor(dom: GridDom) {
    this.#dom = dom;
  }

  get left(): number {
    return this.#dom.scroller.scrollLeft;
  }

  set left(left: number) {
    this.#dom.scroller.scrollLeft = left;
    this.#lastLeft = this.#dom.scroller.scrollLeft;
  }

  /** Number of whole rows that fit into the view. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.bodyHeight / rowHeight) - 1);
  }

  get firstRow(): number {
    return Math.floor(this.offset / rowHeight);
  }

  /** One more than the last row that is at least partly visible. */
  get endRow(): number {
    return Math.min(this.#rowCount, Math.ceil((this.offset + this.bodyHeight) / rowHeight));
  }

  /** Measures the view and sizes the spacer and the layer to match. */
  updateSize(rowCount: number, total: number): void {
    const { scroller, spacer, layer } = this.#dom;
    this.#rowCount = rowCount;
    const width = `${Math.max(total, scroller.clientWidth)}px`;
    spacer.style.width = width;
    layer.style.width = width;
    // The first pass decides whether there is a horizontal scrollbar; the second measures with it.
    for (let pass = 0; pass < 2; pass++) {
      this.bodyHeight = Math.max(0, scroller.clientHeight - this.headerHeight);
      this.#scroll = new RowScroll(rowCount, rowHeight, this.bodyHeight);
      spacer.style.height = `${this.headerHeight + this.#scroll.spacer}px`;
      layer.style.height = `${Math.min(scroller.clientHeight, this.headerHeight + this.#scroll.spacer)}px`;
    }
    this.width = scroller.clientWidth;
  }

  moveTo(offset: number): void {
    this.offset = this.#scroll.clamp(offset);
    this.#dom.scroller.scrollTop = this.#scroll.toScrollTop(this.offset);
  }

  /** Restores the scroll position, which an element loses when it is removed from the page. */
  restore(): void {
    this.moveTo(this.offset);
    this.left = this.#lastLeft;
  }

  /** Reads the scroll position after the scrollbar has moved. */
  onScroll(): void {
    const { scrollTop, scrollLeft, isConnected } = this.#dom.scroller;
    if (!isConnected) return;
    this.#lastLeft = scrollLeft;
    // The browser rounds `scrollTop`, so a difference of at most one pixel does not mean that the user scrolled.
    if (Math.abs(scrollTop - this.#scroll.toScrollTop(this.offset)) > 1) this.offset = this.#scroll.toOffset(scrollTop);
  }

  /** Scrolls by rows when positions are compressed. Returns whether it handled the event. */
  onWheel(event: WheelEvent): boolean {
    if (!this.#scroll.compressed || event.ctrlKey || event.shiftKey) return false;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return false;
    const unit = [1, rowHeight, this.bodyHeight][event.deltaMode] ?? 1;
    this.moveTo(this.offset + event.deltaY * unit);
    return true;
  }

  /** Scrolls as little as possible to bring a row into view. */
  revealRow(row: number): void {
    const top = row * rowHeight;
    if (top < this.offset) this.offset = this.#scroll.clamp(top);
    else if (top + rowHeight > this.offset + this.bodyHeight)
      this.offset = this.#scroll.clamp(top + rowHeight - this.bodyHeight);
    this.moveTo(this.offset);
  }

  /** Scrolls as little as possible to bring a column that is not frozen into view. */
  revealColumn(column: number, { layout, frozenCount }: ColumnView): void {
    if (column < frozenCount) return;
    const frozenWidth = layout.left(frozenCount);
    const left = layout.left(column);
    const right = left + layout.width(column);
    if (left - frozenWidth < this.left) this.left = left - frozenWidth;
    else if (right > this.left + this.width) this.left = Math.min(left - frozenWidth, right - this.width);
  }

  /** Top of a row in the body, in pixels. A row out of view is placed just outside it. */
  rowTop(row: number): number {
    if (row < this.firstRow) return -2 * rowHeight;
    if (row >= this.endRow) return this.bodyHeight + rowHeight;
    return row * rowHeight - this.offset;
  }

  /** The row at a vertical position in the window, or the nearest visible one for a position outside the body. */
  rowAt(clientY: number): number {
    const y = Math.min(Math.max(0, this.bodyHeight - 1), Math.max(0, clientY - this.#bodyTop));
    return Math.max(0, Math.min(this.#rowCount - 1, Math.floor((this.offset + y) / rowHeight)));
  }

  /** Converts a horizontal position in the window to pixels from the left edge of the first column. */
  toColumnX(clientX: number, { layout, frozenCount }: ColumnView): number {
    const x = Math.min(Math.max(0, this.width - 1), Math.max(0, clientX - this.#box.left));
    return x < layout.left(frozenCount) ? x : x + this.left;
  }

  /** Distance of a point from the cells that scroll: negative to the left or above them, 0 inside. */
  distanceOutside(
    clientX: number,
    clientY: number,
    { layout, frozenCount }: ColumnView,
  ): { readonly x: number; readonly y: number } {
    const { left } = this.#box;
    const x = signedDistance(clientX, left + layout.left(frozenCount), left + this.width);
    return { x, y: signedDistance(clientY, this.#bodyTop, this.#bodyTop + this.bodyHeight) };
  }

  get #box(): DOMRect {
    return this.#dom.scroller.getBoundingClientRect();
  }

  get #bodyTop(): number {
    return this.#box.top + this.headerHeight;
  }
}

function signedDistance(value: number, low: number, high: number): number {
  return value < low ? value - low : value > high ? value - high : 0;
}

/**
 * Chromium draws no element higher than 33.5 million device pixels, which a million rows exceed on a screen with two
 * device pixels to one. The spacer therefore ends at this height; above it one pixel of the scrollbar stands for more
 * than one pixel of rows.
 */
export const maxSpacerHeight = 8_000_000;

/** Maps the scrollbar to rows and back. Offsets are pixels of an imagined table of full height. */
export class RowScroll {
  /** Height of the spacer behind the rows. */
  readonly spacer: number;
  /** Whether the scrollbar is too coarse for single rows, so that the wheel has to move the offset itself. */
  readonly compressed: boolean;
  /** The largest offset, at which the last row is at the bottom. */
  readonly maxOffset: number;
  readonly #maxScroll: number;

  /** `viewHeight` is the height left for rows below the header, in pixels. */
  constructor(rowCount: number, rowHeight: number, viewHeight: number) {
    const height = rowCount * rowHeight;
    this.spacer = Math.min(height, maxSpacerHeight);
    this.compressed = height > maxSpacerHeight;
    this.maxOffset = Math.max(0, height - viewHeight);
    this.#maxScroll = Math.max(0, this.spacer - viewHeight);
  }

  /** Converts a position of the scrollbar to an offset. */
  toOffset(scrollTop: number): number {
    if (scrollTop >= this.#maxScroll - 0.5) return this.maxOffset;
    return this.clamp(this.compressed ? (scrollTop / this.#maxScroll) * this.maxOffset : scrollTop);
  }

  /** Converts an offset to a position of the scrollbar. */
  toScrollTop(offset: number): number {
    return this.compressed ? (offset / this.maxOffset) * this.#maxScroll : offset;
  }

  clamp(offset: number): number {
    return Math.min(this.maxOffset, Math.max(0, offset));
  }
}
