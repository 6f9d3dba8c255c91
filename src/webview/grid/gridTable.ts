import {
  type ColumnArrangement,
  type FrozenColumns,
  getCustomWidth,
  minColumnWidth,
  defaultArrangement,
  arrangeColumns,
} from '../../presentation/table/columnArrangement.ts';
import {
  ColumnLayout,
  createTextMeasure,
  computeContentWidth,
  computeColumnWidths,
  type TextMeasure,
} from './columnLayout.ts';
import type { GridData, GridColumn } from '../../presentation/table/gridColumn.ts';
import type { GridBounds } from './gridCommand.ts';
import type { GridDom } from './gridDom.ts';
import { headerRow, type CellPosition } from './gridSelection.ts';
import { GridViewport, headerHeight, rowHeight, summaryHeaderHeight } from './gridViewport.ts';
import type { PaintedSelection, RowContext } from './pooledRow.ts';
import { SlotMap } from './slotMap.ts';

/** Smallest number of rows that must fit below a header with summaries. */
const minRows = 10;

/** The data of a grid, the arrangement of its columns and the viewport. Does no painting. */
export class GridTable {
  readonly view: GridViewport;
  readonly visible = new VisibleColumns();
  /** The selection as the cells paint it. */
  readonly paintedSelection: PaintedSelection = { firstRow: 0, lastRow: -1, firstColumn: 0, lastColumn: -1 };
  data: GridData = { rowCount: 0, columns: [] };
  context: RowContext;
  readonly #dom: GridDom;
  readonly #slots = new SlotMap();
  #getSummary: GridData['getSummary'];
  #isMatch: RowContext['isMatch'];

  constructor(dom: GridDom) {
    this.#dom = dom;
    this.view = new GridViewport(dom);
    this.context = this.#createContext();
  }

