import { t } from '@vscode/l10n';
import { partsOf, type CountedParts } from '../../core/bins/binSums.ts';
import { columnDuration } from '../../core/compare/compare.ts';
import { timeColumnOf } from '../../core/frame/clip.ts';
import { countBelow } from '../../core/statistics/sorted.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { Column, Frame, TimeColumn } from '../../shared/frame.ts';
import { chartTimes } from '../../core/frame/chartColumns.ts';
import type { SelectedInterval } from '../../presentation/chart/chartModel.ts';
import { columnHeader } from '../../presentation/columns/columnHeader.ts';
import type { DataGrid } from '../grid/dataGrid.ts';
import { isWide, sameRange, type CellPosition, type CellRange } from '../grid/gridSelection.ts';
import type { SearchedCells } from '../rows/findCell.ts';
import { LastResult } from '../lastResult.ts';
import { selectionStats } from '../rows/selectionStats.ts';
import { selectionText } from './footerText.ts';
import type { TimeWindow } from '../../shared/analysis.ts';
import type { NumberStyle } from '../../shared/formatNumber.ts';
import { spanOfRows } from './placeInNewer.ts';
import type { ShownRows } from '../../presentation/result/shownRows.ts';

/** The cells of the table as data: what its shown rows and columns stand for. */
export class SelectedCells {
  readonly #grid: DataGrid;
  readonly #shown: () => ShownRows | undefined;
  /** The cell that stayed selected when the rows selected were no longer shown together. */
  #remaining: CellRange | undefined;
  #parts: { readonly column: Column; readonly parts: CountedParts | undefined } | undefined;
  /** Of each data row its place in an order; -1 where it has none. */
  #places: { readonly order: Uint32Array; readonly rows: Int32Array } | undefined;
  readonly #text = new LastResult<string>();
  /** Counts the selections. */
  #count = 0;

  constructor(grid: DataGrid, shown: () => ShownRows | undefined) {
    this.#grid = grid;
    this.#shown = shown;
  }

  /** Another selection is made, or the same of other rows. */
  changed(): void {
    this.#count++;
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
  text(locale: string, numbers: NumberStyle): string {
    return this.#text.of(this, `${this.#count} ${numbers}`, () => this.#textOfSelection(locale, numbers));
  }

  #textOfSelection(locale: string, numbers: NumberStyle): string {
    const { range } = this.#grid;
    if (this.#remaining && sameRange(range, this.#remaining))
      return t('Selection cleared: its rows are not shown together here.');
    this.#remaining = undefined;
    if (!range || !this.#shown()) return '';
    const rows = this.rowsIn(range);
    const columns = this.#columnsIn(range);
    const stats = selectionStats(columns, rows, this.#rowMs(columns), this.#partsOf(columns));
    return selectionText(rows.length, columns.length, stats, locale, numbers);
  }

  /** What a single column of shares is made of. Cached, since each change of a selection needs it. */
  #partsOf(columns: readonly Column[]): CountedParts | undefined {
    const frame = this.#shown()?.frame;
    const [column, ...others] = columns.filter(({ kind }) => kind === 'number');
    if (!frame || column?.kind !== 'number' || others.length > 0) return undefined;
    if (this.#parts?.column !== column) this.#parts = { column, parts: partsOf(frame, column) };
    return this.#parts.parts;
  }

  /** How long the value of a row lasts in all of the columns, in milliseconds; undefined where that is not known. */
  #rowMs(columns: readonly Column[]): number | undefined {
    const { frame, step } = this.#shown() ?? {};
    const areKnown = columns.every(column => frame && columnDuration(frame, column, step) !== undefined);
    return areKnown ? step : undefined;
  }

  /** The selection while the table is open; undefined for one cell or none. */
  get selected(): CellRange | undefined {
    const { range, element } = this.#grid;
    const isShown = range && isWide(range) && element.isConnected;
    return isShown ? range : undefined;
  }

  /** When the selected rows are, where these are more than one and not all there are. */
  get selectedIntervals(): readonly SelectedInterval[] {
    const { range } = this.#grid;
    const frame = this.#shown()?.frame;
    const time = frame && chartTimes(frame);
    if (!range || !time || range.rows[0] === range.rows[1]) return [];
    const rows = this.rowsIn(range);
    return rows.length < frame.rowCount ? selectedIntervals(time, rows) : [];
  }

  /** From the first selected row to the end of the last, in instants or bins of a cycle; undefined for one row, and for all. */
  get selectedWindow(): TimeWindow | undefined {
    const intervals = this.selectedIntervals;
    const [first, last] = [intervals[0], intervals.at(-1)];
    // Days and months are not equally long: the next one stays out. Without times, it is a bin of a cycle.
    const { frame, step = frame && timeColumnOf(frame) ? 1 : hourMs } = this.#shown() ?? {};
    return first && last && { start: first.start, end: last.end + (step >= dayMs ? 0.9 : 1) * step };
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

  /** The instant of a shown row, UTC milliseconds, or its bin of a cycle; undefined where it stands for a missing step. */
  instantAt(row: number): number | undefined {
    const { frame, note } = this.#shown() ?? {};
    const dataRow = this.dataRow(row);
    return frame && note?.(dataRow) === undefined ? chartTimes(frame)?.values[dataRow] : undefined;
  }

  /** Where a row of the received ones is shown; undefined where it is not. In O(log n) but for the first time in an order. */
  shownRow(receivedRow: number, received: Frame): number | undefined {
    const { frame, order } = this.#shown() ?? {};
    if (!frame) return undefined;
    const time = (of: Frame): Float64Array => timeColumnOf(of)?.values ?? new Float64Array();
    // With the missing rows between them, rows ascend by time.
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
    const { row, column: name } = this.#grid.place();
    const column = this.#grid.columns.findIndex(candidate => candidate.name === name);
    return column < 0 ? undefined : { row: Math.max(0, row), column };
  }

  /** The text in a shown row of a column, whether that is shown or hidden. */
  textOf(row: number, column: string): string {
    return this.#grid.allColumns.find(({ name }) => name === column)?.text(this.dataRow(row)) ?? '';
  }

  /** The texts as they are shown, and the digits that these leave out. */
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
