import { t } from '@vscode/l10n';
import { findShareParts, type WeightedShareParts } from '../../core/bins/binSums.ts';
import { getColumnDuration } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { countBelow } from '../../core/statistics/quantile.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { Column, Frame, TimeColumn } from '../../shared/frame.ts';
import { getChartTimes } from '../../core/frame/chartColumns.ts';
import type { SelectedInterval } from '../../presentation/chart/chartModel.ts';
import { createColumnHeader } from '../../presentation/columns/columnHeader.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { hasMultipleCells, isSameRange, type CellPosition, type CellRange } from '../grid/gridSelection.ts';
import type { SearchedCells } from '../rows/findCell.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { computeSelectionStats } from '../rows/selectionStats.ts';
import { formatSelection } from './footerText.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { findRowSpan } from './mapPosition.ts';
import type { DisplayedRows } from '../../presentation/result/displayedRows.ts';

/** Maps the visible rows and columns of the table, and the selection, to the data. */
export class SelectedCells {
  readonly #grid: DataGrid;
  readonly #getRows: () => DisplayedRows | undefined;
  /** The cell that stayed selected after the selection was cleared because its rows were no longer contiguous. */
  #remainingCell: CellRange | undefined;
  #shareParts: { readonly column: Column; readonly parts: WeightedShareParts | undefined } | undefined;
  /** The visible row of each data row in an order, or -1 if it is hidden. */
  #visibleRows: { readonly order: Uint32Array; readonly rows: Int32Array } | undefined;
  readonly #textCache = new LastValueCache<string>();
  /** Incremented at each change of the selection, as part of the cache key. */
  #changeCount = 0;

  constructor(grid: DataGrid, getRows: () => DisplayedRows | undefined) {
    this.#grid = grid;
    this.#getRows = getRows;
  }

  /** Called when the selection, or the rows in it, have changed. */
  onSelectionChanged(): void {
    this.#changeCount++;
  }

  /** Calls `show`, which displays the same rows differently, and remembers whether this has cleared the selection. */
  keepSelectionNotice(show: () => void): void {
    const previousRange = this.#grid.range;
    show();
    if (!previousRange || !hasMultipleCells(previousRange)) return;
    const { range } = this.#grid;
    this.#remainingCell = range && !hasMultipleCells(range) ? range : undefined;
  }

  /** Formats the statistics of the selection for the footer, or a notice that it was cleared. Returns an empty text if at most one cell is selected. */
  formatSelection(locale: string, numbers: NumberStyle): string {
    return this.#textCache.get(this, `${this.#changeCount} ${numbers}`, () => this.#computeText(locale, numbers));
  }