  setData(data: GridData, arrangement: ColumnArrangement): void {
    this.data = data;
    this.#getSummary = data.getSummary;
    this.#fitHeader();
    this.visible.arrangement = arrangement;
    this.visible.setData(this.data, createTextMeasure(this.#dom.headerProbe, this.#dom.cellProbe));
    this.updateColumns();
  }

  /** Shows the summaries in the header only if they leave room for enough rows. */
  #fitHeader(): void {
    const hasRoom = this.#dom.scroller.clientHeight >= summaryHeaderHeight + minRows * rowHeight;
    const getSummary = hasRoom ? this.#getSummary : undefined;
    this.data = { ...this.data, getSummary };
    this.#dom.root.classList.toggle('summarized', getSummary !== undefined);
    this.view.headerHeight = getSummary ? summaryHeaderHeight : headerHeight;
  }

  /** Updates layout and context after a change of columns, widths or data. */
  updateColumns(): void {
    const { rowCount, more } = this.data;
    // -1 is ARIA's value for an unknown count.
    this.#dom.root.ariaRowCount = more ? '-1' : String(rowCount + 1);
    this.#dom.root.ariaBusy = more ? 'true' : null;
    this.#dom.root.ariaColCount = String(this.visible.columns.length);
    this.#slots.clear();
    this.view.updateSize(this.data.rowCount, this.visible.layout.total);
    this.context = this.#createContext();
    this.view.moveTo(this.view.offset);
  }

  /** Highlights the cells whose text matches. */
  highlightMatches(isMatch: RowContext['isMatch']): void {
    this.#isMatch = isMatch;
    this.context = this.#createContext();
  }

  /** Updates the layout after the view was resized. */
  onResize(): void {
    const previousHeight = this.view.headerHeight;
    this.#fitHeader();
    this.view.updateSize(this.data.rowCount, this.visible.layout.total);
    if (
      this.view.headerHeight !== previousHeight ||
      this.visible.countFrozenColumns(this.view.width) !== this.context.frozenCount
    )
      this.updateColumns();
    this.view.restore();
  }

  /** How many columns should be frozen, and for how many of them the view has room. */
  get frozen(): FrozenColumns {
    const { arrangement, columns } = this.visible;
    return { requested: Math.min(arrangement.frozen, columns.length), fittingCount: this.context.frozenCount };
  }

  get bounds(): GridBounds {
    return { rows: this.data.rowCount, columns: this.visible.columns.length, pageRows: this.view.pageRows };
  }

  /** The nearest existing cell. */
  clamp({ row, column }: CellPosition): CellPosition {
    const { rows, columns } = this.bounds;
    return {
      row: Math.max(headerRow, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(columns - 1, column)),
    };
  }

  /** The nearest existing cell by row and column name; `defaultColumn` is the column to use if the named one is not visible. */
  findCell(row: number, name: string | undefined, defaultColumn: number): CellPosition {
    const column = this.visible.indexOf(name);
    return this.clamp({ row, column: column < 0 ? defaultColumn : column });
  }

  /** The visible cell nearest to a point of the window. */
  findNearestCell(clientX: number, clientY: number): CellPosition {
    return {
      row: this.view.rowAt(clientY),
      column: this.visible.layout.columnAt(this.view.toColumnX(clientX, this.context)),
    };
  }

  /** The index before which a dragged header would be dropped, and the position of that edge on the layer. */
  findDropPosition(clientX: number): { readonly before: number; readonly x: number } {
    const { layout, frozenCount } = this.context;
    const x = this.view.toColumnX(clientX, this.context);
    const column = layout.columnAt(x);
    const before = x > layout.left(column) + layout.width(column) / 2 ? column + 1 : column;
    return { before, x: layout.left(before) + (x < layout.left(frozenCount) ? this.view.left : 0) };
  }

  /** Scrolls while the pointer is outside the cells. Returns whether it did. */
  autoScroll(clientX: number, clientY: number | undefined): boolean {
    const { left, offset } = this.view;
    const distance = this.view.distanceOutside(clientX, clientY ?? 0, this.context);
    if (distance.x !== 0) this.view.left = left + computeScrollSpeed(distance.x);
    if (clientY !== undefined && distance.y !== 0) this.view.moveTo(offset + computeScrollSpeed(distance.y));
    return this.view.left !== left || this.view.offset !== offset;
  }

  scrollTo({ row, column }: CellPosition): void {
    if (row !== headerRow) this.view.revealRow(row);
    this.view.revealColumn(column, this.context);
  }

  getColumnName(column: number): string {
    return this.visible.columns[column]?.name ?? '';
  }

  getTooltip({ row, column }: CellPosition): string {
    const gridColumn = this.visible.columns[column];
    return (row === headerRow ? gridColumn?.headerTooltip : gridColumn?.formatTooltip(this.#dataRow(row))) ?? '';
  }

  getExactText({ row, column }: CellPosition): string {
    const gridColumn = this.visible.columns[column];
    return (row === headerRow ? gridColumn?.name : gridColumn?.exact(this.#dataRow(row))) ?? '';
  }

  /** The width at which the cells of a column that are in view fit in full. */
  computeFittingWidth(name: string): number {
    const column = this.visible.columns[this.visible.indexOf(name)];
    if (!column) return 0;
    const texts: string[] = [];
    for (let row = this.view.firstRow; row < this.view.endRow; row++) texts.push(column.text(this.#dataRow(row)));
    const measure = createTextMeasure(this.#dom.headerProbe, this.#dom.cellProbe);
    return computeContentWidth(column, texts, measure, this.data);
  }

  #dataRow(row: number): number {
    return this.data.order?.[row] ?? row;
  }

  #createContext(): RowContext {
    const { columns, layout } = this.visible;
    const frozenCount = this.visible.countFrozenColumns(this.view.width);
    return {
      data: this.data,
      columns,
      layout,
      frozenCount,
      slots: this.#slots,
      paintedSelection: this.paintedSelection,
      isMatch: this.#isMatch,
    };
  }
}

/** The columns as the user has arranged them: visibility, order and widths. */
class VisibleColumns {
  arrangement: ColumnArrangement = defaultArrangement;
  /** Names of all columns of the data. */
  names: readonly string[] = [];
  /** The visible columns, in their order. */
  columns: readonly GridColumn[] = [];
  layout = new ColumnLayout([]);
  #allColumns: readonly GridColumn[] = [];
  #naturalWidths = new Map<string, number>();
  #preview: { readonly name: string; readonly width: number } | undefined;

  /** Sets the columns of other data and measures them. */
  setData(data: GridData, measure: TextMeasure): void {
    const { columns } = data;
    this.#allColumns = columns;
    this.names = columns.map(({ name }) => name);
    const widths = computeColumnWidths(data, measure);
    this.#naturalWidths = new Map(columns.map(({ name }, index) => [name, widths[index] ?? 0]));
    this.arrange(this.arrangement);
  }

  /** Applies an arrangement. */
  arrange(arrangement: ColumnArrangement): void {
    this.arrangement = arrangement;
    this.columns = arrangeColumns(this.#allColumns, arrangement);
    this.#updateLayout();
  }

  /** Previews a column at another width during a drag. */
  previewWidth(name: string, width: number | undefined): void {
    this.#preview = width === undefined ? undefined : { name, width: Math.max(minColumnWidth, Math.round(width)) };
    this.#updateLayout();
  }

  /** Counts the columns that can be frozen in a view of this width if half of it is left to the other columns. */
  countFrozenColumns(viewWidth: number): number {
    let frozen = Math.min(this.arrangement.frozen, this.columns.length);
    while (frozen > 0 && this.layout.left(frozen) > viewWidth / 2) frozen--;
    return frozen;
  }

  indexOf(name: string | undefined): number {
    return this.columns.findIndex(column => column.name === name);
  }

  #updateLayout(): void {
    this.layout = new ColumnLayout(
      this.columns.map(({ name }) => {
        if (this.#preview?.name === name) return this.#preview.width;
        return getCustomWidth(this.arrangement, name) ?? this.#naturalWidths.get(name) ?? 0;
      }),
    );
  }
}

/** Pixels to scroll in a frame: the further the pointer is outside, the faster. */
function computeScrollSpeed(distance: number): number {
  return Math.sign(distance) * Math.min(120, Math.ceil(Math.abs(distance) / 4));
}
