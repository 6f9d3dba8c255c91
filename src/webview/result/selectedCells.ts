import { t } from '@vscode/l10n';
import { findShareParts, type WeightedShareParts } from '../../core/bins/binSums.ts';
import { getColumnDuration } from '../../core/compare/compareFrames.ts';
import { findTimeColumn } from '../../core/frame/clip.ts';
import { countBelow } from '../../core/statistics/quantile.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { Column, Frame, TimeColumn } from '../../shared/frame.ts';
import { getChartTimes } from '../../core/frame/chartColumns.ts';
import type { SelectedInterval } from '../../presentation/chart/chartModel.ts';
import { columnHeader } from '../../presentation/columns/columnHeader.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { hasMultipleCells, isSameRange, type CellPosition, type CellRange } from '../grid/gridSelection.ts';
import type { SearchedCells } from '../rows/findCell.ts';
import { LastValueCache } from '../lastValueCache.ts';
import { selectionStats } from '../rows/selectionStats.ts';
import { selectionText } from './footerText.ts';
import type { TimeRange } from '../../shared/analysis.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { spanOfRows } from './placeInNewer.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';

/** Maps the visible rows and columns of the table, and the selection, to the data. */
export class SelectedCells {
  readonly #grid: DataGrid;
  readonly #shown: () => ShownRows | undefined;
  /** The cell that stayed selected after the selection was cleared because its rows were no longer contiguous. */
  #remaining: CellRange | undefined;
  #parts: { readonly column: Column; readonly parts: WeightedShareParts | undefined } | undefined;
  /** The visible row of each data row in an order, or -1 if it is hidden. */
  #places: { readonly order: Uint32Array; readonly rows: Int32Array } | undefined;
  readonly #text = new LastValueCache<string>();
  /** Incremented at each change of the selection, as part of the cache key. */
  #count = 0;

  constructor(grid: DataGrid, shown: () => ShownRows | undefined) {
    this.#grid = grid;
    this.#shown = shown;
  }

  /** Called when the selection, or the rows in it, have changed. */
  changed(): void {
    this.#count++;
  }

  /** Runs `show`, which shows the same rows in another way, and remembers if that cleared the selection. */
  around(show: () => void): void {
    const before = this.#grid.range;
    show();
    if (!before || !hasMultipleCells(before)) return;
    const { range } = this.#grid;
    this.#remaining = range && !hasMultipleCells(range) ? range : undefined;
  }

  /** The text of the footer on the selection, or that it was cleared; empty for one cell or none. */
  text(locale: string, numbers: NumberStyle): string {
    return this.#text.get(this, `${this.#count} ${numbers}`, () => this.#textOfSelection(locale, numbers));
  }