  #computeText(locale: string, numbers: NumberStyle): string {
    const { range } = this.#grid;
    if (this.#remainingCell && isSameRange(range, this.#remainingCell))
      return t('Selection cleared: its rows are no longer adjacent.');
    this.#remainingCell = undefined;
    if (!range || !this.#getRows()) return '';
    const rows = this.rowsIn(range);
    const columns = this.#getColumnsIn(range);
    const stats = computeSelectionStats(columns, rows, this.#computeRowMs(columns), this.#findShareParts(columns));
    return formatSelection(rows.length, columns.length, stats, locale, numbers);
  }

  /** The parts that a single column of shares is computed from. Cached, because every change of the selection needs them. */
  #findShareParts(columns: readonly Column[]): WeightedShareParts | undefined {
    const frame = this.#getRows()?.frame;
    const [column, ...otherColumns] = columns.filter(({ kind }) => kind === 'number');
    if (!frame || column?.kind !== 'number' || otherColumns.length > 0) return undefined;
    if (this.#shareParts?.column !== column) this.#shareParts = { column, parts: findShareParts(frame, column) };
    return this.#shareParts.parts;
  }

  /** The duration of a row in all of the columns, in milliseconds; undefined if it is not known. */
  #computeRowMs(columns: readonly Column[]): number | undefined {
    const { frame, intervalMs } = this.#getRows() ?? {};
    const areKnown = columns.every(column => frame && getColumnDuration(frame, column, intervalMs) !== undefined);
    return areKnown ? intervalMs : undefined;
  }

  /** The selected range while the table is in the page. Undefined if at most one cell is selected. */
  get selected(): CellRange | undefined {
    const { range, element } = this.#grid;
    const isVisible = range && hasMultipleCells(range) && element.isConnected;
    return isVisible ? range : undefined;
  }

  /** The intervals of the selected rows; empty for a single row and for all rows. */
  get selectedIntervals(): readonly SelectedInterval[] {
    const { range } = this.#grid;
    const frame = this.#getRows()?.frame;
    const time = frame && getChartTimes(frame);
    if (!range || !time || range.rows[0] === range.rows[1]) return [];
    const rows = this.rowsIn(range);
    return rows.length < frame.rowCount ? listIntervals(time, rows) : [];
  }

  /** The window from the first selected row to the end of the last, in instants or bins of a cycle; undefined for a single row and for all rows. */
  get selectedWindow(): TimeRange | undefined {
    const intervals = this.selectedIntervals;
    const first = intervals[0];
    const last = intervals.at(-1);
    // Days and months differ in length: 0.9 keeps the following one out. Without a time column, rows are bins of a cycle.
    const { frame, intervalMs = frame && findTimeColumn(frame) ? 1 : hourMs } = this.#getRows() ?? {};
    return first && last && { start: first.start, end: last.end + (intervalMs >= dayMs ? 0.9 : 1) * intervalMs };
  }

  /** The first and the last visible row of a time window; `scattered` if other rows are between them, undefined if there is none. */
  findRowsWithin(window: TimeRange): readonly [first: number, last: number] | 'scattered' | undefined {
    const rows = this.#getRows();
    const time = rows && findTimeColumn(rows.frame);
    return time && findRowsInWindow(time, rows.order, window);
  }

  rowsIn({ rows: [first, last] }: CellRange): Uint32Array {
    return (
      this.#getRows()?.order?.slice(first, last + 1) ??
      Uint32Array.from({ length: last - first + 1 }, (_, row) => first + row)
    );
  }

  findColumn(name: string): Column | undefined {
    return this.#getRows()?.frame.columns.find(column => column.name === name);
  }

  /** The label of a field, or its name if it has none. */
  getColumnLabel(name: string): string {
    const column = this.findColumn(name);
    return column ? createColumnHeader(column).label : name;
  }

  toDataRow(row: number): number {
    return this.#getRows()?.order?.[row] ?? row;
  }

  /** The instant of a visible row in UTC milliseconds, or its bin of a cycle; undefined for a placeholder of a missing interval. */
  instantAt(row: number): number | undefined {
    const { frame, getNote } = this.#getRows() ?? {};
    const dataRow = this.toDataRow(row);
    return frame && getNote?.(dataRow) === undefined ? getChartTimes(frame)?.values[dataRow] : undefined;
  }

  /** The visible row of a received row; undefined if it is hidden. O(log n), except for the first call after a change of the order. */
  findVisibleRow(receivedRow: number, received: Frame): number | undefined {
    const { frame, order } = this.#getRows() ?? {};
    if (!frame) return undefined;
    const getTimes = (source: Frame): Float64Array => findTimeColumn(source)?.values ?? new Float64Array();
    // A frame with placeholders of missing rows is sorted by time.
    const row = frame === received ? receivedRow : countBelow(getTimes(frame), getTimes(received)[receivedRow] ?? NaN);
    if (!order) return row;
    if (this.#visibleRows?.order !== order) {
      const rows = new Int32Array(frame.rowCount).fill(-1);
      for (let visibleRow = 0; visibleRow < order.length; visibleRow++) rows[order[visibleRow] as number] = visibleRow;
      this.#visibleRows = { order, rows };
    }
    const visibleRow = this.#visibleRows.rows[row] ?? -1;
    return visibleRow < 0 ? undefined : visibleRow;
  }

  get rowCount(): number {
    return this.#getRows()?.rowCount ?? 0;
  }

  getFocusedCell(): CellPosition | undefined {
    const { row, column: name } = this.#grid.position();
    const column = this.#grid.columns.findIndex(candidate => candidate.name === name);
    return column < 0 ? undefined : { row: Math.max(0, row), column };
  }

  /** The text of a column, visible or hidden, in a visible row. */
  getCellText(row: number, column: string): string {
    return this.#grid.allColumns.find(({ name }) => name === column)?.text(this.toDataRow(row)) ?? '';
  }

  /** The searchable texts of the visible cells, which include the digits that are not displayed. */
  getSearchedCells(): SearchedCells {
    const { columns } = this.#grid;
    const getCellText = (row: number, column: number) => {
      const { text, searched = text } = columns[column] ?? {};
      return searched?.(this.toDataRow(row)) ?? '';
    };
    return { rowCount: this.rowCount, columnCount: columns.length, getText: getCellText };
  }

  #getColumnsIn({ columns: [first, last] }: CellRange): Column[] {
    return this.#grid.columns
      .slice(first, last + 1)
      .flatMap(({ name, source }) => this.findColumn(source ?? name) ?? []);
  }
}

/** Returns the intervals that data rows, in any order, cover. Adjacent rows are joined into one interval. */
export function listIntervals({ values }: TimeColumn, rows: Uint32Array): SelectedInterval[] {
  const intervals: SelectedInterval[] = [];
  let previousRow = NaN;
  for (const row of rows.slice().sort()) {
    const instant = values[row] ?? NaN;
    const last = intervals.at(-1);
    if (Number.isNaN(instant)) continue;
    if (last && row === previousRow + 1)
      intervals[intervals.length - 1] = { ...last, end: instant, rows: last.rows + 1 };
    else intervals.push({ start: instant, end: instant, rows: 1 });
    previousRow = row;
  }
  return intervals;
}

/**
 * Returns the first and the last visible row within a window, both ends included; `scattered` if a sort has put other rows between them,
 * undefined if there is none.
 */
export function findRowsInWindow(
  { values }: TimeColumn,
  order: Uint32Array | undefined,
  { start, end }: TimeRange,
): readonly [first: number, last: number] | 'scattered' | undefined {
  const span = findRowSpan(order?.length ?? values.length, row => {
    const instant = values[order?.[row] ?? row] ?? NaN;
    return instant >= start && instant <= end;
  });
  return span && (span.isContiguous ? [span.first, span.last] : 'scattered');
}
