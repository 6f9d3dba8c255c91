import {
  type ColumnArrangement,
  type FrozenColumns,
  chosenWidth,
  narrowestWidth,
  plainArrangement,
  arrangedColumns,
} from '../../presentation/table/columnArrangement.ts';
import { ColumnLayout, measureTexts, contentWidth, columnWidths, type TextMeasure } from './columnLayout.ts';
import type { GridData, GridColumn } from '../../presentation/table/gridColumn.ts';
import type { FocusBounds } from './gridCommand.ts';
import type { GridDom } from './gridDom.ts';
import { headerRow, type CellPosition } from './gridSelection.ts';
import { GridViewport, headerHeight, rowHeight, summarizedHeight } from './gridViewport.ts';
import type { PaintedRange, RowContext } from './pooledRow.ts';
import { SlotMap } from './slotMap.ts';

/** Smallest number of rows that must fit below a header with summaries. */
const leastRows = 10;

/** The data of a grid, the arrangement of its columns and the viewport. Does no painting. */
export class GridTable {
  readonly view: GridViewport;
  readonly shown = new ShownColumns();
  /** The selection as the cells paint it. */
  readonly range: PaintedRange = { firstRow: 0, lastRow: -1, firstColumn: 0, lastColumn: -1 };
  data: GridData = { rowCount: 0, columns: [] };
  context: RowContext;
  readonly #dom: GridDom;
  readonly #slots = new SlotMap();
  #summaryOf: GridData['summaryOf'];
  #found: RowContext['found'];

  constructor(dom: GridDom) {
    this.#dom = dom;
    this.view = new GridViewport(dom);
    this.context = this.#newContext();
  }