  #textOfSelection(locale: string, numbers: NumberStyle): string {
    const { range } = this.#grid;
    if (this.#remaining && isSameRange(range, this.#remaining))
      return t('Selection cleared: its rows are no longer adjacent.');
    this.#remaining = undefined;
    if (!range || !this.#shown()) return '';
    const rows = this.rowsIn(range);
    const columns = this.#columnsIn(range);
    const stats = selectionStats(columns, rows, this.#rowMs(columns), this.#partsOf(columns));
    return selectionText(rows.length, columns.length, stats, locale, numbers);
  }

  /** The parts that a single column of shares is computed from. Cached, because every change of the selection needs them. */
  #partsOf(columns: readonly Column[]): WeightedShareParts | undefined {
    const frame = this.#shown()?.frame;
    const [column, ...others] = columns.filter(({ kind }) => kind === 'number');
    if (!frame || column?.kind !== 'number' || others.length > 0) return undefined;
    if (this.#parts?.column !== column) this.#parts = { column, parts: findShareParts(frame, column) };
    return this.#parts.parts;
  }

  /** The duration of a row in all of the columns, in milliseconds; undefined if it is not known. */
  #rowMs(columns: readonly Column[]): number | undefined {
    const { frame, step } = this.#shown() ?? {};
    const areKnown = columns.every(column => frame && getColumnDuration(frame, column, step) !== undefined);
    return areKnown ? step : undefined;
  }

  /** The selected range while the table is in the page; undefined for one cell or none. */
  get selected(): CellRange | undefined {
    const { range, element } = this.#grid;
    const isShown = range && hasMultipleCells(range) && element.isConnected;
    return isShown ? range : undefined;
  }

  /** The intervals of the selected rows; empty for a single row and for all rows. */
  get selectedIntervals(): readonly SelectedInterval[] {
    const { range } = this.#grid;
    const frame = this.#shown()?.frame;
    const time = frame && getChartTimes(frame);
    if (!range || !time || range.rows[0] === range.rows[1]) return [];
    const rows = this.rowsIn(range);
    return rows.length < frame.rowCount ? selectedIntervals(time, rows) : [];
  }

  /** The window from the first selected row to the end of the last, in instants or bins of a cycle; undefined for a single row and for all rows. */
  get selectedWindow(): TimeRange | undefined {
    const intervals = this.selectedIntervals;
    const [first, last] = [intervals[0], intervals.at(-1)];
    // Days and months differ in length: 0.9 keeps the following one out. Without a time column, rows are bins of a cycle.
    const { frame, step = frame && findTimeColumn(frame) ? 1 : hourMs } = this.#shown() ?? {};
    return first && last && { start: first.start, end: last.end + (step >= dayMs ? 0.9 : 1) * step };
  }

  /** The first and the last visible row of a time window; `scattered` if other rows are between them, undefined if there is none. */
  within(window: TimeRange): readonly [first: number, last: number] | 'scattered' | undefined {
    const shown = this.#shown();
    const time = shown && findTimeColumn(shown.frame);
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

  /** The label of a field, or its name if it has none. */
  labelOf(name: string): string {
    const column = this.columnNamed(name);
    return column ? columnHeader(column).label : name;
  }

  dataRow(row: number): number {
    return this.#shown()?.order?.[row] ?? row;
  }

  /** The instant of a visible row in UTC milliseconds, or its bin of a cycle; undefined for a placeholder of a missing interval. */
  instantAt(row: number): number | undefined {
    const { frame, note } = this.#shown() ?? {};
    const dataRow = this.dataRow(row);
    return frame && note?.(dataRow) === undefined ? getChartTimes(frame)?.values[dataRow] : undefined;
  }

  /** The visible row of a received row; undefined if it is hidden. O(log n), except for the first call after a change of the order. */
  shownRow(receivedRow: number, received: Frame): number | undefined {
    const { frame, order } = this.#shown() ?? {};
    if (!frame) return undefined;
    const time = (of: Frame): Float64Array => findTimeColumn(of)?.values ?? new Float64Array();
    // A frame with placeholders of missing rows is sorted by time.
    const row = frame === received ? receivedRow : countBelow(time(frame), time(received)[receivedRow] ?? NaN);
    if (!order) return row;
    if (this.#places?.order !== order) {
      const rows = new Int32Array(frame.rowCount).fill(-1);
      for (let place = 0; place < order.length; place++) rows[order[place] as number] = place;
      this.#places = { order, rows };
    }
    const place = this.#places.rows[row] ?? -1;
    return place < 0 ? undefined : place;
  }

  get rowCount(): number {
    return this.#shown()?.rowCount ?? 0;
  }

  focused(): CellPosition | undefined {
    const { row, column: name } = this.#grid.position();
    const column = this.#grid.columns.findIndex(candidate => candidate.name === name);
    return column < 0 ? undefined : { row: Math.max(0, row), column };
  }

  /** The text of a column, visible or hidden, in a visible row. */
  textOf(row: number, column: string): string {
    return this.#grid.allColumns.find(({ name }) => name === column)?.text(this.dataRow(row)) ?? '';
  }

  /** The searchable texts of the visible cells, which include the digits that are not displayed. */
  texts(): SearchedCells {
    const { columns } = this.#grid;
    const textOf = (row: number, column: number) => {
      const { text, searched = text } = columns[column] ?? {};
      return searched?.(this.dataRow(row)) ?? '';
    };
    return { rowCount: this.rowCount, columnCount: columns.length, textOf };
  }

  #columnsIn({ columns: [first, last] }: CellRange): Column[] {
    return this.#grid.columns
      .slice(first, last + 1)
      .flatMap(({ name, source }) => this.columnNamed(source ?? name) ?? []);
  }
}

/** Returns the intervals that data rows, in any order, cover. Adjacent rows are joined into one interval. */
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
 * Returns the first and the last visible row within a window, both ends included; `scattered` if a sort has put other rows between them,
 * undefined if there is none.
 */
export function selectedRowsWithin(
  { values }: TimeColumn,
  order: Uint32Array | undefined,
  { start, end }: TimeRange,
): readonly [first: number, last: number] | 'scattered' | undefined {
  const span = spanOfRows(order?.length ?? values.length, row => {
    const instant = values[order?.[row] ?? row] ?? NaN;
    return instant >= start && instant <= end;
  });
  return span && (span.together ? [span.first, span.last] : 'scattered');
}
