import { t } from '@vscode/l10n';
import { timesOfColumn } from '../../core/compare/compare.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { rowDuration } from '../../core/statistics/energy.ts';
import type { Column, TimeColumn } from '../../shared/frame.ts';
import type { SelectedInterval } from '../chart/chartModel.ts';
import { columnHeader } from '../columns/columnHeader.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { isWide, sameRange, type CellPosition, type CellRange } from '../grid/gridSelection.ts';
import type { SearchedCells } from '../rows/findCell.ts';
import { selectionStats } from '../rows/selectionStats.ts';
import { selectionText } from './footerText.ts';
import type { TimeWindow } from './panelView.ts';
import { spanOfRows } from './placeInNewer.ts';
import type { ShownRows } from './rowModel.ts';
import type { Selected } from './shownTable.ts';

/** The cells of the table as data: what its shown rows and columns stand for. */
export class SelectedCells {
  readonly #grid: DataGrid;
  readonly #shown: () => ShownRows | undefined;
  /** The cell that stayed selected when the rows selected were no longer shown together. */
  #remaining: CellRange | undefined;

  constructor(grid: DataGrid, shown: () => ShownRows | undefined) {
    this.#grid = grid;
    this.#shown = shown;
  }

  /** Shows the same rows in another way, and remembers where that ends the selection. */
  around(show: () => void): void {
    const before = this.#grid.range;
    show();
    if (!before || !isWide(before)) return;
    const { range } = this.#grid;
    this.#remaining = range && !isWide(range) ? range : undefined;
  }

  /** The selection as a text for the footer, or that it was cleared; empty for one cell or none. */
  text(locale: string): string {
    const { range } = this.#grid;
    if (this.#remaining && sameRange(range, this.#remaining))
      return t('Selection cleared: its rows are not shown together here.');
    this.#remaining = undefined;
    if (!range || !this.#shown()) return '';
    const rows = this.rowsIn(range);
    const columns = this.#columnsIn(range);
    return selectionText(rows.length, columns.length, selectionStats(columns, rows, this.#rowMs(columns)), locale);
  }

  /** How long the value of a row lasts in all of the columns, in milliseconds; undefined where that is not known. */
  #rowMs(columns: readonly Column[]): number | undefined {
    const { frame, step } = this.#shown() ?? {};
    const areKnown = columns.every(column => frame && rowDuration(timesOfColumn(frame, column), step) !== undefined);
    return areKnown ? step : undefined;
  }

  /** The selection while the table is open; undefined for one cell or none. */
  get selected(): Selected | undefined {
    const { range, element } = this.#grid;
    const isShown = range && isWide(range) && element.isConnected;
    return isShown ? { rows: this.rowsIn(range), columns: range.columns } : undefined;
  }

  /** When the selected rows are, where these are more than one and not all there are. */
  get selectedIntervals(): readonly SelectedInterval[] {
    const { range } = this.#grid;
    const frame = this.#shown()?.frame;
    const time = frame && timeColumnOf(frame);
    if (!range || !time || range.rows[0] === range.rows[1]) return [];
    const rows = this.rowsIn(range);
    return rows.length < frame.rowCount ? selectedIntervals(time, rows) : [];
  }

  /** The shown rows of a window of time, first and last; undefined where there is none, or where others lie between them. */
  within(window: TimeWindow): readonly [first: number, last: number] | 'scattered' | undefined {
    const shown = this.#shown();
    const time = shown && timeColumnOf(shown.frame);
    return time && selectedRowsWithin(time, shown.order, window);
  }

  rowsIn({ rows: [first, last] }: CellRange): Uint32Array {
    return (
      this.#shown()?.order?.slice(first, last + 1) ??
      Uint32Array.from({ length: last - first + 1 }, (_, row) => first + row)
    );
  }

  columnNamed(name: string): Column | undefined {
    return this.#shown()?.frame.columns.find(column => column.name === name);
  }

  /** The label of a field; its name where it has none. */
  labelOf(name: string): string {
    const column = this.columnNamed(name);
    return column ? columnHeader(column).label : name;
  }

  dataRow(row: number): number {
    return this.#shown()?.order?.[row] ?? row;
  }

  get rowCount(): number {
    return this.#shown()?.rowCount ?? 0;
  }

  focused(): CellPosition | undefined {
    const { row, column: name } = this.#grid.place();
    const column = this.#grid.columns.findIndex(candidate => candidate.name === name);
    return column < 0 ? undefined : { row: Math.max(0, row), column };
  }

  /** The text in a shown row of a column, whether that is shown or hidden. */
  textOf(row: number, column: string): string {
    return this.#grid.allColumns.find(({ name }) => name === column)?.text(this.dataRow(row)) ?? '';
  }

  /** The texts as they are shown. */
  texts(): SearchedCells {
    const { columns } = this.#grid;
    const textOf = (row: number, column: number) => columns[column]?.text(this.dataRow(row)) ?? '';
    return { rowCount: this.rowCount, columnCount: columns.length, textOf };
  }

  #columnsIn({ columns: [first, last] }: CellRange): Column[] {
    return this.#grid.columns
      .slice(first, last + 1)
      .flatMap(({ name, source }) => this.columnNamed(source ?? name) ?? []);
  }
}

/** The intervals that data rows cover, in any order: rows that follow each other in the data are one interval. */
export function selectedIntervals({ values }: TimeColumn, rows: Uint32Array): SelectedInterval[] {
  const intervals: SelectedInterval[] = [];
  let before = NaN;
  for (const row of rows.slice().sort()) {
    const instant = values[row] ?? NaN;
    const last = intervals.at(-1);
    if (Number.isNaN(instant)) continue;
    if (last && row === before + 1) intervals[intervals.length - 1] = { ...last, end: instant, rows: last.rows + 1 };
    else intervals.push({ start: instant, end: instant, rows: 1 });
    before = row;
  }
  return intervals;
}

/**
 * The shown rows whose instants lie in a window, both ends included; `scattered` where a sort has put other rows between them,
 * undefined where there is none.
 */
export function selectedRowsWithin(
  { values }: TimeColumn,
  order: Uint32Array | undefined,
  { start, end }: TimeWindow,
): readonly [first: number, last: number] | 'scattered' | undefined {
  const span = spanOfRows(order?.length ?? values.length, row => {
    const instant = values[order?.[row] ?? row] ?? NaN;
    return instant >= start && instant <= end;
  });
  return span && (span.together ? [span.first, span.last] : 'scattered');
}