  setData(data: GridData, arrangement: ColumnArrangement): void {
    this.data = data;
    this.#summaryOf = data.summaryOf;
    this.#fitHeader();
    this.shown.arrangement = arrangement;
    this.shown.setData(this.data, measureTexts(this.#dom.headerProbe, this.#dom.cellProbe));
    this.columnsChanged();
  }

  /** Shows the summaries in the header only if they leave room for enough rows. */
  #fitHeader(): void {
    const hasRoom = this.#dom.scroller.clientHeight >= summarizedHeight + leastRows * rowHeight;
    const summaryOf = hasRoom ? this.#summaryOf : undefined;
    this.data = { ...this.data, summaryOf };
    this.#dom.root.classList.toggle('summarized', summaryOf !== undefined);
    this.view.headerHeight = summaryOf ? summarizedHeight : headerHeight;
  }

  /** Updates layout and context after a change of columns, widths or data. */
  columnsChanged(): void {
    const { rowCount, more } = this.data;
    // -1 is ARIA's value for an unknown count.
    this.#dom.root.ariaRowCount = more ? '-1' : String(rowCount + 1);
    this.#dom.root.ariaBusy = more ? 'true' : null;
    this.#dom.root.ariaColCount = String(this.shown.columns.length);
    this.#slots.clear();
    this.view.fit(this.data.rowCount, this.shown.layout.total);
    this.context = this.#newContext();
    this.view.moveTo(this.view.offset);
  }

  /** Highlights the cells whose text matches. */
  mark(found: RowContext['found']): void {
    this.#found = found;
    this.context = this.#newContext();
  }

  /** Updates the layout after the view was resized. */
  resized(): void {
    const before = this.view.headerHeight;
    this.#fitHeader();
    this.view.fit(this.data.rowCount, this.shown.layout.total);
    if (this.view.headerHeight !== before || this.shown.frozenIn(this.view.width) !== this.context.frozen)
      this.columnsChanged();
    this.view.restore();
  }

  /** How many columns should be frozen, and for how many of them the view has room. */
  get frozen(): FrozenColumns {
    const { arrangement, columns } = this.shown;
    return { wanted: Math.min(arrangement.frozen, columns.length), fitting: this.context.frozen };
  }

  get bounds(): FocusBounds {
    return { rows: this.data.rowCount, columns: this.shown.columns.length, pageRows: this.view.pageRows };
  }

  /** The nearest existing cell. */
  within({ row, column }: CellPosition): CellPosition {
    const { rows, columns } = this.bounds;
    return {
      row: Math.max(headerRow, Math.min(rows - 1, row)),
      column: Math.max(0, Math.min(columns - 1, column)),
    };
  }

  /** The nearest existing cell by row and column name; `otherwise` is the column to use if the named one is not visible. */
  cellOf(row: number, name: string | undefined, otherwise: number): CellPosition {
    const column = this.shown.indexOf(name);
    return this.within({ row, column: column < 0 ? otherwise : column });
  }

  /** The visible cell nearest to a point of the window. */
  cellNear(clientX: number, clientY: number): CellPosition {
    return {
      row: this.view.rowAt(clientY),
      column: this.shown.layout.at(this.view.xAt(clientX, this.context)),
    };
  }

  /** The index before which a dragged header would be dropped, and the position of that edge on the layer. */
  dropAt(clientX: number): { readonly before: number; readonly x: number } {
    const { layout, frozen } = this.context;
    const x = this.view.xAt(clientX, this.context);
    const column = layout.at(x);
    const before = x > layout.left(column) + layout.width(column) / 2 ? column + 1 : column;
    return { before, x: layout.left(before) + (x < layout.left(frozen) ? this.view.left : 0) };
  }

  /** Scrolls while the pointer is outside the cells. Returns whether it did. */
  scrollFor(clientX: number, clientY: number | undefined): boolean {
    const { left, offset } = this.view;
    const beyond = this.view.beyond(clientX, clientY ?? 0, this.context);
    if (beyond.x !== 0) this.view.left = left + scrollSpeed(beyond.x);
    if (clientY !== undefined && beyond.y !== 0) this.view.moveTo(offset + scrollSpeed(beyond.y));
    return this.view.left !== left || this.view.offset !== offset;
  }

  reveal({ row, column }: CellPosition): void {
    if (row !== headerRow) this.view.revealRow(row);
    this.view.revealColumn(column, this.context);
  }

  nameOf(column: number): string {
    return this.shown.columns[column]?.name ?? '';
  }

  tooltipOf({ row, column }: CellPosition): string {
    const model = this.shown.columns[column];
    return (row === headerRow ? model?.headerTooltip : model?.tooltip(this.#dataRow(row))) ?? '';
  }

  exactText({ row, column }: CellPosition): string {
    const model = this.shown.columns[column];
    return (row === headerRow ? model?.name : model?.exact(this.#dataRow(row))) ?? '';
  }

  /** The width at which the cells of a column that are in view fit in full. */
  contentWidth(name: string): number {
    const column = this.shown.columns[this.shown.indexOf(name)];
    if (!column) return 0;
    const texts: string[] = [];
    for (let row = this.view.firstRow; row < this.view.endRow; row++) texts.push(column.text(this.#dataRow(row)));
    const measure = measureTexts(this.#dom.headerProbe, this.#dom.cellProbe);
    return contentWidth(column, texts, measure, this.data);
  }

  #dataRow(row: number): number {
    return this.data.order?.[row] ?? row;
  }

  #newContext(): RowContext {
    const { columns, layout } = this.shown;
    const frozen = this.shown.frozenIn(this.view.width);
    return { data: this.data, columns, layout, frozen, slots: this.#slots, range: this.range, found: this.#found };
  }
}

/** The columns as the user has arranged them: visibility, order and widths. */
class ShownColumns {
  arrangement: ColumnArrangement = plainArrangement;
  /** Names of all columns of the data. */
  names: readonly string[] = [];
  /** The visible columns, in their order. */
  columns: readonly GridColumn[] = [];
  layout = new ColumnLayout([]);
  #all: readonly GridColumn[] = [];
  #natural = new Map<string, number>();
  #tried: { readonly name: string; readonly width: number } | undefined;

  /** Sets the columns of other data and measures them. */
  setData(data: GridData, measure: TextMeasure): void {
    const { columns } = data;
    this.#all = columns;
    this.names = columns.map(({ name }) => name);
    const widths = columnWidths(data, measure);
    this.#natural = new Map(columns.map(({ name }, index) => [name, widths[index] ?? 0]));
    this.arrange(this.arrangement);
  }

  /** Applies an arrangement. */
  arrange(arrangement: ColumnArrangement): void {
    this.arrangement = arrangement;
    this.columns = arrangedColumns(this.#all, arrangement);
    this.#layOut();
  }

  /** Previews a column at another width during a drag. */
  tryWidth(name: string, width: number | undefined): void {
    this.#tried = width === undefined ? undefined : { name, width: Math.max(narrowestWidth, Math.round(width)) };
    this.#layOut();
  }

  /** Counts the columns that can be frozen in a view of this width if half of it is left to the others. */
  frozenIn(viewWidth: number): number {
    let frozen = Math.min(this.arrangement.frozen, this.columns.length);
    while (frozen > 0 && this.layout.left(frozen) > viewWidth / 2) frozen--;
    return frozen;
  }

  indexOf(name: string | undefined): number {
    return this.columns.findIndex(column => column.name === name);
  }

  #layOut(): void {
    this.layout = new ColumnLayout(
      this.columns.map(({ name }) => {
        if (this.#tried?.name === name) return this.#tried.width;
        return chosenWidth(this.arrangement, name) ?? this.#natural.get(name) ?? 0;
      }),
    );
  }
}

/** Pixels to scroll in a frame: the further the pointer is outside, the faster. */
function scrollSpeed(distance: number): number {
  return Math.sign(distance) * Math.min(120, Math.ceil(Math.abs(distance) / 4));
}
